"""Any repeated command is harmless; another command under its id is refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import Raw

from affray.engine import Amend, Close, Command, Fight, Redo, Reused, Stir, Undo, begin_fight
from affray.engine.commands import Intent
from affray.events import AskingSet, Declared, Ruled
from tests.engine.conftest import two
from tests.engine.fights import SEED, noon, submit_accepted


def make_reasoned_note(text: str, reason: str = "so") -> Ruled:
    return Ruled(kind="note", params=Raw(msgspec.json.encode({"text": text})), reason=reason)


def declare_for_gm(kind: str, **params: Any) -> Declared:
    return Declared(actor="gm", kind=kind, params=Raw(msgspec.json.encode(params)))


WAITS = AskingSet(who="ilse", ask="never")

CASES: list[tuple[tuple[Intent, ...], Intent, tuple[Intent, ...], tuple[Intent, ...]]] = [
    (
        (),
        make_reasoned_note("a"),
        (Ruled(kind="note", params=Raw(b'{ "text" : "a" }'), reason="so"),),
        (make_reasoned_note("b"), make_reasoned_note("a", "as")),
    ),
    ((), declare_for_gm("begin"), (), (declare_for_gm("start"), make_reasoned_note("a"))),
    ((), WAITS, (), (AskingSet(who="ilse", ask="always"), AskingSet(who="brand", ask="never"))),
    ((), Stir(words="salt"), (), (Stir(words="pepper"), make_reasoned_note("salt"))),
    (
        (),
        Close(unfinished=True, reason="late"),
        (Close(reason="late"),),
        (Close(unfinished=True), make_reasoned_note("late")),
    ),
    (
        (make_reasoned_note("a"), make_reasoned_note("b"), WAITS),
        Undo(commands=2, reason="oops"),
        (),
        (
            Undo(commands=1, reason="oops"),
            Undo(commands=3, reason="oops"),
            Undo(commands=2, reason="oh"),
            Undo(commands=2, fresh=True, reason="oops"),
            Redo(reason="oops"),
            make_reasoned_note("oops"),
        ),
    ),
    (
        (make_reasoned_note("a"), Undo()),
        Redo(reason="yes"),
        (Redo(lane=8, reason="yes"),),
        (Redo(), Redo(lane=7, reason="yes"), Undo()),
    ),
]


def begin_duel_with(*before: Intent) -> Fight:
    fight = begin_fight("duel", {**two(), "distance": []}, who="gm", seed=SEED, clock=noon)
    for intent in before:
        submit_accepted(fight, intent)
    return fight


def send_under_one_id(fight: Fight, intent: Intent, who: str = "gm") -> bool:
    """Send a command under one id; tell whether it was a repetition."""
    return fight.submit(Command(id="once", who=who, intent=intent)).repeated


@pytest.mark.parametrize(("before", "first", "same", "others"), CASES, ids=lambda one: type(one).__name__)
def test_the_same_again_is_harmless_and_anything_else_is_refused(
    before: tuple[Intent, ...], first: Intent, same: tuple[Intent, ...], others: tuple[Intent, ...]
) -> None:
    fight = begin_duel_with(*before)
    if isinstance(first, Redo):
        tip = next(one.event.lane for one in reversed(fight.history.recorded) if hasattr(one.event, "lane"))
        same = tuple(Redo(lane=tip, reason=one.reason) for one in same if isinstance(one, Redo))
    assert not send_under_one_id(fight, first)
    head, position = fight.head, fight.history.commands["once"]
    for intent in (first, *same):
        assert send_under_one_id(fight, intent)
    for intent in others:
        with pytest.raises(Reused) as found:
            send_under_one_id(fight, intent)
        assert (found.value.id, found.value.position) == ("once", position)
    with pytest.raises(Reused):
        send_under_one_id(fight, first, who="anna")
    assert fight.head == head
    again = fight.submit(Command(id="once", who="gm", intent=first, expected=3))
    assert again.recorded == tuple(fight.history.recorded[position - 1 :])


def test_going_back_to_a_position_is_another_command_than_so_many() -> None:
    fight = begin_duel_with(make_reasoned_note("a"), make_reasoned_note("b"), make_reasoned_note("c"))
    first = fight.history.recorded[-5].position
    assert not send_under_one_id(fight, Undo(to=first, reason="oops"))
    assert send_under_one_id(fight, Undo(to=first, reason="oops"))
    assert send_under_one_id(fight, Undo(commands=2, reason="oops"))
    for intent in (Undo(to=first + 1, reason="oops"), Undo(to=first), Undo(reason="oops")):
        with pytest.raises(Reused):
            send_under_one_id(fight, intent)


def test_an_amendment_is_the_same_by_what_it_puts_in_place() -> None:
    fight = begin_duel_with(make_reasoned_note("a"), make_reasoned_note("b"), WAITS)
    ruled = next(one.position for one in fight.history.recorded if one.event == make_reasoned_note("a"))
    first = Amend(position=ruled, instead=(make_reasoned_note("x"), make_reasoned_note("y")), reason="misheard")
    assert not send_under_one_id(fight, first)
    for same in (first, msgspec.structs.replace(first, position=ruled + 1)):
        assert send_under_one_id(fight, same)
    assert send_under_one_id(fight, msgspec.structs.replace(first, instead=(make_reasoned_note("x"),)))
    assert send_under_one_id(fight, msgspec.structs.replace(first, answers=(make_reasoned_note("b"),)))
    for other in (
        msgspec.structs.replace(first, position=ruled - 1),
        msgspec.structs.replace(first, reason="oh"),
        msgspec.structs.replace(first, instead=()),
        msgspec.structs.replace(first, instead=(make_reasoned_note("y"), make_reasoned_note("x"))),
        msgspec.structs.replace(first, answers=(make_reasoned_note("z"),)),
        make_reasoned_note("x"),
    ):
        with pytest.raises(Reused):
            send_under_one_id(fight, other)


def test_a_retraction_is_no_amendment_that_puts_something_in_place() -> None:
    fight = begin_duel_with(make_reasoned_note("a"), make_reasoned_note("b"))
    ruled = next(one.position for one in fight.history.recorded if one.event == make_reasoned_note("a"))
    assert not send_under_one_id(fight, Amend(position=ruled))
    assert send_under_one_id(fight, Amend(position=ruled))
    with pytest.raises(Reused):
        send_under_one_id(fight, Amend(position=ruled, instead=(make_reasoned_note("b"),)))
