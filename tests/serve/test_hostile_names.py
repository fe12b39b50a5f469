"""Fights of combatants named after a counter, an action, a phase, a condition, a side, or each other.

They open, play, hide, tell and explain as any other; and what somebody sees of a fight does not hang on what those are
called, or have, whom they may not see.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from affray.engine import Command, Fight, begin_fight
from affray.engine.analysis.explain import explain_event
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.ids import RESERVED, id_of
from affray.engine.integrity.audit import audit
from affray.engine.visibility import Viewer, can_read, list_bands, project_state
from affray.events import Dice, Joined, Ruled
from affray.tools.api.viewer_queries import list_actions_for, list_actors_for, project_lines, project_story, waiting_for
from affray.tools.present.story.narration import tell_all
from affray.tools.server.view_cache import View
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, salt
from tests.engine.memory import MemoryStore
from tests.examples import a_share
from tests.rulesets.systems import SYSTEMS

EACH = pytest.mark.parametrize("system", SYSTEMS)
ALSO = ("Bandit", "Bandits", "Health", "hp", "Attack", "Turn", "Prone", "Initiative", "Words", "Note", "Begin", "Sword")
"""What is tried in every system."""

STEPS = 15
"""How many commands each fight takes."""

LEFT = frozenset({"block", "side", "weapons", "armor", "items", "skills", "class", "background", "at", "concealed"})
"""Keys of an entry whose texts name nobody."""


@cache
def list_rule_words(system: str) -> tuple[str, ...]:
    """Return names that are words of a rule system, or of any."""
    fights = [begin_fight("x", one, who="gm", seed=SEED) for one in files(system).values()]
    people = [one for fight in fights for one in fight.state.combatants.values()]
    rules = fights[0].ruleset
    found = {
        *ALSO,
        *rules.actions,
        *rules.turns.manners,
        *rules.turns.procedures,
        *rules.turns.windows,
        *rules.turns.resolving,
    }
    found.update(word for one in people for word in (*one.pools, *one.stats, *one.conditions, one.side))
    found.update(item.name for fight in fights for item in fight.state.items.values())
    by_id = {id_of(word): word for word in sorted(found) if word}
    return tuple(word.capitalize() for who, word in sorted(by_id.items()) if who and who not in RESERVED)


@cache
def files(system: str) -> Mapping[str, dict[str, Any]]:
    """Return the encounters of a system that come with Affray."""
    return {name: one for name, one in load_shipped_encounters().items() if one["system"] == system}


def rename_combatants(told: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return an encounter with renamed combatants, in all references too."""
    ids = {id_of(old): id_of(new) for old, new in names.items()}

    def said(value: Any) -> Any:
        if isinstance(value, str):
            base, dash, letter = value.rpartition("-")
            return ids.get(value) or (f"{ids[base]}-{letter}" if dash and base in ids and len(letter) == 1 else value)
        if isinstance(value, list):
            return [said(one) for one in value]
        if isinstance(value, dict):
            return {key: one if key in LEFT else said(one) for key, one in value.items()}
        return value

    entries = [{**said(one), "name": names.get(one["name"], one["name"])} for one in told["combatant"]]
    return {**said({key: one for key, one in told.items() if key != "combatant"}), "combatant": entries}


class OneFall:
    """Dice that fall in the order of the first requests, under any names."""

    def __init__(self) -> None:
        self._chance, self._fell = Random(7), dict[str, tuple[tuple[int, ...], ...]]()

    def faces(self, roll: str, dice: Sequence[Dice]) -> tuple[tuple[int, ...], ...]:
        """Return what a roll shows."""
        if roll not in self._fell:
            self._fell[roll] = tuple(
                tuple(self._chance.randint(1, one.sides) for _ in range(one.count)) for one in dice
            )
        return self._fell[roll]


def go_on_with_rulings(fight: Fight, chance: Random, many: int) -> Iterator[int]:
    """Let a fight go on, with a ruling now and then; yield after each command where it stood before."""
    for nth in range(many):
        before = fight.head
        if nth % 5 == 3:
            intent: Any = Ruled(kind="note", params=Raw(b'{"text":"the bell rings"}'), reason="it is late")
        else:
            intent = choose_sensibly(fight, chance)
        if intent is None:
            return
        fight.submit(Command(id=f"c{nth}", who="gm", intent=intent))
        yield before


def list_player_viewers(people: Sequence[str]) -> list[Viewer]:
    """Return a spectator, and the players of some of these."""
    return [Viewer(role="spectator"), *(Viewer(role="player", owns=(who,)) for who in people[:2])]


Cast = tuple[dict[str, Any], dict[str, str], str]
"""An encounter, what everybody in it is called instead, and who is hidden."""


@st.composite
def casts(draw: st.DrawFn, system: str) -> Cast:
    """Draw an encounter with names from the rules or from itself, and a hidden combatant."""
    told = files(system)[draw(st.sampled_from(sorted(files(system))))]
    names = [one["name"] for one in told["combatant"]]
    words = draw(st.permutations(list_rule_words(system)))
    return told, dict(zip(names, words, strict=False)), draw(st.sampled_from(names))


