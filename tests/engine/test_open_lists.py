"""Notes that list combatants, one of them concealed: their open parts do not depend on it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine import Fight, Refused, begin_fight
from affray.engine.core.draft import Draft
from affray.engine.core.loading import load
from affray.engine.runtime.dice import DiceSource
from affray.engine.runtime.interpreter import Interpreter
from affray.engine.visibility import Viewer, project_for_sending, project_state
from affray.engine.visibility.audiences import find_audiences
from affray.events import Declared, Id, MarkSet
from affray.tools.api.command_checks import check_visible
from affray.tools.api.viewer_queries import list_actors_for, waiting_for
from tests.engine.fights import noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.test_redacted_fields import fight as state_with_lurker
from tests.engine.test_unseen import of_type
from tests.engine.twins import SPECTATOR, NamedDice, fold_open_events, open_events
from tests.rulesets.statistics import make_declaration
from tests.rulesets.systems import PRESENT

PEOPLE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "hexblade": ({"side": "wardens", "block": "fighter"}, {"side": "pack", "block": "bandit", "initiative": 9}),
    "verdigris": (
        {"side": "party", "pc": True, "hp": 5, "weapons": ["dagger"]},
        {"side": "enemies", "block": "bandit"},
    ),
    "vestige": ({"side": "wardens", "block": "hero"}, {"side": "pack", "block": "minion"}),
    "wwn": ({"side": "party", "pc": True, "hp": 9, "attack": 1}, {"side": "foes", "hp": 4, "attack": 0}),
    "wyrd": ({"side": "party", "pc": True}, {"side": "pack"}),
}
"""Per system a hero, and an enemy of it."""


def begin_lurker_fight(system: str, dice: DiceSource | None = None, **more: Any) -> Fight:
    """Return a fight of Ada and Bea against Fang, Grey and a concealed lurker, in its first round."""
    hero, foe = PEOPLE[system]
    heroes = [{**hero, "name": name} for name in ("Ada", "Bea")]
    foes = [{**foe, "name": name} for name in ("Fang", "Grey")]
    people = [*heroes, *foes, {**foe, "name": "Lurker", "concealed": True}]
    if system == "hexblade":
        people = [{**one, "at": f"{4 * nth},0"} for nth, one in enumerate(people)]
    told = {"system": system, "name": "n", "combatant": people, **more}
    fight = begin_fight("f", told, who="gm", seed=None, dice=dice or NamedDice(), clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin", **({"cause": "threat"} if system == "vestige" else {})))
    while fight.state.phase == "initiative":
        rollers = [one.who for one in list_actors_for(Viewer(role="gm"), fight).actors]
        submit_accepted(fight, make_declaration(rollers[0], "roll_initiative"))
    return fight


def check_same_view(*fights: Fight) -> None:
    """Hold that a spectator reads the same of two fights, and folds from it what the state says."""
    assert open_events(fights[0]) == open_events(fights[1])
    assert len({msgspec.json.encode(project_for_sending(SPECTATOR, fight.state)) for fight in fights}) == 1
    for fight in fights:
        assert fold_open_events(open_events(fight)).marks == project_state(SPECTATOR, fight.state).marks


def call_next_turns(system: str, *people: Id) -> Fight:
    """Return a fight in which the game master gave these combatants the next turns."""
    fight = begin_lurker_fight(system)
    for who in people:
        rule(fight, "turn", who=who)
    return fight


@pytest.mark.parametrize("system", PRESENT)
def test_the_next_turns_of_known_combatants_are_as_open_as_without_a_concealed_one(system: str) -> None:
    """The concealed one was called before, between or after them."""
    alone = call_next_turns(system, "grey", "bea")
    for people in (("lurker", "grey", "bea"), ("grey", "lurker", "bea"), ("grey", "bea", "lurker")):
        fight = call_next_turns(system, *people)
        assert fight.state.marks["fight"]["next_turn"][""] == tuple(people)
        check_same_view(fight, alone)


@pytest.mark.parametrize("system", ["hexblade", "verdigris"])
def test_who_has_the_next_turn_takes_it_although_a_concealed_combatant_has_one_later(system: str) -> None:
    """Its player is offered the turn and not refused; all viewers read whose turn is awaited."""
    alone, fight = call_next_turns(system, "grey"), call_next_turns(system, "grey", "lurker")
    player = Viewer(role="player", name="P", owns=("grey",))
    begin = Declared(actor="grey", kind="begin_turn", params=Raw(b"{}"))
    for one in (alone, fight):
        assert [actor.who for actor in list_actors_for(player, one).actors] == ["grey"]
        check_visible(player, one, begin)
    assert waiting_for(SPECTATOR, fight).headline == waiting_for(SPECTATOR, alone).headline
    submit_accepted(alone, begin)
    submit_accepted(fight, begin)
    check_same_view(fight, alone)
    assert fight.state.marks["fight"]["next_turn"][""] == ("lurker",)


def test_a_known_combatant_passed_over_for_a_concealed_one_keeps_its_turn() -> None:
    """It is down; the lurker has the next turn, which no viewer reads."""
    fight = call_next_turns("hexblade", "grey", "lurker")
    rule(fight, "unable", who="grey")
    before = open_events(fight)
    submit_accepted(fight, make_declaration("lurker", "begin_turn"))
    assert not of_type(open_events(fight)[len(before) :], MarkSet)
    assert fight.state.marks["fight"]["next_turn"][""] == ("grey",)


@pytest.mark.parametrize("system", PRESENT)
@pytest.mark.parametrize(
    ("was", "value", "part", "readers"),
    [
        ((), ("lurker", "ilse"), ("ilse",), ("lurker",)),
        (("ilse",), ("ilse", "lurker"), (), ("lurker",)),
        (("ilse", "lurker"), ("lurker",), None, ("lurker",)),
        ((), ("lurker",), (), ("lurker",)),
        (("lurker", "ilse"), ("ilse",), (), ("lurker",)),
        (("lurker", "brand", "ilse"), ("ilse",), (), None),
        (("lurker", "ilse"), None, (), None),
        (("lurker",), None, (), ("lurker",)),
    ],
)
def test_a_list_shows_what_changes_of_its_known_combatants(
    system: str,
    was: tuple[Id, ...],
    value: tuple[Id, ...] | None,
    part: tuple[Id, ...] | None,
    readers: tuple[Id, ...] | None,
) -> None:
    """No other part of it is open, in any note of a system that lists combatants."""
    base, rules = state_with_lurker(system), load(system)
    for key in [mark.key for mark in rules.marks.values() if mark.lists]:
        state = replace(base, marks={"fight": {key: {"": was}}} if was else {})
        told = Interpreter(rules, Draft(state), None, NamedDice())
        told.record(MarkSet(owner="fight", key=key, value=value))
        assert [one.value for one in of_type(told.events, MarkSet)[:-1]] == ([] if part == () else [part])
        assert find_audiences(state, told.events, lambda _: base)[1] == [*([None] if part != () else []), readers]


def test_what_a_concealed_combatant_failed_to_repair_known_ones_may_try() -> None:
    """Its attempt is sealed; the others may fail too, and it may not try again."""
    fight = begin_lurker_fight("hexblade", config={"repair_by": "anyone"})
    item = next(one.id for one in fight.state.items.values() if one.owner == "ada" and one.base)
    rule(fight, "wear", item=item, to="damaged")
    rule(fight, "end")
    before = open_events(fight)
    attempts = {who: make_declaration(who, "repair", item=item) for who in ("lurker", "ada")}
    for who, attempt in attempts.items():
        rule(fight, "dc", who=who, dc=40)
        check_visible(Viewer(role="player", name="P", owns=(who,)), fight, attempt)
        submit_accepted(fight, attempt)
        with pytest.raises(Refused, match="only a professional"):
            submit_accepted(fight, attempt)
        if who == "lurker":
            assert open_events(fight) == before
    assert fight.state.marks[item]["failed"][""] == ("lurker", "ada")
    assert project_state(SPECTATOR, fight.state).marks[item] == {"failed": {"": ("ada",)}}
