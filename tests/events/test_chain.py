"""The chain shows that nothing was altered, left out, added or moved."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.log import read_log, verify_chain
from affray.events import (
    GENESIS,
    ChainBroken,
    Event,
    Line,
    LogError,
    Malformed,
    Noted,
    Sealed,
    Seals,
    chained,
    read_line,
    seal,
    verify,
)
from tests.engine.encounters import shipped, with_an_end
from tests.engine.fights import NAME, Plan, fights, stored

WORDS = st.text(max_size=12)
READERS = st.none() | st.lists(st.text("abc", min_size=1, max_size=3), max_size=3).map(tuple)


def log() -> list[bytes]:
    """Return the lines of a short stream: three commands of two notes each."""
    lines: list[bytes] = []
    previous = GENESIS
    for nth in range(3):
        notes: list[Event] = [Noted(text=f"note {nth}{letter}") for letter in "ab"]
        sealed, more = seal(notes, after=len(lines), previous=previous, time="12:00", who="gm", cause=f"c{nth}")
        previous = sealed[-1].hash
        lines += more
    return lines


LOG = log()


def verified_by_hand(lines: list[bytes]) -> str:
    """Work the chain out from its description in words, with nothing but the standard library."""
    previous = ""
    for line in lines:
        one = read_line(line)
        payload = sha256(one.salt.encode() + bytes(one.event)).hexdigest()
        audience = one.audience
        readers = "*" if audience is None else sha256((one.salt + ",".join(audience)).encode()).hexdigest()
        sender = [one.who, one.cause]
        if one.known_to is not None:
            sender = [sha256("\n".join((one.mask, ",".join(one.known_to), *sender)).encode()).hexdigest()]
        told = (previous, str(one.position), one.time, *sender, str(one.more), readers, payload)
        previous = sha256("\n".join(told).encode()).hexdigest()
    return previous


@given(fights(most=20))
def test_the_head_is_what_an_independent_verifier_works_out(plan: Plan) -> None:
    """Ten lines of another program come to the same hash for a generated fight."""
    fight, store = stored(plan)
    lines = store.read(NAME)
    assert verify_chain(lines) == verified_by_hand(lines) == fight.history.head_hash


@given(st.integers(0, len(LOG) - 1), st.data())
def test_altering_any_byte_of_any_line_is_noticed(number: int, data: st.DataObject) -> None:
    """Whichever byte becomes whichever other one: the line no longer reads, or no longer fits."""
    line = LOG[number]
    at = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != line[at]))
    altered = [*LOG[:number], line[:at] + bytes([other]) + line[at + 1 :], *LOG[number + 1 :]]
    with pytest.raises(LogError):
        verify_chain(altered)


def test_every_byte_counts() -> None:
    """None is left out: each position of each line, its case or lowest bit turned over."""
    for number, line in enumerate(LOG):
        for at in range(len(line)):
            altered = [*LOG]
            altered[number] = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
            with pytest.raises(LogError):
                verify_chain(altered)


def test_every_byte_of_what_is_hidden_counts() -> None:
    """Who may read a line, and who may know its sender, with their salts."""
    seals = Seals([Sealed(("ilse",), "5a17"), Sealed()], ("ilse", "bo"), "5a18")
    notes: list[Event] = [Noted(text="a"), Noted(text="b")]
    _, lines = seal(notes, after=0, previous=GENESIS, time="12:00", who="gm", cause="c", seals=seals)
    assert verify_chain(lines) == verified_by_hand(lines)
    for number, line in enumerate(lines):
        for at in range(len(line)):
            altered = [*lines]
            altered[number] = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
            with pytest.raises(LogError):
                verify_chain(altered)


@pytest.mark.parametrize("number", range(len(LOG) - 1))
def test_a_line_left_out_is_noticed(number: int) -> None:
    """Any line but the last; that the last is missing shows in ``more``, or in a head somebody remembers."""
    with pytest.raises(ChainBroken, match=f"line {number + 1}: "):
        verify_chain(LOG[:number] + LOG[number + 1 :])


def test_a_command_that_lost_its_end_is_noticed() -> None:
    """The chain of what is left is whole, but the command is not."""
    _, store = stored(Plan(with_an_end(shipped()["vestige/alley"]), bytes(32), ()))
    lines = store.read(NAME)
    verify_chain(lines[:-1])
    with pytest.raises(Malformed, match=f"line {len(lines) - 1}: 1 more events of its command are missing"):
        read_log(lines[:-1])


@given(st.integers(0, len(LOG) - 1), st.integers(0, len(LOG) - 1))
def test_a_line_written_twice_is_noticed(number: int, again: int) -> None:
    """Wherever it is put in again."""
    with pytest.raises(ChainBroken):
        verify_chain([*LOG[: again + 1], LOG[number], *LOG[again + 1 :]])


@given(st.permutations(LOG).filter(lambda order: order != LOG))
def test_lines_in_another_order_are_noticed(order: list[bytes]) -> None:
    """Two swapped or all shuffled."""
    with pytest.raises(ChainBroken):
        verify_chain(order)


def test_renumbered_lines_in_another_order_are_noticed() -> None:
    """Positions can be corrected, but each hash holds the one before it."""
    swapped = [LOG[1].replace(b'"position":2', b'"position":1'), LOG[0].replace(b'"position":1', b'"position":2')]
    with pytest.raises(ChainBroken, match="line 1: the hash of position 1 does not fit"):
        verify_chain(swapped + LOG[2:])


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
        assert (chained("", 1, *other) == chained("", 1, *plain)) == (other == plain)


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
    """Showing a hidden event to everybody, or hiding one, breaks the chain like everything else."""
    line = read_line(LOG[0])
    assert verify(line, after=0, previous=GENESIS) == line.hash
    with pytest.raises(ChainBroken):
        verify(msgspec.structs.replace(line, **change), after=0, previous=GENESIS)


def test_a_hidden_payload_still_lets_the_chain_be_checked_when_it_is_opened() -> None:
    """Salted, it cannot be guessed from its digest; opened later with its salt, it proves what it was."""
    payload = b'{"type":"Noted","text":"the door is trapped"}'
    hash = chained(GENESIS, 1, "t", "gm", "c", 0, payload, ("gm",), "secret")
    shown = Line(1, "t", "gm", "c", hash, msgspec.Raw(payload), 0, ("gm",), "secret")
    assert verify(shown, after=0, previous=GENESIS) == hash
    assert hash != chained(GENESIS, 1, "t", "gm", "c", 0, payload, ("gm",), "guess")
    assert hash != chained(GENESIS, 1, "t", "gm", "c", 0, payload.replace(b"trapped", b"open"), ("gm",), "secret")


def test_the_digest_covers_the_payload_as_it_is_written() -> None:
    """Another spelling of the same event is another line: space, order of fields, escapes."""
    for spelling in (b'"text": "note 0a"', b'"text":"note\\u00200a"', b'"rules":[],"text":"note 0a"'):
        altered = LOG[0].replace(b'"text":"note 0a"', spelling)
        assert altered != LOG[0]
        with pytest.raises(ChainBroken):
            verify_chain([altered])
