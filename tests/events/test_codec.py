"""Written events are read back: every event type, every field."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.events import (
    EVENTS,
    GENESIS,
    INPUTS,
    Event,
    Malformed,
    Noted,
    Recorded,
    decode_line,
    read_line,
    seal,
    verify,
)
from affray.events.record import FightOpened
from tests.events.strategies import events, of_event
from tests.examples import a_share

WORDS = st.text(max_size=20)


def wrap_facts(*facts: Event, time: str = "t", who: str = "gm", cause: str = "c") -> tuple[list[Recorded], list[bytes]]:
    """Put facts into the envelopes of one command, the first of its stream."""
    return seal(list(facts), after=0, previous=GENESIS, time=time, who=who, cause=cause)


@pytest.mark.parametrize("type_", EVENTS, ids=lambda type_: type_.__name__)
@a_share(2)
@given(data=st.data())
def test_every_type_of_event_round_trips(type_: type[Event], data: st.DataObject) -> None:
    """A line decodes to the event it was made of, and encodes to the same line again."""
    event = data.draw(of_event(type_))
    (recorded,), (line,) = wrap_facts(event)
    assert type(decode_line(line).event) is type_
    assert decode_line(line) == recorded
    assert wrap_facts(decode_line(line).event)[1] == [line]


@given(st.lists(events, min_size=1, max_size=5), WORDS, WORDS, WORDS)
def test_envelopes_say_who_when_and_why(facts: list[Event], time: str, who: str, cause: str) -> None:
    """All events of a command share its envelope; each counts how many follow, and positions have no gaps."""
    recorded, lines = wrap_facts(*facts, time=time, who=who, cause=cause)
    assert [decode_line(line) for line in lines] == recorded
    assert [one.event for one in recorded] == facts
    assert [one.position for one in recorded] == list(range(1, len(facts) + 1))
    assert [one.more for one in recorded] == list(range(len(facts) - 1, -1, -1))
    assert {(one.time, one.who, one.cause) for one in recorded} == {(time, who, cause)}
    assert not any(b"\n" in line for line in lines)


@given(events)
def test_the_envelope_alone_can_be_read_whatever_the_payload_is(event: Event) -> None:
    """Its bytes come out as they were written, so that the chain can be checked in any format."""
    (recorded,), (line,) = wrap_facts(event)
    envelope = read_line(line)
    assert bytes(envelope.event) in line
    assert (envelope.position, envelope.hash) == (recorded.position, recorded.hash)
    assert verify(envelope, after=0, previous=GENESIS) == recorded.hash


def test_every_input_is_an_event() -> None:
    """Each input type is an event type, and no type is listed twice."""
    assert set(INPUTS) <= set(EVENTS)
    assert len(set(EVENTS)) == len(EVENTS)
    assert EVENTS[0] is FightOpened


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"", "Input data was truncated"),
        (b"{", "Input data was truncated"),
        (b"[]", "Expected `object`"),
        (b"nonsense", "invalid character"),
        (b'{"time":"\xff"}', "can't decode byte 0xff"),
        (b'{"event":{"type":"Declared","params":' + b"[" * 100_000, "recursion"),
        (b'{"position":"one"}', r"Expected `int`, got `str` - at `\$.position`"),
        (b'{"position":1,"time":"t","who":"w","cause":"c","hash":"h"}', "missing required field `event`"),
        (
            b'{"position":1,"time":"t","who":"w","cause":"c","hash":"h","event":{"type":"Sang"}}',
            r"Invalid value 'Sang'",
        ),
        (
            b'{"position":1,"time":"t","who":"w","cause":"c","hash":"h","event":{"type":"Noted","text":4}}',
            r"event.text",
        ),
    ],
)
def test_a_line_that_is_no_event_is_malformed(line: bytes, fault: str) -> None:
    """The message names the line, and the field where there is one."""
    with pytest.raises(Malformed, match=f"line 12: .*{fault}") as found:
        decode_line(line, 12)
    assert found.value.line == 12


def test_what_a_later_version_adds_to_a_line_is_passed_over() -> None:
    """Unknown fields do not stop a reader of today."""
    _, (line,) = wrap_facts(Noted(text="rain"))
    assert decode_line(line.replace(b'"text"', b'"colour":"grey","text"')) == decode_line(line)
