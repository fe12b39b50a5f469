"""The chain shows that nothing was altered, left out, added or moved."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from affray.engine.history.log import read_log, verify_chain
from affray.events import (
    FORMAT,
    GENESIS,
    ChainBroken,
    Event,
    LogError,
    Malformed,
    Noted,
    RawRecorded,
    Sealed,
    Seals,
    hash_new,
    hash_of,
    read_line,
    seal,
    verify,
)
from tests.engine.encounters import load_shipped_encounters, with_an_end
from tests.engine.fights import NAME, Plan, fights, play_into_store

WORDS = st.text(max_size=12)
READERS = st.none() | st.lists(st.text("abc", min_size=1, max_size=3), max_size=3).map(tuple)


def make_short_log() -> list[bytes]:
    """Return the lines of a short stream: three commands of two notes each."""
    lines: list[bytes] = []
    previous = GENESIS
    for nth in range(3):
        notes: list[Event] = [Noted(text=f"note {nth}{letter}") for letter in "ab"]
        sealed, more = seal(notes, after=len(lines), previous=previous, time="12:00", who="gm", cause=f"c{nth}")
        previous = sealed[-1].hash
        lines += more
    return lines


LOG = make_short_log()


def netstring(text: str) -> bytes:
    """Return a text with its length in bytes before it."""
    return b"%d:%b," % (len(text.encode()), text.encode())


def verified_by_hand(lines: list[bytes]) -> str:
    """Work the chain out from its description in words, with nothing but the standard library."""
    previous = ""
    for line in lines:
        one = read_line(line)
        payload = sha256(one.salt.encode() + bytes(one.event)).hexdigest()
        readers = "*"
        if one.audience is None and not one.salt:
            payload = bytes(one.event).decode()
        if one.audience is not None:
            readers = sha256(b"".join(map(netstring, (one.salt, *one.audience)))).hexdigest()
        sender = [one.who, one.cause]
        if one.known_to is not None:
            knowing = b"".join(map(netstring, one.known_to)).decode()
            sender = [sha256(b"".join(map(netstring, (one.mask, knowing, *sender)))).hexdigest()]
        rest = "\n".join((previous, str(one.position), str(one.more), readers, payload))
        previous = sha256(b"".join(map(netstring, (one.time, *sender))) + rest.encode()).hexdigest()
    return previous


@given(fights(most=20))
def test_the_head_is_what_an_independent_verifier_works_out(plan: Plan) -> None:
    """Ten lines of another program come to the same hash for a generated fight."""
    fight, store = play_into_store(plan)
    lines = store.read(NAME)
    assert verify_chain(lines) == verified_by_hand(lines) == fight.history.head_hash


@given(st.integers(0, len(LOG) - 1), st.data())
def test_altering_any_byte_of_any_line_is_noticed(number: int, data: st.DataObject) -> None:
    """For any byte changed to any other: the line is unreadable, or breaks the chain."""
    line = LOG[number]
    at = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != line[at]))
    altered = [*LOG[:number], line[:at] + bytes([other]) + line[at + 1 :], *LOG[number + 1 :]]
    with pytest.raises(LogError):
        verify_chain(altered, FORMAT)


def test_every_byte_counts() -> None:
    """None is left out: each position of each line, its case or lowest bit turned over."""
    for number, line in enumerate(LOG):
        for at in range(len(line)):
            altered = [*LOG]
            altered[number] = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
            with pytest.raises(LogError):
                verify_chain(altered, FORMAT)


def test_every_byte_of_what_is_hidden_counts() -> None:
    """The readers of a line and of its sender, with their salts."""
    seals = Seals([Sealed(("ilse",), "5a17"), Sealed()], ("ilse", "bo"), "5a18")
    notes: list[Event] = [Noted(text="a"), Noted(text="b")]
    _, lines = seal(notes, after=0, previous=GENESIS, time="12:00", who="gm", cause="c", seals=seals)
    assert verify_chain(lines, FORMAT) == verified_by_hand(lines)
    for number, line in enumerate(lines):
        for at in range(len(line)):
            altered = [*lines]
            altered[number] = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
            with pytest.raises(LogError):
                verify_chain(altered, FORMAT)


@pytest.mark.parametrize("number", range(len(LOG) - 1))
def test_a_line_left_out_is_noticed(number: int) -> None:
    """Any line but the last; a missing last one shows in ``more``, or by a known head."""
    with pytest.raises(ChainBroken, match=f"line {number + 1}: "):
        verify_chain(LOG[:number] + LOG[number + 1 :], FORMAT)


def test_a_command_that_lost_its_end_is_noticed() -> None:
    """The chain of what is left is whole, but the command is not."""
    _, store = play_into_store(Plan(with_an_end(load_shipped_encounters()["vestige/alley"]), bytes(32), ()))
    lines = store.read(NAME)
    verify_chain(lines[:-1])
    with pytest.raises(Malformed, match=f"line {len(lines) - 1}: 1 more events of its command are missing"):
        read_log(lines[:-1])


@given(st.integers(0, len(LOG) - 1), st.integers(0, len(LOG) - 1))
def test_a_line_written_twice_is_noticed(number: int, again: int) -> None:
    """At any place."""
    with pytest.raises(ChainBroken):
        verify_chain([*LOG[: again + 1], LOG[number], *LOG[again + 1 :]], FORMAT)


@given(st.permutations(LOG).filter(lambda order: order != LOG))
def test_lines_in_another_order_are_noticed(order: list[bytes]) -> None:
    """Two swapped or all shuffled."""
    with pytest.raises(ChainBroken):
        verify_chain(order, FORMAT)


def test_renumbered_lines_in_another_order_are_noticed() -> None:
    """Positions can be corrected, but each hash holds the one before it."""
    swapped = [LOG[1].replace(b'"position":2', b'"position":1'), LOG[0].replace(b'"position":1', b'"position":2')]
    with pytest.raises(ChainBroken, match="line 1: the hash of position 1 does not fit"):
        verify_chain(swapped + LOG[2:], FORMAT)


@given(WORDS, WORDS, WORDS, READERS, WORDS, READERS, WORDS)
def test_every_part_of_the_envelope_takes_part(
    time: str,
    who: str,
    cause: str,
    audience: tuple[str, ...] | None,
    salt: str,
    known_to: tuple[str, ...] | None,
    mask: str,
) -> None:
    """Time, author, cause, audience, who may know the author, and the salts cannot be exchanged afterwards."""
    payload = b'{"type":"Noted","text":"x"}'
    other = (time, who, cause, 0, payload, audience, salt, known_to, mask)
    for plain in (("t", "w", "c", 0, payload, None, "", None, ""), ("t", "w", "c", 0, payload, (), "s", ("a",), "m")):
        assert (hash_new("", 1, *other) == hash_new("", 1, *plain)) == (other == plain)


@pytest.mark.parametrize(
    "change",
    [
        {"audience": ("gm",)},
        {"audience": ()},
        {"salt": "x"},
        {"known_to": ("gm",)},
        {"known_to": ()},
        {"mask": "x"},
        {"more": 7},
        {"who": "x"},
        {"cause": "x"},
        {"time": "x"},
    ],
    ids=str,
)
def test_a_line_with_another_envelope_does_not_fit(change: dict[str, object]) -> None:
    """Showing a hidden event to all viewers, or hiding one, breaks the chain too."""
    line = read_line(LOG[0])
    assert verify(line, after=0, previous=GENESIS) == line.hash
    with pytest.raises(ChainBroken):
        verify(msgspec.structs.replace(line, **change), after=0, previous=GENESIS)


def test_a_hidden_payload_still_lets_the_chain_be_checked_when_it_is_opened() -> None:
    """Salted, it cannot be guessed from its digest; opened later with its salt, it proves what it was."""
    payload = b'{"type":"Noted","text":"the door is trapped"}'
    hash = hash_new(GENESIS, 1, "t", "gm", "c", 0, payload, ("gm",), "secret")
    shown = RawRecorded(1, "t", "gm", "c", hash, msgspec.Raw(payload), 0, ("gm",), "secret")
    assert verify(shown, after=0, previous=GENESIS) == hash
    assert hash != hash_new(GENESIS, 1, "t", "gm", "c", 0, payload, ("gm",), "guess")
    assert hash != hash_new(GENESIS, 1, "t", "gm", "c", 0, payload.replace(b"trapped", b"open"), ("gm",), "secret")


def test_the_digest_covers_the_payload_as_it_is_written() -> None:
    """Another spelling of the same event is another line: space, order of fields, escapes."""
    for spelling in (b'"text": "note 0a"', b'"text":"note\\u00200a"', b'"rules":[],"text":"note 0a"'):
        altered = LOG[0].replace(b'"text":"note 0a"', spelling)
        assert altered != LOG[0]
        with pytest.raises(ChainBroken):
            verify_chain([altered], FORMAT)


TEXTS = st.text(st.sampled_from("0159:,\n{}*é"), max_size=8)


@given(TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, READERS, READERS, READERS, READERS)
def test_no_two_envelopes_share_a_hash(
    time: str,
    who: str,
    cause: str,
    other_time: str,
    other_who: str,
    other_cause: str,
    audience: tuple[str, ...] | None,
    known_to: tuple[str, ...] | None,
    other_audience: tuple[str, ...] | None,
    other_known_to: tuple[str, ...] | None,
) -> None:
    """For any texts: line breaks, commas, or a look-alike of another text's frame."""
    payload = b'{"type":"Noted","text":"x"}'
    one = hash_new(GENESIS, 1, time, who, cause, 0, payload, audience, "5a17", known_to, "5a18")
    other = hash_new(
        GENESIS, 1, other_time, other_who, other_cause, 0, payload, other_audience, "5a17", other_known_to, "5a18"
    )
    others = (other_time, other_who, other_cause, other_audience, other_known_to)
    assert (one == other) == ((time, who, cause, audience, known_to) == others)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"who": "Anna", "cause": "Marta\nX"}, {"who": "Anna\nMarta", "cause": "X"}),
        ({"time": "t\nAnna", "who": "X"}, {"time": "t", "who": "Anna\nX"}),
        ({"audience": ("a", "b")}, {"audience": ("a,b",)}),
        ({"known_to": ("a", "b")}, {"known_to": ("a,b",)}),
        ({"known_to": ("a",), "who": "b", "mask": "m"}, {"known_to": ("a\nb",), "who": "", "mask": "m"}),
    ],
    ids=str,
)
def test_what_shared_a_hash_before_format_4_no_longer_does(one: dict[str, Any], other: dict[str, Any]) -> None:
    """A line break or a comma in a text made two different lines of one."""
    line = RawRecorded(1, "t", "w", "c", "", msgspec.Raw(b"{}"))
    first, second = (msgspec.structs.replace(line, **change) for change in (one, other))
    assert hash_of(first, GENESIS, b"{}") != hash_of(second, GENESIS, b"{}")


def test_a_line_that_is_not_next_is_named_with_the_position_that_was_due() -> None:
    """A line is read without what it leaves unsaid, and is written so again."""
    line = RawRecorded(position=9, time="", who="gm", cause="c1", hash="", event=Raw(b"{}"))
    with pytest.raises(ChainBroken, match="position 9 where 3 was due"):
        verify(line, after=2, previous="")
    assert b"more" not in msgspec.json.encode(line)