def make_hiding_encounter(told: dict[str, Any], names: Mapping[str, str], hidden: str) -> dict[str, Any]:
    """Return the encounter with these names, and one entry hidden."""
    new = rename_combatants(told, names)
    for entry in new["combatant"]:
        entry.update({"concealed": True} if entry["name"] == names.get(hidden, hidden) else {})
    return new


@EACH
@a_share(of=8)
@given(st.data(), st.integers(0, 1 << 16))
def test_whatever_they_are_called_the_fight_goes_on(system: str, data: st.DataObject, seed: int) -> None:
    """No other combatant is hidden, every event has its text and explanation, and the audit is clean."""
    store = MemoryStore()
    fight = begin_fight(
        "drawn",
        make_hiding_encounter(*data.draw(casts(system))),
        who="gm",
        seed=SEED,
        clock=noon,
        salts=salt,
        store=store,
    )
    for _ in go_on_with_rulings(fight, Random(seed), STEPS):
        state = fight.state
        for viewer in list_player_viewers(sorted(state.combatants)):
            hidden = {*state.concealed} - {*viewer.owns}
            seen = project_state(viewer, state)
            assert seen.combatants.keys() == state.combatants.keys() - hidden
            assert {one.id for one in seen.items.values()} == {
                one.id
                for one in state.items.values()
                if one.owner not in hidden and one.id.partition(".")[0] not in hidden
            }
            list_actors_for(viewer, fight)
    spectator = Viewer(role="spectator")
    for one in fight.history.recorded:
        if isinstance(one.event, Joined):
            assert can_read(spectator, one) == (one.event.who not in fight.state.concealed)
    assert len(list(tell_all(fight.history.recorded, fight))) > 3
    for position in range(1, fight.head + 1, 9):
        explain_event(fight, position)
    assert audit(lambda: iter(store.read("drawn")), seed=SEED).findings == ()


def encode_shown(viewer: Viewer, fight: Fight, view: View, after: int) -> bytes:
    """Encode everything that a viewer is shown of a fight after a position, without hashes and digests."""
    new = fight.history.recorded[after:]
    view.update(new, fight.state)
    lines = project_lines(viewer, fight, new)
    proof = {"hash": "", "digest": "", "readers": "", "by": "", "salt": "", "mask": ""}
    bare = [msgspec.structs.replace(line, **proof) for line in lines]
    state = project_state(viewer, fight.state)
    may = list_actors_for(viewer, fight)
    moment = (
        bare,
        state,
        list_bands(viewer, fight.state),
        waiting_for(viewer, fight),
        may,
        [list_actions_for(viewer, fight, one.who, one.manner) for one in may.actors],
        project_story(viewer, fight),
        view.broken,
    )
    return msgspec.json.encode(moment)


def twins(one: dict[str, Any], other: dict[str, Any]) -> list[tuple[Fight, list[View]]]:
    """Return two fights that differ in nothing but in what is hidden, as others see them."""
    found = []
    for told in (one, other):
        fight = begin_fight("drawn", told, who="gm", seed=None, dice=OneFall(), clock=noon, salts=salt)
        people = [who for who in sorted(fight.state.combatants) if who not in fight.state.concealed]
        found.append((fight, [View(one, fight.history.recorded, fight.state) for one in list_player_viewers(people)]))
    return found


@EACH
@a_share(of=8)
@given(st.data(), st.integers(0, 1 << 16))
def test_what_somebody_sees_does_not_hang_on_what_they_may_not_see(system: str, data: st.DataObject, seed: int) -> None:
    """Two fights with different hidden names look the same to all other viewers, byte for byte."""
    told, names, hidden = data.draw(casts(system))
    name = names[hidden]
    if f"{id_of(name)}q" in {id_of(one) for one in names.values()} or id_of(name) in groups(told):
        return
    pair = twins(*(make_hiding_encounter(told, {**names, hidden: one}, hidden) for one in (name, f"{name}q")))
    steps = [go_on_with_rulings(fight, Random(seed), STEPS) for fight, _ in pair]
    looks_alike(pair, 0)
    while True:
        before = [next(step, None) for step in steps]
        assert before[0] == before[1]
        if before[0] is None:
            return
        looks_alike(pair, before[0])


def looks_alike(pair: Sequence[tuple[Fight, list[View]]], after: int) -> None:
    """Check that every viewer is shown the same in both fights."""
    (one, views), (other, others) = pair
    for view, also in zip(views, others, strict=True):
        assert encode_shown(view.viewer, one, view, after) == encode_shown(also.viewer, other, also, after)


def groups(told: dict[str, Any]) -> set[str]:
    """Return the ids that sides and groups of an encounter have; who is called like one of these shares its marks."""
    found = {str(entry.get("side", "")) for entry in told["combatant"]}
    found.update(str(entry.get("group", "")) for entry in told["combatant"])
    found.update(str(one.get("name", "")) for one in told.get("group", ()) if isinstance(one, dict))
    return {id_of(name) for name in found}
