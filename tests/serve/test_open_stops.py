"""The windows at which the table stops do not depend on a secret, except for the asked combatants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from affray.engine import Command, Fight, begin_fight
from affray.engine.runtime.dice import Faces
from affray.events import AskingSet, AttemptRefused, Dice, Id, Passed, WhenAsked
from affray.tools.api.auto_pass import not_worth
from affray.tools.server.window_timers import pass_idle
from tests.engine.fights import noon, salt, submit_accepted
from tests.rulesets.statistics import make_declaration

FIGHTER = {"agility": 12, "might": 3, "accuracy": 2, "health": 9, "ep": 3, "weapons": ["sword"]}


class OrderedDice:
    """Dice that show 20 to Lurk, 10 to Runa, and 2 to all others."""

    def faces(self, roll: Id, dice: Sequence[Dice]) -> Faces:
        """Return the faces of a roll."""
        shown = 20 if "lurk" in roll else 10 if "runa" in roll else 2
        return tuple((min(shown, one.sides),) * one.count for one in dice)


def open_on_board(system: str, people: list[dict[str, Any]]) -> Fight:
    """Return a fight on a board that has begun."""
    told = {"system": system, "name": "a road", "board": {}, "combatant": people}
    fight = begin_fight("road", told, who="gm", seed=None, dice=OrderedDice(), clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin"))
    return fight


def between_turns(lurk: str) -> Fight:
    """Return a fight with delayed Runa asked between turns; Lurk has ended its turn or delayed, too.

    Lurk, who is concealed, had the earlier place.
    """
    people: list[dict[str, Any]] = [
        {"name": "Lurk", "side": "blue", **FIGHTER, "at": "20,9", "concealed": True},
        {"name": "Runa", "side": "red", **FIGHTER, "at": "0,0"},
        {"name": "Wolf", "side": "blue", **FIGHTER, "at": "9,9"},
    ]
    fight = open_on_board("vestige", people)
    for who, kind in (("lurk", lurk), ("runa", "delay"), ("wolf", "end_turn")):
        while (window := fight.state.window) is not None:
            submit_accepted(fight, Passed(window=window.id, who=window.to[0]))
        submit_accepted(fight, make_declaration(who, kind))
    assert fight.state.window is not None
    return fight


@pytest.mark.parametrize("lurk", ["end_turn", "delay"])
def test_a_concealed_combatant_with_an_earlier_place_takes_no_moment_away(lurk: str) -> None:
    """Runa could reinsert, as far as viewers know: the table does not let it pass for her."""
    fight = between_turns(lurk)
    assert fight.state.window is not None
    assert "runa" in fight.state.window.to
    assert "runa" not in [one.who for one in not_worth(fight, "worthwhile")]


def test_an_attempt_that_an_earlier_place_prevents_is_due_to_who_has_it() -> None:
    """The slot and the window of a concealed combatant go with it, where the cause of a refusal is looked for."""
    fight = between_turns("delay")
    command = Command(id="early", who="Sanna", intent=make_declaration("runa", "reinsert"), knows=("runa",))
    causes = [one.event.because_of for one in fight.submit(command).recorded if isinstance(one.event, AttemptRefused)]
    assert causes == [("lurk",)]


FOE = {"side": "foes", "hp": 9, "attack": 9, "ac": 12, "morale": 7}
LURKS: list[dict[str, Any]] = [
    {"at": "1,1", "weapons": ["hammer_great"]},
    {"at": "40,40", "weapons": ["hammer_great"]},
    {"at": "12,0", "weapons": ["bow_large"]},
    {"at": "12,0", "weapons": ["club"]},
]
"""Where a concealed combatant stands, and with what: for some of them an attack on Runa is worth it, for others not."""


@pytest.mark.parametrize("ask", ["worthwhile", ""], ids=["worthwhile", "unsaid"])
@pytest.mark.parametrize("lurk", LURKS, ids=["beside", "far", "bow", "club"])
def test_no_pass_for_a_concealed_combatant_follows_from_what_it_could_do(
    lurk: dict[str, Any], ask: WhenAsked | Literal[""]
) -> None:
    """The table waits for the game master in each window, until they let it pass or set that it is not asked."""
    people: list[dict[str, Any]] = [
        {"name": "Runa", "side": "party", "pc": True, "hp": 2, "attack": 1, "at": "0,0", "weapons": ["sword_short"]},
        {"name": "Wolf", **FOE, "at": "19,9", "weapons": ["club"]},
        {"name": "Lurk", **FOE, **lurk, "concealed": True},
    ]
    fight = open_on_board("wwn", people)
    if ask:
        submit_accepted(fight, AskingSet(who="lurk", ask=ask))
    while fight.state.acting != ("runa",):
        submit_accepted(fight, make_declaration(fight.state.acting[0], "end_turn"))
    submit_accepted(fight, make_declaration("runa", "move", path=["0,1"]))
    pass_idle(fight)
    assert fight.state.window is not None
    assert fight.state.window.to == ("lurk",)
    submit_accepted(fight, AskingSet(who="lurk", ask="never"))
    assert fight.state.window is None
