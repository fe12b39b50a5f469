"""Old logs can always be read, by one small function for each change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
import pytest

from affray.engine.history.log import read_log, verify_chain
from affray.events import (
    FORMAT,
    GENESIS,
    UPCASTERS,
    AskingSet,
    ChainBroken,
    FormatRaised,
    Malformed,
    PoolChanged,
    UnknownFormat,
    Upcaster,
    choose_decoder,
    decode_line,
    format_of,
    hash_new,
    read_line,
    seal,
    verify,
)

NOW = 3
"""The format of a version to come, for which two changes were made on the way."""


def upcast_lost_points(old: dict[str, Any]) -> dict[str, Any]:
    """Turn the loss of hit points of format 1 into a counter's change: the type has another name, and fields too."""
    left = old["hp_before"] - old["loss"]
    return {"type": "PoolChanged", "who": old["who"], "pool": "hp", "before": old["hp_before"], "after": left}


def spelt_out(old: dict[str, Any]) -> dict[str, Any]:
    """Turn the short names of format 2 into whole ones."""
    return {**old, "pool": {"hp": "health"}.get(old["pool"], old["pool"])}


TABLE: Mapping[int, Mapping[str, Upcaster]] = {1: {"HpLost": upcast_lost_points}, 2: {"PoolChanged": spelt_out}}


def make_first_line(payload: dict[str, Any], format: int = 1) -> bytes:
    """Return the first line of a stream, with a chain over the payload as it was written then."""
    written = msgspec.json.encode(payload)
    hash = hash_new(GENESIS, 1, "t", "gm", "c", 0, written, format=format)
    return b'{"position":1,"time":"t","who":"gm","cause":"c","hash":"%b","event":%b}' % (hash.encode(), written)


OLD = {"type": "HpLost", "who": "ilse", "hp_before": 9, "loss": 4}
NEXT = {"type": "PoolChanged", "who": "ilse", "pool": "hp", "before": 9, "after": 5}
MEANT = PoolChanged(who="ilse", pool="health", before=9, after=5)


@pytest.mark.parametrize(("format", "payload"), [(1, OLD), (2, NEXT)])
def test_old_events_are_read_as_what_they_mean_today(format: int, payload: dict[str, Any]) -> None:
    """Through every change since they were written, one after another; the envelope stays as it is."""
    old = make_first_line(payload)
    recorded = choose_decoder(format, TABLE, NOW)(old, 1)
    assert recorded.event == MEANT
    assert (recorded.position, recorded.hash) == (1, read_line(old).hash)


def test_events_that_never_changed_need_no_upcaster() -> None:
    """They are read as ever."""
    note = make_first_line({"type": "Noted", "text": "rain"})
    assert choose_decoder(1, TABLE, NOW)(note, 1) == decode_line(note)


def test_the_chain_is_checked_over_what_was_written() -> None:
    """Upcasting touches no line: an old log is verified as it stands, and an altered one is found out."""
    old = make_first_line(OLD)
    assert verify(read_line(old), after=0, previous=GENESIS, format=1) == read_line(old).hash
    with pytest.raises(ChainBroken):
        verify(read_line(old.replace(b'"loss":4', b'"loss":3')), after=0, previous=GENESIS, format=1)


def test_the_present_format_is_read_without_a_detour() -> None:
    """The reader of today's logs is the plain decoder."""
    assert choose_decoder(FORMAT) is decode_line


@pytest.mark.parametrize("format", [0, -1, NOW + 1, 999])
def test_a_format_nobody_knows_is_refused(format: int) -> None:
    """A later version's log is not guessed at, and no version wrote one below 1."""
    kind = UnknownFormat if format > NOW else Malformed
    with pytest.raises(kind, match=f"format {format} is not known here; .* reads formats 1 to {NOW}"):
        choose_decoder(format, TABLE, NOW)


@pytest.mark.parametrize(
    "payload", [{"type": "Sang"}, {"type": "PoolChanged", "who": "ilse", "pool": "hp"}, {"text": "no type"}, [], 7]
)
def test_an_old_line_that_is_no_event_is_malformed(payload: Any) -> None:
    """Damage in an old log is told like damage in a new one."""
    with pytest.raises(Malformed, match="line 5: "):
        choose_decoder(1, TABLE, NOW)(make_first_line(payload), 5)


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "Noted", "text": "x"},
        {"type": "FightOpened"},
        {"type": "FightOpened", "format": "new"},
        {"format": 1},
        [],
        "FightOpened",
    ],
    ids=str,
)
def test_a_log_that_does_not_begin_with_its_opening_is_malformed(payload: Any) -> None:
    """Only the opening says how all the rest is to be read."""
    with pytest.raises(Malformed, match="line 1: "):
        format_of(make_first_line(payload))


def test_the_opening_says_the_format() -> None:
    """Even if nothing else of it can be read any more."""
    assert format_of(make_first_line({"type": "FightOpened", "format": 17, "ballad": True})) == 17


def test_every_format_left_behind_has_its_upcasters() -> None:
    """From the first one to the one before the present."""
    assert sorted(UPCASTERS) == list(range(1, FORMAT))


@pytest.mark.parametrize(("unless", "ask"), [("targeted", "targeted"), ("never", "never"), ("asked", "always")])
def test_standing_passes_of_format_1_are_read(unless: str, ask: Literal["always", "targeted", "never"]) -> None:
    """Format 1 recorded the exceptions of a standing pass; present events record when a combatant is asked."""
    old = make_first_line({"type": "PassStanding", "who": "ilse", "unless": unless})
    assert choose_decoder(1)(old, 1).event == AskingSet(who="ilse", ask=ask)
    with pytest.raises(Malformed, match="Invalid value 'PassStanding'"):
        decode_line(old)


def encode_opening(format: int) -> bytes:
    """Return the opening of a log in a format."""
    return make_first_line(
        {"type": "FightOpened", "format": format, "fight": "f", "system": "s", "version": "1", "digest": "",
                 "config": {}}, format)  # fmt: skip


def test_a_log_goes_on_in_a_later_format_and_never_in_an_earlier_one() -> None:
    """The line that raises the format is the last one of the old chain; no line returns to it."""
    first = encode_opening(1)
    previous, lines = read_line(first).hash, [first]
    for after, (format, to) in enumerate([(1, 3), (3, FORMAT)], 1):
        sealed, more = seal([FormatRaised(format=to)], after=after, previous=previous, time="t", who="gm",
                            cause=f"format-{to}", format=format)  # fmt: skip
        previous, lines = sealed[-1].hash, lines + more
    assert verify_chain(lines) == previous
    for to in (FORMAT, 3, 1, 0):
        _, more = seal([FormatRaised(format=to)], after=3, previous=previous, time="t", who="gm", cause="back")
        with pytest.raises(Malformed, match=f"line 4: a log in format {FORMAT} cannot be raised to format {to}"):
            read_log([*lines, *more])
    _, more = seal([FormatRaised(format=FORMAT + 1)], after=3, previous=previous, time="t", who="gm", cause="on")
    with pytest.raises(UnknownFormat, match="line 4: "):
        read_log([*lines, *more])
