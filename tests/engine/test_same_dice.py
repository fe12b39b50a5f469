"""The same declaration meets the same dice in any course; fresh dice are an explicit choice."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from affray.engine import Fight, Redo, Undo, begin_fight
from affray.engine.runtime.dice import NamedDice
from affray.events import Answered, AskingSet, Declared, Dice, DiceRenewed, Rewound, Rolled, Ruled, Stacked
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon, submit_accepted

D20 = (Dice(count=1, sides=20, kind="attack"),)
OTHERS = ("brand", "odo", "nell")


def declare_in_duel(actor: str, kind: str, **params: Any) -> Declared:
    """Return a declaration."""
    return Declared(actor=actor, kind=kind, params=Raw(msgspec.json.encode(params)))


def play_to_round_two(*slots: str) -> Fight:
    """Open a duel that lasts, with a bystander on each side, and play to round 2, which has this order."""
    duel = two()
    fighters = [{**one, "health": 100} for one in duel["combatant"]]
    bystanders = [{**one, "name": name} for one, name in zip(fighters, ("Odo", "Nell"), strict=True)]
    fight = begin_fight("duel", {**duel, "combatant": fighters + bystanders}, who="gm", seed=SEED, clock=noon)
    submit_accepted(fight, declare_in_duel("gm", "begin"))
    submit_accepted(
        fight, Ruled(kind="reorder", params=Raw(msgspec.json.encode({"order": slots})), reason="for the tale")
    )
    while fight.state.round < 2:
        submit_accepted(fight, declare_in_duel(fight.state.acting[0], "end_turn"))
    return fight


def strike_somebody(fight: Fight, who: str = "ilse", foe: str = "brand") -> Rolled:
    """Let an active combatant strike another, and return the roll."""
    recorded = submit_accepted(fight, declare_in_duel(who, "attack", target=foe)).recorded
    (rolled,) = [one.event for one in recorded if isinstance(one.event, Rolled)]
    return rolled


def act_in_turn(fight: Fight, who: str, deed: str) -> None:
    """Let an active combatant act."""
    if deed == "strike" and who == "brand":
        strike_somebody(fight, "brand", "ilse")
    elif deed == "swap":
        spare = next(one for one in fight.table.items_of(who) if one.kind == "weapon" and one.where != "hand")
        submit_accepted(fight, declare_in_duel(who, "swap", weapon=spare.id, pay="action"))
    else:
        submit_accepted(fight, declare_in_duel(who, "shift", metres=1))
        question = fight.state.question
        assert question is not None
        submit_accepted(fight, Answered(question=question.id, by="gm", choice="stated"))


def test_declaring_again_after_an_undo_meets_the_same_dice() -> None:
    """Undo is for bad calls, not for bad luck: taking a blow back and striking again shows the same faces."""
    fight = play_to_round_two("ilse", *OTHERS)
    first = strike_somebody(fight)
    for _ in range(3):
        submit_accepted(fight, Undo())
        assert strike_somebody(fight) == first


def test_declaring_something_else_after_an_undo_changes_no_other_roll() -> None:
    """Brand's blow shows what it showed before Ilse's own was taken back and became a shift."""
    fight = play_to_round_two("ilse", *OTHERS)
    strike_somebody(fight)
    submit_accepted(fight, declare_in_duel("ilse", "end_turn"))
    expected = strike_somebody(fight, "brand", "ilse")
    submit_accepted(fight, Undo(commands=3))
    act_in_turn(fight, "ilse", "shift")
    submit_accepted(fight, declare_in_duel("ilse", "end_turn"))
    assert strike_somebody(fight, "brand", "ilse").dice == expected.dice


@pytest.mark.parametrize("between", ["swap", "shift", "asking", "note", "pool"])
def test_what_she_does_besides_changes_none_of_her_own_dice(between: str) -> None:
    """Her blow is taken back; a swap, a step, a setting or a ruling in between gives it no other dice."""
    fight = play_to_round_two("ilse", *OTHERS)
    first = strike_somebody(fight)
    submit_accepted(fight, Undo())
    if between == "asking":
        submit_accepted(fight, AskingSet(who="ilse", ask="targeted"))
    elif between == "note":
        submit_accepted(fight, Ruled(kind="note", params=Raw(b'{"text":"It rains."}'), reason="it does"))
    elif between == "pool":
        submit_accepted(fight, Ruled(kind="pool", params=Raw(b'{"who":"ilse","pool":"ep","to":3}'), reason="a gift"))
    else:
        act_in_turn(fight, "ilse", between)
    again = strike_somebody(fight)
    assert (again.roll, again.dice) == (first.roll, first.dice)


def test_declarations_of_one_kind_are_told_apart_and_rulings_by_theirs() -> None:
    """Ids are unique in a round, with any commands in between."""
    fight = play_to_round_two("ilse", *OTHERS)
    for _ in range(2):
        strike_somebody(fight)
    assert [one.event.item for one in fight.history.effective() if isinstance(one.event, Stacked)][-2:] == [
        "2/ilse/attack.1",
        "2/ilse/attack.2",
    ]
    assert fight.state.counts["ilse/attack."] == 2


@given(st.lists(st.lists(st.sampled_from(("strike", "swap", "shift")), max_size=2), min_size=3, max_size=3))
def test_what_others_do_in_between_changes_no_die(deeds: list[list[str]]) -> None:
    """Ilse's first blow of the round has the same dice after any actions of others."""
    fight = play_to_round_two(*OTHERS, "ilse")
    for who, theirs in zip(OTHERS, deeds, strict=True):
        for deed in theirs:
            act_in_turn(fight, who, deed)
        submit_accepted(fight, declare_in_duel(who, "end_turn"))
    rolled = strike_somebody(fight)
    assert rolled.roll == "2/ilse/attack.1/attack"
    assert rolled.dice == strike_somebody(play_to_round_two("ilse", *OTHERS)).dice


def test_fresh_dice_have_other_names_and_the_log_says_so() -> None:
    """An undo that asks for them renews the dice; asked again in the same place, they are others again."""
    fight = play_to_round_two("ilse", *OTHERS)
    names = [strike_somebody(fight).roll]
    for _ in range(2):
        rewound, renewed = submit_accepted(fight, Undo(fresh=True, reason="the die fell off the table")).recorded
        assert isinstance(rewound.event, Rewound)
        assert rewound.event.fresh
        assert renewed.event == DiceRenewed(generation=len(names))
        names.append(strike_somebody(fight).roll)
    assert names == ["2/ilse/attack.1/attack", "g1:2/ilse/attack.1/attack", "g2:2/ilse/attack.1/attack"]
    assert len({NamedDice(SEED).faces(name, D20) for name in names}) == 3


def test_fresh_dice_stay_until_they_are_taken_back_themselves() -> None:
    """An ordinary undo keeps the names; going back before the renewal, or redoing, brings the old ones."""
    fight = play_to_round_two("ilse", *OTHERS)
    first, lane = strike_somebody(fight), fight.history.path[-1]
    submit_accepted(fight, Undo(fresh=True))
    fresh = strike_somebody(fight)
    submit_accepted(fight, Undo())
    assert strike_somebody(fight) == fresh
    submit_accepted(fight, Undo(commands=2))
    assert strike_somebody(fight) == first
    submit_accepted(fight, Undo(fresh=True))
    assert strike_somebody(fight).roll == "g2:2/ilse/attack.1/attack"
    submit_accepted(fight, Redo(lane=lane))
    assert fight.state.dice_generation == 0
