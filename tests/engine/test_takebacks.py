"""Takebacks in an audit: every undone command and die, and the declarations in their place."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec import Raw
from msgspec.structs import replace

from affray.engine.integrity.audit import Redeclared, Takeback, UndoneCommand
from affray.engine.integrity.audit.effort import Effort, Exhausted
from affray.engine.integrity.audit.findings import Findings
from affray.engine.integrity.audit.lanes import Lanes
from affray.engine.integrity.audit.prescan import prescan
from affray.engine.integrity.audit.return_points import SavedLayers
from affray.events import (
    ABOUT_THE_RECORD,
    STARTS,
    Amended,
    Answered,
    AskingSet,
    Attempted,
    Declared,
    DiceRenewed,
    Event,
    Recorded,
    Restored,
    RoundBegan,
    Ruled,
)
from tests.engine.histories import A, make_roll
from tests.engine.test_lanes_layer import back, sealed_all

Command = Event | list[Event]


def declare_by_ilse(kind: str, actor: str = "ilse", params: str = "{}") -> Declared:
    return Declared(actor=actor, kind=kind, params=Raw(params.encode()))


def attack(face: int, nth: int = 2, *, params: str = "{}", kind: str = "attack", who: str = "ilse") -> list[Event]:
    """Return an attack with a given face, under the name of its number."""
    return [declare_by_ilse(kind, who, params), make_roll(f"1/{who}/{nth}/attack", face, sides=20)]


MOVE, SWAP = declare_by_ilse("move", params='{"to":"2,1"}'), declare_by_ilse("swap")
ASKING = AskingSet(who="ilse", ask="never")


def follow_lanes(*commands: Command) -> Lanes:
    """Return what an audit knows of the lanes of these commands, behind the opening at position 1."""
    recorded, lines = sealed_all(*commands)
    lanes = Lanes(Findings(), prescan(lines), Effort())
    segment: list[Recorded] = []

    def grow() -> None:
        if segment:
            lanes.grow(segment.copy(), 0, lambda: SavedLayers(None, 1))
            segment.clear()

    for one in recorded:
        if type(one.event) in STARTS:
            grow()
        if type(one.event) in ABOUT_THE_RECORD:
            lanes.turn(one, 0)
        else:
            segment.append(one)
        if not one.more:
            grow()
    return lanes


def list_undone(*commands: Command) -> list[tuple[int, int, list[int], list[int]]]:
    """Return what is listed: where, what it is compared with, the faces there and the faces now."""
    found = follow_lanes(*commands).takebacks.list_redeclared()
    return [(one.position, one.instead_of, _faces(one, "before"), _faces(one, "after")) for one in found]


def _faces(one: Redeclared, which: str) -> list[int]:
    return [face for roll in getattr(one, which) for group in roll.faces for face in group]


def takebacks(*commands: Command) -> list[Takeback]:
    return list(follow_lanes(*commands).takebacks.report())


def test_a_reroll_behind_an_equal_move_is_listed() -> None:
    """The move is the same again, a swap comes in between, and the same attack meets another die."""
    assert list_undone(MOVE, attack(5), back(2, 4), back(1, 2), MOVE, SWAP, attack(16, 3)) == [
        (8, 3, [5], []),
        (9, 3, [5], [16]),
    ]


@pytest.mark.parametrize(
    "between",
    [
        [SWAP],
        [ASKING],
        [ASKING, SWAP, declare_by_ilse("stow")],
        [Ruled(kind="note", params=Raw(b'{"text":"x"}'), reason="so")],
        [declare_by_ilse("wait", "bram"), SWAP],
        [attack(9, 3, kind="skill")],
        [*[ASKING] * 12],
    ],
)
def test_nothing_in_between_hides_a_reroll(between: list[Command]) -> None:
    """Neither commands of others, nor harmless ones, nor other dice."""
    found = list_undone(MOVE, attack(5), back(1, 4, 2), MOVE, *between, attack(16, 7))
    assert found[-1][1:] == (3, [5], [16])


def test_the_same_again_with_the_same_dice_is_not_listed() -> None:
    """However much is taken back, and whether at once or one after the other."""
    assert list_undone(MOVE, attack(5), back(1, 4, 2), MOVE, attack(5)) == []
    assert list_undone(MOVE, attack(5), back(2, 4), back(1, 2), MOVE, attack(5)) == []
    two = [attack(5), attack(9, 3)]
    assert list_undone(*two, back(3, 5), back(1, 3), *two) == []
    assert list_undone(*two, back(1, 5, 2), *two) == []


def test_every_later_declaration_that_differs_is_listed() -> None:
    """Each is compared with its counterpart of the same kind; surplus ones with those still due."""
    other = declare_by_ilse("move", params='{"to":"9,9"}')
    changed = attack(16, params='{"ep":1}')
    assert list_undone(MOVE, attack(5), back(1, 4, 2), other, SWAP, declare_by_ilse("stow"), changed) == [
        (6, 2, [], []),
        (7, 3, [5], []),
        (8, 3, [5], []),
        (9, 3, [5], [16]),
    ]


def test_another_kind_of_attack_is_listed_though_a_swap_came_before_it() -> None:
    assert list_undone(attack(5), back(1, 3), SWAP, attack(16, 3, kind="lunge"))[-1] == (6, 2, [5], [16])


def test_behind_the_round_only_the_same_or_the_like_is_listed() -> None:
    """Once, however long it takes."""
    rounds: list[Command] = [[declare_by_ilse("end"), RoundBegan(round=2)], MOVE, SWAP]
    found = list_undone(attack(5), back(1, 3), *rounds, attack(16), attack(3, 3))
    assert found == [(5, 2, [5], []), (9, 2, [5], [16])]


def test_the_same_that_waits_for_real_dice_is_listed_however_late() -> None:
    """Its die is entered rounds after the one that was taken back had fallen."""
    rounds: list[Command] = [[declare_by_ilse("end"), RoundBegan(round=2)], MOVE]
    assert list_undone(attack(5), back(1, 3), *rounds, declare_by_ilse("attack"))[-1] == (8, 2, [5], [])
    assert list_undone(attack(5), back(1, 3), *rounds, attack(5)) == list_undone(attack(5), back(1, 3), *rounds)


def test_declarations_of_other_combatants_are_listed_once() -> None:
    """The first of them departs from the old lane; the others have nothing to do with it."""
    others: list[Command] = [declare_by_ilse("move", who) for who in ("bram", "cy", "dora")]
    assert list_undone(attack(5), back(1, 3), *others) == [(5, 2, [5], [])]


def test_a_reroll_of_a_reroll_is_listed_too() -> None:
    found = list_undone(attack(5), back(1, 3), SWAP, attack(16, 3), back(1, 7, 2), ASKING, MOVE, attack(18, 4))
    assert found[-1] == (11, 6, [16], [18])


def test_a_lane_that_is_brought_again_waits_for_nothing() -> None:
    """The redo takes back the lane that replaced it."""
    assert list_undone(attack(5), back(1, 3), Restored(lane=3, left=1), attack(12, 3)) == []
    chosen: list[Command] = [attack(5), back(1, 3), SWAP, attack(16, 3), Restored(lane=3, left=7)]
    assert list_undone(*chosen) == [(5, 2, [5], []), (6, 2, [5], [16])]
    one = takebacks(*chosen)[1]
    assert (one.position, one.dice) == (8, 1)
    assert [(each.position, each.instead) for each in one.commands] == [(5, 0), (6, 2)]


def test_amendments_do_not_blind_it() -> None:
    """Inputs that an amendment decides again with other dice are listed; unchanged ones are not."""
    amends: list[Event] = [Amended(position=2, to=1, lane=4), MOVE]
    assert list_undone(MOVE, attack(5), [*amends, *attack(5)]) == []
    assert list_undone(MOVE, attack(5), [*amends, *attack(9)]) == [(7, 3, [5], [9])]
    assert list_undone(attack(5), back(1, 3), MOVE, [Amended(position=5, to=1, lane=5), SWAP], attack(16, 3))[-1] == (
        8, 2, [5], [16],
    )  # fmt: skip


LUNGE = attack(17, kind="lunge")
NOTE = Ruled(kind="note", params=Raw(b'{"text":"x"}'), reason="so")
AGAIN = back(1, 4, 2)
"""An undo of an attack and a note."""


def make_retraction(*instead: Event, to: int = 1, lane: int = 4) -> list[Event]:
    """Return an amendment that puts other inputs in the place of the first one behind a position."""
    return [Amended(position=to + 1, to=to, lane=lane, retracted=not instead), *instead, NOTE]


@pytest.mark.parametrize(
    ("ways", "at"),
    [
        ([AGAIN, LUNGE], 6),
        ([AGAIN, NOTE, LUNGE], 7),
        ([make_retraction(), LUNGE], 7),
        ([make_retraction(*LUNGE)], 6),
        ([make_retraction(declare_by_ilse("end"), *LUNGE)], 7),
        ([make_retraction(MOVE), back(5, 7), LUNGE], 9),
        ([[Amended(position=2, to=1, lane=4, dropped=(4,)), *LUNGE]], 6),
    ],
)
def test_another_action_with_another_die_is_listed_whatever_took_the_first_one_back(
    ways: list[Command], at: int
) -> None:
    """By an undo or an amendment, at once or later, alone or behind another declaration."""
    commands: list[Command] = [attack(16), NOTE, *ways]
    assert (at, 2, [16], [17]) in list_undone(*commands)
    one = takebacks(*commands)[0].commands[0]
    assert (one.position, list_undone_faces(one), one.instead > 0) == (2, [16], True)


def list_undone_faces(one: UndoneCommand) -> list[int]:
    return [face for roll in one.rolls for group in roll.faces for face in group]


def test_another_action_after_a_redo_is_listed() -> None:
    """The attack is taken back by bringing again a lane without it."""
    assert list_undone(NOTE, back(1, 2), attack(16), Restored(lane=2, left=5), LUNGE)[-1] == (7, 4, [16], [17])


def test_what_an_amendment_takes_back_is_listed_though_nothing_stands_in_its_place() -> None:
    """Retracted, or dropped because the rules refuse it now; also in a later round."""
    new_round: list[Event] = [declare_by_ilse("end", "bram"), RoundBegan(round=2)]
    for amended in (make_retraction(), [Amended(position=2, to=1, lane=4, dropped=(2,)), NOTE]):
        (one,) = takebacks(attack(16), NOTE, amended, new_round)
        assert [(each.position, list_undone_faces(each)) for each in one.commands] == [(2, [16])]
        assert (one.dice, one.amends, one.kept) == (1, 2, 1)


def test_what_an_amendment_decides_again_as_it_was_is_counted_alone() -> None:
    """An answer that was never asked for before stands for none of the inputs behind it."""
    asked = Answered(question="1/ilse/move.1/how", by="ilse", choice="so")
    amends: list[Event] = [Amended(position=2, to=1, lane=5), MOVE, asked, SWAP, *attack(5)]
    (one,) = takebacks(ASKING, SWAP, attack(5), amends)
    assert ([each.position for each in one.commands], one.kept) == ([2], 2)
    assert [(at, of) for at, of, *_ in list_undone(ASKING, SWAP, attack(5), amends)] == [(7, 2), (8, 2)]


def test_an_attempt_is_compared_as_the_declaration_that_it_is() -> None:
    """A concealed combatant may turn the one into the other, so an attempt is no way to roll again unseen."""
    attempt = Attempted(actor="ilse", kind="attack", params=Raw(b"{}"))
    assert list_undone(attack(5), back(1, 3), attempt, attack(16, 3)) == [(5, 2, [5], []), (6, 2, [5], [16])]
    assert list_undone(attempt, back(1, 2), attack(16, 3)) == []


def test_every_command_and_every_die_is_listed_with_what_took_its_place() -> None:
    first, second = takebacks(MOVE, attack(5), back(2, 4), back(1, 2), MOVE, SWAP, attack(16, 3))
    assert (first.position, first.who, first.time, first.dice) == (5, "gm", "t", 1)
    (one,) = first.commands
    assert (one.position, one.event, one.instead) == (3, attack(5)[0], 9)
    assert [(roll.roll, roll.faces) for roll in one.rolls] == [("1/ilse/2/attack", ((5,),))]
    assert [(one.position, one.instead, one.rolls) for one in second.commands] == [(2, 7, ())]


def test_what_is_not_declared_again_says_so() -> None:
    (one,) = takebacks(attack(5), [back(1, 3, fresh=True), DiceRenewed(generation=1)])
    assert [each.instead for each in one.commands] == [0]


def test_to_and_fro_without_end_costs_no_more_than_a_multiple_of_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first takeback is paid for by its own lines; repetition is not."""
    lane = 50

    def forth(times: int) -> Iterable[Command]:
        for _ in range(times):
            yield back(1, 2 * lane + 1, lane)
            yield Restored(lane=2 * lane + 1, left=1)

    stretch: list[Command] = [list(A)] * lane
    monkeypatch.setattr("affray.engine.integrity.audit.effort.FREE", 10 * lane)
    assert len(takebacks(*stretch, *forth(3))) == 3
    with pytest.raises(Exhausted):
        follow_lanes(*stretch, *forth(20))


def test_an_actor_who_never_declares_again_costs_nothing() -> None:
    """However much waits, each declaration is compared with one of it."""
    many: list[Command] = [declare_by_ilse("move", f"bandit-{nth}") for nth in range(2_000)]
    more = [replace(one, kind="shift") for one in many if isinstance(one, Declared)]
    assert len(list_undone(*many, back(1, 2_001, 2_000), *more)) == 2_000
