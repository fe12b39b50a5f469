"""Dice that were taken back belong to their action, for any input that rolled them."""

from __future__ import annotations

import pytest
from msgspec import Raw

from affray.events import (
    Amended,
    Answered,
    Asked,
    Attempted,
    Declared,
    DiceAwaited,
    DiceEntered,
    DiceRenewed,
    Dropped,
    Event,
    Fizzled,
    Passed,
    Resolved,
    Restored,
    RoundBegan,
    Ruled,
    Stacked,
)
from tests.engine.histories import make_roll
from tests.engine.test_lanes_layer import back
from tests.engine.test_takebacks import SWAP, Command, follow_lanes, list_undone

FIRST, SECOND = "1/ilse/attack.1", "2/ilse/attack.1"


def stack_attack(item: str, by: Event | None = None, *, params: bytes = b"{}") -> list[Event]:
    """Return the declaration of an attack, or another input that puts it on the stack; no die falls yet."""
    parameters = Raw(params)
    first = by or Declared(actor="ilse", kind="attack", params=parameters)
    return [first, Stacked(item=item, actor="ilse", kind="attack", params=parameters, manner="standard", at=0, nth=1)]


def falls(face: int, by: Event, item: str = FIRST, *, fresh: str = "") -> list[Event]:
    """Return an input that lets the die of an attack fall and resolves it."""
    return [by, make_roll(f"{fresh}{item}/attack", face, sides=20), Resolved(item=item)]


def list_fallen_again(*commands: Command) -> list[tuple[int, list[int], list[int]]]:
    """Return what is listed with dice that fell now: what it is compared with, the dice there and those now."""
    return [(old, before, after) for _, old, before, after in list_undone(*commands) if after]


ASKED = Asked(question=f"{FIRST}/attempt", of=("gm",), about="attempt", options=())


def answer_as_gm(choice: str) -> Answered:
    return Answered(question=ASKED.question, by="gm", choice=choice)


def pass_first_window(who: str) -> Passed:
    return Passed(window=f"{FIRST}/window", who=who)


WAYS: tuple[Event, ...] = (
    pass_first_window("*"),
    pass_first_window("bram"),
    Answered(question=f"{FIRST}/parry", by="bram", choice="no"),
    Answered(question=f"{FIRST}/block", by="cy", choice="yes"),
    DiceEntered(roll="1/bram/parry.1/parry", faces=(3,)),
    Ruled(kind="go_on", params=Raw(b"{}"), reason="so"),
)
"""The inputs that let the die of an attack fall."""


@pytest.mark.parametrize("first", WAYS)
@pytest.mark.parametrize("then", WAYS)
def test_dice_belong_to_the_attack_whatever_lets_them_fall(first: Event, then: Event) -> None:
    """The attack is taken back at once or in steps, by an undo or by an amendment."""
    end: list[Event] = [Declared(actor="ilse", kind="end", params=Raw(b"{}")), RoundBegan(round=2)]
    amended: list[Event] = [Amended(position=2, to=1, lane=6), *end]
    for ways in ([back(1, 6, 2), end], [back(3, 6), back(1, 3), end], [amended]):
        before = [stack_attack(FIRST), falls(5, first), *ways, stack_attack(SECOND)]
        assert list_fallen_again(*before, falls(16, then, SECOND)) == [(2, [5], [16])]
        assert list_fallen_again(*before, falls(5, then, SECOND)) == []


@pytest.mark.parametrize(
    "between",
    [
        [stack_attack(FIRST), back(1, 9)],
        [stack_attack(FIRST), [pass_first_window("bram"), Fizzled(item=FIRST, code="gone")]],
        [stack_attack(FIRST), [pass_first_window("bram"), Dropped(item=FIRST, why="so")]],
        [stack_attack(FIRST), [pass_first_window("bram"), Fizzled(item=FIRST, code="gone")], back(1, 11, 2)],
        [stack_attack(FIRST, params=b'{"target":"cy"}'), back(1, 9), SWAP],
        [[Attempted(actor="ilse", kind="attack", params=Raw(b"{}")), ASKED], answer_as_gm("again")],
        [[Attempted(actor="ilse", kind="attack", params=Raw(b"{}")), ASKED],
         [answer_as_gm("fails"), stack_attack(FIRST)[1], Fizzled(item=FIRST, code="attempt")]],
    ],
)  # fmt: skip
def test_dice_wait_on_while_the_same_attack_comes_to_none(between: list[Command]) -> None:
    """It is taken back again before they fall, comes to nothing, or is an attempt that the game master turns down."""
    found = list_fallen_again(
        stack_attack(FIRST),
        falls(5, pass_first_window("*")),
        back(1, 6, 2),
        *between,
        stack_attack(FIRST),
        falls(16, WAYS[1]),
    )
    assert found[-1] == (2, [5], [16])


