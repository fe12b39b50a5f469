"""A command that is not carried out has not happened."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from msgspec import Raw

from affray.engine import Command, EngineError, Fight, OutOfDate, Refused, Reused, StoreFailed, Unusable, begin_fight
from affray.engine.commands import Amend
from affray.events import Declared, Event, Previewed, Ruled
from tests.engine.conftest import two
from tests.engine.fights import (
    NAME,
    SEED,
    Plan,
    ask_fight,
    begin_plan,
    commands,
    encode_answer,
    fights,
    noon,
    submit_accepted,
    view_all_sides,
)
from tests.engine.memory import MemoryStore
from tests.examples import a_share

BEGIN = Declared(actor="gm", kind="begin", params=Raw(b"{}"))
NOTE = Ruled(kind="note", params=Raw(b'{"text":"rain"}'), reason="weather")


class FullDisk(MemoryStore):
    """A store with room for the opening of a fight only, until a test frees space."""

    full = True

    def append(self, fight: str, lines: Sequence[bytes], after: int, hash: str = "") -> None:
        if self.full:
            raise StoreFailed("no space left on device; nothing was written")
        super().append(fight, lines, after, hash)


@a_share(2)
@given(fights())
def test_a_refused_command_leaves_no_trace(plan: Plan) -> None:
    """State, draft, legal actions and log are byte for byte what they were, but for a look at dice that were drawn."""
    store = MemoryStore()
    fight = begin_plan(plan, store)
    for command in commands(fight, plan):
        before, written = view_all_sides(fight), store.read(NAME)
        answer = ask_fight(fight, command).answer
        if isinstance(answer, EngineError):
            assert view_all_sides(fight) == before
            kept = store.read(NAME)
            assert kept[: len(written)] == written
            more = [one.event for one in fight.history.recorded[len(written) :]]
            assert not more or isinstance(command.intent, Amend)
            assert [type(one) for one in more] in ([], [Previewed])


@a_share(2)
@given(fights(most=30))
def test_what_cannot_be_written_has_not_happened(plan: Plan) -> None:
    """A full disk leaves the fight as it was; once there is room again, the same command is carried out."""
    disk, ample = FullDisk(), MemoryStore()
    fight, other = begin_plan(plan, disk), begin_plan(plan, ample)
    for command in commands(fight, plan):
        disk.full = True
        before = view_all_sides(fight)
        try:
            fight.submit(command)
        except EngineError:
            assert view_all_sides(fight) == before
        disk.full = False
        assert encode_answer(ask_fight(fight, command).answer) == encode_answer(ask_fight(other, command).answer)
    assert disk.streams == ample.streams


def test_the_same_id_is_carried_out_once_and_answered_twice() -> None:
    """A double click is harmless: the second answer shows the first events."""
    store = MemoryStore()
    fight = begin_fight(NAME, two(), who="gm", seed=SEED, store=store, clock=noon)
    command = Command(id="click", who="Anna", intent=BEGIN)
    first = fight.submit(command)
    submit_accepted(fight, NOTE)
    written = store.read(NAME)
    second = fight.submit(command)
    assert (first.repeated, second.repeated) == (False, True)
    assert second.recorded == first.recorded
    assert store.read(NAME) == written


def test_a_repeat_is_answered_although_the_head_has_moved_on(duel: Fight) -> None:
    """The id is looked at before the expected version, for the sender may not know that it was carried out."""
    command = Command(id="click", who="Anna", intent=BEGIN, expected=duel.head)
    first = duel.submit(command)
    assert duel.submit(command).recorded == first.recorded


@pytest.mark.parametrize(
    "other",
    [
        Command(id="click", who="Anna", intent=NOTE),
        Command(id="click", who="Bo", intent=BEGIN),
        Command(id="click", who="Anna", intent=Declared(actor="gm", kind="begin", params=Raw(b'{"surprising":"a"}'))),
        Command(id="opening", who="Anna", intent=NOTE),
    ],
    ids=["another kind", "another sender", "other parameters", "the opening's"],
)
def test_the_same_id_with_other_content_is_refused(duel: Fight, other: Command) -> None:
    """An id stands for one command for ever, and the refusal says where it is recorded."""
    duel.submit(Command(id="click", who="Anna", intent=BEGIN))
    before = view_all_sides(duel)
    with pytest.raises(Reused) as refusal:
        duel.submit(other)
    assert refusal.value.id == other.id
    assert duel.history.at(refusal.value.position).cause == other.id
    assert view_all_sides(duel) == before


def test_refusals_are_not_remembered(duel: Fight) -> None:
    """The id of a refused command is free, for the same command or another one."""
    early = Command(id="keen", who="Anna", intent=Declared(actor="ilse", kind="end_turn", params=Raw(b"{}")))
    with pytest.raises(Refused, match="initiative_pending"):
        duel.submit(early)
    assert duel.submit(Command(id="keen", who="gm", intent=BEGIN)).repeated is False


@pytest.mark.parametrize("off", [-1, 1, 100])
def test_whoever_believes_in_another_head_is_told_the_present_one(duel: Fight, off: int) -> None:
    """Out of date is neither malformed nor forbidden: position and hash of the head come with it."""
    before = view_all_sides(duel)
    with pytest.raises(OutOfDate) as refusal:
        duel.submit(Command(id="late", who="Anna", intent=BEGIN, expected=duel.head + off))
    assert (refusal.value.expected, refusal.value.head) == (duel.head + off, duel.head)
    assert refusal.value.hash == duel.history.head_hash
    assert view_all_sides(duel) == before
    duel.submit(Command(id="late", who="Anna", intent=BEGIN, expected=duel.head))


@pytest.mark.parametrize(("id", "who"), [("", "gm"), ("x", ""), ("x" * 201, "gm"), ("x", "two\nlines")])
def test_a_command_needs_a_printable_id_and_sender(duel: Fight, id: str, who: str) -> None:
    """Empty, endless or unprintable words never reach the log."""
    with pytest.raises(
        Unusable, match=r"must have 1 to 200 printable characters|must be one line of visible characters"
    ):
        duel.submit(Command(id=id, who=who, intent=BEGIN))


@pytest.mark.parametrize(
    "intent",
    [
        Ruled(kind="note", params=Raw(b'{\n  "text": "rain"\n}'), reason="weather"),
        Declared(actor="gm", kind="begin", params=Raw(b"{\n}")),
        Amend(
            position=2, instead=(NOTE, Ruled(kind="note", params=Raw(b"{\n}"), reason="weather")), reason="once more"
        ),
    ],
)
def test_parameters_that_would_break_a_line_of_the_log_are_refused(duel: Fight, intent: Event | Amend) -> None:
    """They are written down byte for byte as they come, and one event is one line."""
    with pytest.raises(Unusable, match="params: must be JSON on one line"):
        submit_accepted(duel, intent)
