"""Which dice statistics count: every die that fell, once."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from affray.engine import Redo, Undo
from affray.engine.analysis.stats import collect_dice
from affray.engine.history.timeline import History
from affray.events import (
    DISCARDED,
    KEPT,
    SET_ASIDE,
    Amended,
    DiceEntered,
    DiceRenewed,
    Faces,
    FightOpened,
    Forked,
    Restored,
    Rewound,
    Rolled,
)
from tests.engine.fights import Plan, fights, play_plan, submit_accepted
from tests.engine.histories import OPENED, history, make_roll


def faces_of(*histories: History) -> list[int]:
    return [die.face for die in collect_dice(histories).dice]


def test_dice_met_again_after_an_undo_count_once() -> None:
    """The same name under the same seed is the same die; a larger pool has some more."""
    fight = history(
        make_roll("1/ilse/1/attack", 4, 2),
        Rewound(to=1, lane=2, commands=1),
        make_roll("1/ilse/1/attack", 4, 2, 5),
    )
    found = collect_dice([fight])
    assert [(die.face, die.undone) for die in found.dice] == [(4, False), (2, False), (5, False)]
    assert found.again == 2


def test_what_was_taken_back_fell_all_the_same() -> None:
    fight = history(
        make_roll("1/ilse/1/attack", 4),
        Rewound(to=1, lane=2, commands=1, fresh=True),
        DiceRenewed(generation=1),
        make_roll("g1:1/ilse/1/attack", 4),
    )
    assert [(die.face, die.undone) for die in collect_dice([fight]).dice] == [(4, True), (4, False)]
    restored = history(make_roll("1/ilse/1/attack", 4), Rewound(to=1, lane=2, commands=1), Restored(lane=2, left=1))
    assert [die.undone for die in collect_dice([restored]).dice] == [False]


def test_dice_set_aside_lie_there_already_and_discarded_ones_were_thrown() -> None:
    lying = Faces(sides=6, faces=(6, 6), kind="attack", fates=(SET_ASIDE, SET_ASIDE))
    best = Faces(sides=8, faces=(3, 7), kind="skill", fates=(DISCARDED, KEPT))
    roll = Rolled(roll="1/ilse/1/push", by="ilse", purpose="push", dice=(lying, best), total=19)
    assert faces_of(history(roll)) == [3, 7]


def test_real_dice_entered_again_count_again_only_with_other_faces() -> None:
    entered = make_roll("1/ilse/1/attack", 4, source="entered")
    again = make_roll("1/ilse/1/attack", 6, source="entered")
    back = Rewound(to=1, lane=2, commands=1)
    assert faces_of(history(entered, back, entered)) == [4]
    assert faces_of(history(entered, back, again)) == [4, 6]


def test_a_face_that_an_amendment_corrected_never_fell() -> None:
    wrong = (DiceEntered(roll="r", faces=(4,)), make_roll("r", 4, source="entered"))
    right = (DiceEntered(roll="r", faces=(14,)), make_roll("r", 14, source="entered"))
    fight = history(wrong, (Amended(position=2, to=1, lane=3, reason="misread"), *right))
    found = collect_dice([fight])
    assert ([die.face for die in found.dice], found.corrected) == ([14], 1)
    taken_back = history(wrong, (Amended(position=2, to=1, lane=3), *right), Restored(lane=3, left=6))
    assert faces_of(taken_back) == [4, 14]


def test_a_fight_and_its_fork_share_the_dice_of_their_common_part() -> None:
    first = make_roll("1/ilse/1/attack", 4)
    parent = history(first, make_roll("1/ilse/2/attack", 5))
    fork = history(
        first,
        Forked(fight="what if", parent="by hand", position=2, commitment="another seed"),
        make_roll("1/ilse/2/attack", 1),
    )
    assert faces_of(parent, fork) == [4, 5, 1]
    assert faces_of(parent, parent) == [4, 5]


def test_the_same_names_under_other_seeds_are_other_dice() -> None:
    other = FightOpened(
        format=2, fight="another", system="vestige", version="1", digest="", config={}, commitment="other seed"
    )
    assert OPENED.commitment != other.commitment
    roll = make_roll("1/ilse/1/attack", 4)
    assert faces_of(history(roll), history(roll, opened=other)) == [4, 4]


@given(fights(), st.integers(1, 8))
def test_undo_and_redo_change_no_die(plan: Plan, many: int) -> None:
    """Every face of the record is a die or one met again, and taking back takes no die away."""
    fight = play_plan(plan)
    before = collect_dice([fight.history])
    assume(not before.corrected)  # taking back an amendment brings the face again that it corrected
    shown = sum(
        len(group.faces)
        for one in fight.history.recorded
        if isinstance(one.event, Rolled)
        for group in one.event.dice
        if group.thrown
    )
    assert len(before.dice) + before.again == shown
    back = min(many, len({one.cause for one in fight.history.effective()}) - 1)
    if back:
        submit_accepted(fight, Undo(commands=back))
        assert [die.face for die in collect_dice([fight.history]).dice] == [die.face for die in before.dice]
        submit_accepted(fight, Redo())
        assert collect_dice([fight.history]) == before