def test_an_attack_that_comes_again_without_its_die_is_listed() -> None:
    """Once it is over; as long as it waits, the die may still fall."""
    before: list[Command] = [stack_attack(FIRST), falls(5, pass_first_window("*")), back(1, 6, 2), stack_attack(FIRST)]
    assert list_undone(*before) == []
    assert list_undone(*before, [pass_first_window("*"), Fizzled(item=FIRST, code="gone")]) == [(8, 2, [5], [])]


def end_turns(*who: str) -> list[Event]:
    return [Declared(actor=one, kind="end", params=Raw(b"{}")) for one in who]


def test_an_attack_that_others_set_off_is_compared_whoever_does() -> None:
    """It was readied: the end of one turn or another lets it begin."""
    bram, cy = end_turns("bram", "cy")
    old = [*stack_attack(FIRST, bram), *falls(5, bram)[1:]]
    assert list_fallen_again(old, back(1, 5), [*stack_attack(SECOND, cy), *falls(16, cy, SECOND)[1:]]) == [
        (2, [5], [16])
    ]


def test_dice_of_a_phase_are_compared_by_their_name() -> None:
    """The turn of another combatant is the last in the second lane, and real dice are entered."""
    name = "2/initiative/initiative:ilse"
    awaited = DiceAwaited(roll=name, by="ilse", purpose="initiative", dice=())
    entered: Command = [DiceEntered(roll=name, faces=(6,)), make_roll(name, 6)]
    bram, cy = end_turns("bram", "cy")
    before: list[Command] = [bram, [cy, make_roll(name, 1)], back(1, 4, 2), cy]
    assert list_fallen_again(*before, [bram, awaited], entered) == [(3, [1], [6])]
    assert list_undone(*before, [bram, make_roll(name, 1)]) == []


def test_the_die_of_an_attack_that_still_counts_is_told_of_what_lets_it_fall() -> None:
    """The pass alone was taken back, and fresh dice were asked for, or real ones entered."""
    fresh: list[Command] = [[back(3, 6, fresh=True), DiceRenewed(generation=1)]]
    then = falls(16, pass_first_window("bram"), fresh="g1:")
    assert list_undone(stack_attack(FIRST), falls(5, pass_first_window("*")), *fresh, then) == [(9, 4, [5], [16])]
    entered = falls(16, DiceEntered(roll=f"{FIRST}/attack", faces=(16,)))
    assert list_undone(
        stack_attack(FIRST), falls(5, pass_first_window("*")), back(3, 6), pass_first_window("*"), entered
    ) == [(9, 4, [5], [16])]


def test_a_question_begins_what_never_stands_on_the_stack() -> None:
    """Its die is told of the declaration that led to the question, not of the answer."""
    asked = Asked(question="1/ilse/mend.1/how", of=("ilse",), about="how", options=())
    answers = [Answered(question=asked.question, by=who, choice="so") for who in ("ilse", "gm")]
    mend = [Declared(actor="ilse", kind="mend", params=Raw(b"{}")), asked]
    old, new = ([one, make_roll("1/ilse/mend.1/mend", face)] for one, face in zip(answers, (1, 6), strict=True))
    assert list_fallen_again(mend, old, back(1, 5, 2), mend, new) == [(2, [1], [6])]


def test_dice_that_count_again_wait_for_nothing() -> None:
    """The first lane is brought again; what comes after it is another attack."""
    lanes: list[Command] = [
        stack_attack(FIRST),
        falls(5, pass_first_window("*")),
        back(1, 6, 2),
        stack_attack(FIRST),
        falls(16, WAYS[1]),
    ]
    brought = [*lanes, Restored(lane=6, left=12)]
    assert list_fallen_again(
        *brought, stack_attack("1/ilse/attack.2"), falls(9, pass_first_window("*"), "1/ilse/attack.2")
    ) == [(2, [5], [16])]


def test_it_says_whether_the_declaration_is_the_same() -> None:
    """The same holds for declarations that an amendment took back."""
    amended: Command = [Amended(position=2, to=1, lane=6), SWAP]
    first, then = stack_attack(FIRST), stack_attack(FIRST, params=b'{"target":"cy"}')
    for second, same in ((first, True), (then, False)):
        lanes = follow_lanes(first, falls(5, pass_first_window("*")), amended, second, falls(16, WAYS[1]))
        assert [one.again for one in lanes.takebacks.list_redeclared() if one.after] == [same]
