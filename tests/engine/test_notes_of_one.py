"""Notes of the rules that tell of one combatant: as long as it is concealed, nothing of them is open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from affray.engine import Fight, begin_fight
from affray.engine.runtime.dice import Faces
from affray.engine.visibility import project_state
from affray.events import Answered, Asked, Dice, Id, MarkSet, Passed, PhaseEntered, TurnEnded
from tests.engine.fights import noon, salt, submit_accepted
from tests.engine.test_hiding import rule
from tests.engine.test_open_lists import PEOPLE, begin_lurker_fight, check_same_view
from tests.engine.test_unseen import of_type
from tests.engine.twins import SPECTATOR, NamedDice, open_events
from tests.rulesets.statistics import make_declaration


def ambush(**blow: Any) -> Fight:
    """Return a fight that a concealed hero begins with a blow at Runa, who stands unharmed by it."""
    people = [
        {"name": "Runa", "side": "wardens", "block": "hero", "health": 30},
        {
            "name": "Lurker",
            "side": "pack",
            "block": "hero",
            "skills": ["lunge"],
            "weapons": ["sword"],
            "concealed": True,
        },
    ]
    near = [{"between": ["runa", "lurker"], "metres": 1}]
    told = {"system": "vestige", "name": "n", "combatant": people, "distance": near}
    fight = begin_fight("f", told, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)
    submit_accepted(
        fight, make_declaration("gm", "begin", cause="first_attack", attacker="lurker", target="runa", **blow)
    )
    return fight


def test_how_a_concealed_combatant_strikes_the_first_blow_is_not_noted_openly() -> None:
    """By which skill, and with how much energy."""
    for fight in (ambush(skill="lunge", ep=2), ambush(ep=1), ambush()):
        assert not [one for one in of_type(open_events(fight), MarkSet) if one.owner in ("fight", "lurker")]


class LurkerRollsTen(NamedDice):
    """Dice with which a lurker is neither the first nor the last in order."""

    def faces(self, roll: Id, dice: Sequence[Dice]) -> Faces:
        """Return the faces of a roll."""
        return ((10,),) if roll.endswith("initiative:lurker") else super().faces(roll, dice)


def late(delays: bool) -> Fight:
    """Return a fight in which a concealed wolf had its first turn late, in round two, or in time."""
    fight, back = begin_lurker_fight("vestige", LurkerRollsTen()), False
    while fight.state.round < 3:
        window = fight.state.window
        if window is not None:
            put_back = "lurker" in window.to and window.what == "reinsert" and fight.state.round == 2 and not back
            submit_accepted(
                fight,
                make_declaration("lurker", "reinsert") if put_back else Passed(window=window.id, who=window.to[0]),
            )
            back = back or put_back
        else:
            who = fight.state.acting[0]
            waits = delays and who == "lurker" and fight.state.round == 1
            submit_accepted(fight, make_declaration(who, "delay" if waits else "end_turn"))
    assert back is delays
    return fight


def test_that_a_concealed_combatant_takes_a_late_turn_is_not_noted_openly() -> None:
    """It delayed, and came back in the next round; nothing but a phase on the way shows."""
    told = [[one for one in open_events(late(delays)) if not isinstance(one, PhaseEntered)] for delays in (True, False)]
    assert told[0] == told[1]


def next_to(side: Id) -> Fight:
    """Return a fight in which a side's concealed bandit has the next turn, while the party is due."""
    foes = [
        {**PEOPLE["verdigris"][1], "name": "Fang"},
        {**PEOPLE["verdigris"][1], "name": "Lurker", "side": side, "concealed": True},
    ]
    people = [*({**PEOPLE["verdigris"][0], "name": name} for name in ("Ada", "Bea")), *foes]
    told = {"system": "verdigris", "name": "n", "combatant": people}
    fight = begin_fight("f", told, who="gm", seed=None, dice=NamedDice(), clock=noon, salts=salt)
    submit_accepted(fight, make_declaration("gm", "begin"))
    submit_accepted(fight, make_declaration("ada", "roll_initiative"))
    rule(fight, "turn", who="lurker")
    return fight


@pytest.mark.parametrize("during", [False, True])
def test_the_side_of_a_concealed_combatant_that_is_given_the_turn_shows_as_it_ends(during: bool) -> None:
    """Not before; then the other side is due."""
    fights = next_to("enemies"), next_to("party")
    for fight in fights:
        submit_accepted(fight, make_declaration("lurker", "begin_turn"))
    check_same_view(*fights)
    for fight, own, other in zip(fights, ("enemies", "party"), ("party", "enemies"), strict=True):
        if during:
            rule(fight, "due", side=own)
        before = len(open_events(fight))
        submit_accepted(fight, make_declaration("lurker", "end_turn"))
        assert fight.state.marks["fight"]["side_due"][""] == (own if during else other)
        assert "lurker" not in fight.state.marks
        assert not of_type(open_events(fight)[before:], TurnEnded)


class Fours(NamedDice):
    """Dice that show fours, but for a lurker.

    Args:
        shown: What the dice of the lurker show.
    """

    def __init__(self, shown: int) -> None:
        self.shown = shown

    def faces(self, roll: Id, dice: Sequence[Dice]) -> Faces:
        """Return the faces of a roll."""
        face = self.shown if "test:lurker" in roll else 4
        return tuple((min(face, one.sides),) * one.count for one in dice)


def with_lurker_tested(shown: int) -> Fight:
    """Return a fight with a test of a concealed combatant during a question about another setback."""
    fight = begin_lurker_fight("wyrd", Fours(shown))
    submit_accepted(fight, make_declaration("ada", "engage", target="fang"))
    while fight.state.question is not None and fight.state.question.of != ("gm",):
        question = fight.state.question
        option, among = question.options[-1], {one.name: one.among for one in question.options[-1].fields}
        fields: dict[str, Any] = {one.name: among[one.name][0] for one in option.fields if not one.optional}
        submit_accepted(fight, Answered(question=question.id, by=question.of[0], choice=option.choice, fields=fields))
    rule(fight, "test", who="lurker", ability="will")
    while fight.state.question is not None:
        seen = project_state(SPECTATOR, fight.state).question
        assert (seen is None) is ("test" in fight.state.question.about)
        submit_accepted(fight, Answered(question=fight.state.question.id, by="gm", choice="nothing"))
    return fight


def test_a_question_about_a_sealed_test_is_sealed_while_another_one_waits() -> None:
    """A setback leads to one, a failure does not."""
    setback, failure = with_lurker_tested(4), with_lurker_tested(3)
    assert len(of_type([one.event for one in setback.history.recorded], Asked)) == 1 + len(
        of_type([one.event for one in failure.history.recorded], Asked)
    )
    check_same_view(setback, failure)
