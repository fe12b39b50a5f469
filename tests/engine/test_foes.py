"""What players read of their foes: numbers, a word, or neither; in every system, by one setting of the fight."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray import events as facts
from affray.engine import Fight, Refused, Unusable, begin_fight
from affray.engine.analysis.playing import play
from affray.engine.analysis.policies import choose_sensibly
from affray.engine.core.loading import load, template
from affray.engine.visibility import Viewer, can_read, list_bands, list_foes, project_for_sending
from affray.events import Event, FoesSet, Joined, Recorded, Ruled, Veiled
from tests.engine.conftest import two
from tests.engine.encounters import load_shipped_encounters
from tests.engine.fights import SEED, noon, submit_accepted

SPECTATOR, GM = Viewer(role="spectator"), Viewer(role="gm")
SHIPPED = load_shipped_encounters()
SYSTEMS = ("hexblade", "verdigris", "vestige", "wwn", "wyrd")
NUMBERS = (facts.Damaged, facts.DieStepped, facts.ItemAdded, facts.ItemCounted, facts.Joined, facts.StatChanged)


def begin(encounter: dict[str, Any], **more: Any) -> Fight:
    return begin_fight("duel", {**encounter, **more}, who="gm", seed=SEED, clock=noon)


def begin_duel(show: str = "rough") -> Fight:
    """Return the duel of Ilse and Brand, who is the foe."""
    return begin(two(), foes=show)


def rule(fight: Fight, kind: str, **params: Any) -> tuple[Recorded, ...]:
    return submit_accepted(fight, Ruled(kind=kind, params=Raw(msgspec.json.encode(params)), reason="so")).recorded


def list_subjects(event: Event) -> set[str]:
    """Return the combatants that an event may tell numbers of."""
    named = {getattr(event, "who", ""), getattr(event, "owner", "")}
    return named | ({facts.owner_of(event.item)} if isinstance(event, facts.DieStepped | facts.ItemCounted) else set())


def list_readable(viewer: Viewer, fight: Fight) -> Iterator[Event]:
    return (one.event for one in fight.history.recorded if can_read(viewer, one, fight.history.opened))


def player_of(fight: Fight) -> Viewer:
    """Return a viewer who plays all heroes."""
    foes = list_foes(fight.state)
    return Viewer(role="player", owns=tuple(who for who in fight.state.combatants if who not in foes))


@pytest.mark.parametrize("show", ["rough", "hidden"])
@pytest.mark.parametrize("name", [name for name in SHIPPED if not name.startswith("data/")])
def test_no_number_of_a_foe_is_sent_to_its_enemies(name: str, show: str) -> None:
    """Neither the state nor a line tells it, from the opening on; what the heroes have is open, and a hit shows."""
    fight = begin(SHIPPED[name], foes=show)
    foes, player, words = list_foes(fight.state), player_of(fight), fight.ruleset.vocabulary
    assert foes
    assert player.owns
    secret = {pool for pool, word in words.pools.items() if word.is_secret_of_foes}
    sides = {one.side for one in fight.state.combatants.values()}
    for _ in play(fight, dict.fromkeys(sides, choose_sensibly), chance=Random(3), most=25):
        for viewer in (player, SPECTATOR):
            sent = project_for_sending(viewer, fight.state)
            assert foes.intersection(sent.combatants) == foes.intersection(fight.state.combatants)
            for who in foes.intersection(sent.combatants):
                assert not sent.combatants[who].stats
                assert secret.isdisjoint(sent.combatants[who].pools)
            things = [one for one in sent.items.values() if one.owner in foes]
            assert not any(one.stats or one.counters or one.die for one in things)
            bands = list_bands(viewer, fight.state)
            assert bands.keys() == (foes.intersection(sent.combatants) if show == "rough" else set())
    for viewer in (player, SPECTATOR):
        for event in list_readable(viewer, fight):
            assert not (isinstance(event, NUMBERS) and list_subjects(event) & foes), event
            assert not (isinstance(event, facts.PoolChanged) and event.who in foes and event.pool in secret)
    assert {one.who for one in list_readable(player, fight) if isinstance(one, Joined)} == {*player.owns}
    assert any(isinstance(one, facts.Rolled) for one in list_readable(player, fight))


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_is_asked_reads_the_question_and_answers_it(system: str) -> None:
    """A question to a hero about a foe's action, with a number of the hero's own, is no secret from its player."""
    for name, content in SHIPPED.items():
        if not name.startswith(f"{system}/"):
            continue
        fight = begin(content, foes="rough")
        player = player_of(fight)
        for _ in play(
            fight, dict.fromkeys({one.side for one in fight.state.combatants.values()}, choose_sensibly), most=60
        ):
            pass
        for one in fight.history.recorded:
            event = one.event
            asked = (
                event.of if isinstance(event, facts.Asked) else (event.by,) if isinstance(event, facts.Answered) else ()
            )
            if {*asked} & {*player.owns}:
                assert can_read(player, one), event


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_fight_that_says_nothing_is_open_as_before(system: str) -> None:
    """No line is added, and none is sealed."""
    content = tomllib.loads(template(load(system)))
    content.pop("foes", None)
    fights = [begin(content), begin(content, foes="open")]
    first, second = ([one.event for one in fight.history.recorded[1:]] for fight in fights)
    assert first == second
    assert not any(isinstance(one, FoesSet) for one in first)
    assert project_for_sending(SPECTATOR, fights[0].state) == fights[0].state


def test_the_setting_is_recorded_and_a_ruling_changes_it() -> None:
    """The veils follow it; unhurt is what the sheet says, though the foe is hurt by now."""
    fight = begin_duel("open")
    rule(fight, "pool", who="brand", pool="health", to=3)
    ruled = [one.event for one in rule(fight, "foes", show="rough")[1:]]
    assert ruled == [
        FoesSet(show="rough", heroes=("a",)),
        Veiled(who="brand", pools={"health": 6, "ep": 5, "morale": 0}),
    ]
    assert list_bands(SPECTATOR, fight.state)["brand"]["health"] == "hurt"
    rule(fight, "foes", show="hidden")
    assert list_bands(SPECTATOR, fight.state) == {}
    assert list_bands(GM, fight.state)["brand"]["health"] == "hurt"
    rule(fight, "foes", show="open")
    assert project_for_sending(SPECTATOR, fight.state).combatants == fight.state.combatants
    with pytest.raises(Refused, match="players see what foes have left in numbers already"):
        rule(fight, "foes", show="open")
    with pytest.raises(Unusable, match="there is no side wolves"):
        rule(fight, "foes", show="rough", heroes=["wolves"])


def test_the_players_sides_can_be_told() -> None:
    """Whoever is on one of them is no foe, and is shown again."""
    fight = begin_duel()
    rule(fight, "foes", show="rough", heroes=["b"])
    assert [*fight.state.veiled] == ["ilse"]


def test_newcomers_and_turncoats_are_shown_as_the_fight_is_set() -> None:
    """A newcomer of a third side is a foe; one that comes over to the heroes is shown, and back again."""
    fight = begin_duel()
    new = {"name": "Crow", "side": "crows", "health": 5, "ep": 1, "agility": 10, "might": 2, "weapons": ["knife"]}
    joined = rule(
        fight, "join", combatant=[new], distance=[{"between": ["crow", one], "metres": 2} for one in ("ilse", "brand")]
    )
    assert not any(isinstance(one.event, Joined) for one in joined if can_read(SPECTATOR, one))
    assert [*list_bands(SPECTATOR, fight.state)] == ["brand", "crow"]
    rule(fight, "side", who="crow", side="a")
    assert [*list_bands(SPECTATOR, fight.state)] == ["brand"]
    rule(fight, "side", who="crow", side="b")
    assert {*list_bands(SPECTATOR, fight.state)} == {"brand", "crow"}


def test_who_left_while_all_was_open_comes_back_unread() -> None:
    fight = begin_duel("open")
    rule(fight, "leave", who="brand")
    rule(fight, "foes", show="rough")
    rule(fight, "join", combatant="brand")
    assert [*list_bands(SPECTATOR, fight.state)] == ["brand"]


def test_where_both_sides_have_players_each_reads_of_its_own_alone() -> None:
    fight = begin_duel("open")
    rule(fight, "foes", show="rough", heroes=["a", "b"])
    for own, other in (("ilse", "brand"), ("brand", "ilse")):
        sent = project_for_sending(Viewer(role="player", owns=(own,)), fight.state)
        assert "health" in sent.combatants[own].pools
        assert "health" not in sent.combatants[other].pools


def test_another_word_than_those_is_refused() -> None:
    with pytest.raises(Unusable, match="must be one of open, rough, hidden"):
        begin_duel("roughly")
