"""The chain of formats before the present one, worked out by hand, and the small print of reading and sealing lines."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest

from affray.engine.history.log import read_log, verify_chain
from affray.events import (
    FORMAT,
    FRAMED,
    GENESIS,
    ChainBroken,
    Event,
    FightEnded,
    FightOpened,
    FormatRaised,
    Malformed,
    Noted,
    RawRecorded,
    Recorded,
    Sealed,
    Seals,
    UnknownFormat,
    check_raise,
    choose_decoder,
    content_of,
    decode_line,
    decode_payload,
    digest_of,
    format_behind,
    format_of,
    hash_line,
    hash_new,
    read_line,
    readers_of,
    seal,
    sender_of,
    verify,
)

NOTES: list[Event] = [Noted(text="a"), Noted(text="b"), Noted(text="c")]
SEALS = Seals([Sealed(("ilse", "bo"), "5a17"), Sealed(), Sealed((), "5a19")], ("ilse", "bo"), "5a18")


def hash_text(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def compute_old_hash(line: RawRecorded, previous: str) -> str:
    """Return the hash of a line as formats 1 to 3 make it: fields joined by newlines."""
    readers = "*" if line.audience is None else hash_text(line.salt + ",".join(line.audience))
    sender = f"{line.who}\n{line.cause}"
    if line.known_to is not None or line.mask:
        knowing = "*" if line.known_to is None else ",".join(line.known_to)
        sender = hash_text(f"{line.mask}\n{knowing}\n{line.who}\n{line.cause}")
    payload = hash_text(line.salt + bytes(line.event).decode())
    return hash_text("\n".join((previous, str(line.position), line.time, sender, str(line.more), readers, payload)))


@pytest.mark.parametrize("format", [1, 2, 3])
@pytest.mark.parametrize("seals", [Seals(), SEALS, Seals((), None, "5a18"), Seals((), (), "5a18")])
def test_the_chain_of_an_old_format_is_what_it_was(format: int, seals: Seals) -> None:
    sealed, lines = seal(NOTES, after=4, previous="abc", time="12:00", who="gm", cause="c", seals=seals, format=format)
    previous = "abc"
    for nth, (one, line) in enumerate(zip(sealed, map(read_line, lines), strict=True), 5):
        mask = seals.mask if seals.known_to is not None else ""
        assert (line.position, line.more, line.known_to, line.mask) == (nth, 7 - nth, seals.known_to, mask)
        whole = msgspec.structs.replace(line, mask=seals.mask)
        assert one.hash == line.hash == compute_old_hash(whole, previous)
        if mask == seals.mask:
            assert verify(line, after=nth - 1, previous=previous, format=format) == line.hash
        previous = line.hash


def test_every_format_from_the_fourth_on_frames_texts() -> None:
    assert (FORMAT, FRAMED) == (6, 4)
    for format in (4, 5, 6):
        assert readers_of(("a", "b"), "s", format) == hash_text("1:s,1:a,1:b,")
        assert sender_of("gm", "c", ("a",), "m", format) == (hash_text("1:m,4:1:a,,2:gm,1:c,"),)
        assert sender_of("gm", "c", None, "m", format) == (hash_text("1:m,1:*,2:gm,1:c,"),)
        assert hash_line("p", 3, "t", ("gm", "é"), 2, "*", b"d", format) == hash_text("1:t,2:gm,2:é,p\n3\n2\n*\nd")
    assert readers_of(("a", "b"), "s", 3) == hash_text("sa,b")
    assert readers_of(None, "s") == "*"
    assert sender_of("gm", "c") == ("gm", "c")
    assert sender_of("gm", "c", (), "") == (hash_text("0:,0:,2:gm,1:c,"),)
    assert [content_of(b"{}", "*", "", one) for one in (3, 4, 5, 6)] == [hash_text("{}").encode()] * 3 + [b"{}"]
    assert content_of(b"{}", "*", "salt") == content_of(b"{}", hash_text("a"), "salt") == hash_text("salt{}").encode()
    assert digest_of(b"payload", "salt") == hash_text("saltpayload")
    assert digest_of(b"payload") == hash_text("payload")


def test_a_line_says_nothing_of_what_is_as_ever() -> None:
    """The last line of a command has no ``more``; an open line has neither readers nor sender's readers."""
    sealed, lines = seal(NOTES, after=0, previous=GENESIS, time="t", who="gm", cause="c", seals=SEALS)
    assert [b'"more"' in line for line in lines] == [True, True, False]
    assert [b'"audience"' in line for line in lines] == [True, False, True]
    assert all(b'"known_to":["ilse","bo"],"mask":"5a18"' in line for line in lines)
    assert [decode_line(line) for line in lines] == sealed
    assert [msgspec.json.encode(one) for one in sealed] == lines
    assert [(one.audience, one.salt) for one in sealed] == [(("ilse", "bo"), "5a17"), (None, ""), ((), "5a19")]
    assert [decode_payload(read_line(line)) for line in lines] == sealed
    plain, _ = seal(NOTES, after=0, previous=GENESIS, time="t", who="gm", cause="c")
    assert plain[-1] == Recorded(3, "t", "gm", "c", plain[-1].hash, NOTES[2])
    assert plain[1].more == 1


def test_every_field_of_an_envelope_counts_in_its_hash() -> None:
    common = (GENESIS, 1, "t", "gm", "c", 0, b"{}")
    hashes = {
        hash_new(*common),
        hash_new(*common, ("a",), "s"),
        hash_new(*common, None, "s"),
        hash_new(*common, None, "", ("a",), "m"),
        hash_new(*common, None, "", None, "m"),
        hash_new(*common, format=3),
        hash_new("p", *common[1:]),
        hash_new(GENESIS, 2, *common[2:]),
        hash_new(*common[:5], 1, b"{}"),
    }
    assert len(hashes) == 9


@pytest.mark.parametrize("reads", [decode_line, read_line])
def test_a_line_that_cannot_be_read_says_which_it_is(reads: object) -> None:
    for bad in (b"{}", b"\xff", b'{"a":' + b"[" * 5_000, b""):
        with pytest.raises(Malformed) as found:
            reads(bad, 7)  # type: ignore[operator]
        assert (found.value.line, str(found.value).startswith("line 7: ")) == (7, True)
        with pytest.raises(Malformed) as found:
            reads(bad)  # type: ignore[operator]
        assert (found.value.line, str(found.value) == found.value.reason) == (0, True)


def test_an_envelope_around_no_event_says_which_line_it_is() -> None:
    line = RawRecorded(1, "t", "gm", "c", "", msgspec.Raw(b'{"type":"Sang"}'))
    for number in (0, 9):
        with pytest.raises(Malformed) as found:
            decode_payload(line, number)
        assert found.value.line == number


# --- formats ---


def make_opening(format: int) -> FightOpened:
    return FightOpened(format=format, fight="f", system="s", version="1", digest="", config={})


def encode_old_line(event: Event, format: int = FORMAT) -> bytes:
    return seal([event], after=0, previous=GENESIS, time="t", who="gm", cause="c", format=format)[1][0]


@pytest.mark.parametrize("format", range(1, FORMAT + 1))
def test_a_line_of_an_older_format_is_read_as_one_of_today(format: int) -> None:
    note = encode_old_line(Noted(text="x"), format)
    assert choose_decoder(format)(note, 1) == decode_line(note)
    assert (choose_decoder(format) is decode_line) == (format == FORMAT)


@pytest.mark.parametrize("format", range(1, FORMAT))
def test_a_reason_for_the_end_is_read_as_a_word(format: int) -> None:
    for why, word in (("at most one side can still fight", "one_side"), ("ruled", "ruled"), ("", "")):
        event = choose_decoder(format)(encode_old_line(FightEnded(victors="heroes", why=why), format), 1).event
        assert event == FightEnded(victors="heroes", why=word)
    spelt = encode_old_line(FightEnded(why="nobody is able"), format).replace(b"FightEnded", b"Fight\\u0045nded")
    assert choose_decoder(format)(spelt, 1).event == FightEnded(why="one_side")


@pytest.mark.parametrize("format", [-1, 0, FORMAT + 1, 99])
def test_no_reader_is_there_for_an_unknown_format(format: int) -> None:
    kind = UnknownFormat if format > FORMAT else Malformed
    with pytest.raises(kind, match=f"format {format} is not known here; this version reads formats 1 to {FORMAT}"):
        choose_decoder(format)


def test_an_opening_that_cannot_be_read_is_line_1() -> None:
    for bad in (b"{", encode_old_line(Noted(text="x"))):
        with pytest.raises(Malformed) as found:
            format_of(bad)
        assert found.value.line == 1


def test_only_a_line_that_raises_the_format_changes_it() -> None:
    """Other lines may hold the same word, in any spelling."""
    raising = read_line(encode_old_line(FormatRaised(format=4)))
    spelt = msgspec.structs.replace(raising, event=msgspec.Raw(b'{"type":"FormatRaised","form\\u0061t":4}'))
    assert format_behind(raising, 2) == format_behind(spelt, 3) == 4
    for written in (
        b'{"type":"Noted","text":"\\"format\\":4"}',
        b'{"type":"Opened","format":4}',
        b'{"format":4}',
        b"[]",
    ):
        assert format_behind(msgspec.structs.replace(raising, event=msgspec.Raw(written)), 2) == 2
    for number in (0, 6):
        with pytest.raises(Malformed) as found:
            format_behind(raising, 4, number)
        assert found.value.line == number
    with pytest.raises(Malformed, match="cannot be raised to format 0"):
        format_behind(msgspec.structs.replace(raising, event=msgspec.Raw(b'{"type":"FormatRaised","x":"format"}')), 1)


@pytest.mark.parametrize(
    ("to", "format", "kind"), [(FORMAT + 1, 1, UnknownFormat), (5, 5, Malformed), (4, 5, Malformed)]
)
def test_a_format_is_raised_to_a_later_one_that_is_known(to: int, format: int, kind: type[Exception]) -> None:
    assert [check_raise(later, 1) for later in (2, 3, 4)] == [2, 3, 4]
    for number in (0, 8):
        with pytest.raises(kind) as found:
            check_raise(to, format, number)
        assert found.value.line == number  # type: ignore[attr-defined]
        assert str(found.value).startswith("line 8: " if number else "")


# --- logs ---


def make_old_log(format: int = FORMAT) -> list[bytes]:
    first, lines = seal([make_opening(format)], after=0, previous=GENESIS, time="t", who="gm", cause="c", format=format)
    _, more = seal(NOTES, after=1, previous=first[0].hash, time="t", who="gm", cause="d", format=format)
    return lines + more


def test_a_log_is_whole_commands_at_positions_without_gaps() -> None:
    lines = make_old_log()
    assert [one.position for one in read_log(lines)] == [1, 2, 3, 4]
    assert verify_chain(lines) == verify_chain(lines, FORMAT) == read_line(lines[-1]).hash
    assert verify_chain([]) == GENESIS
    with pytest.raises(Malformed, match="the log is empty"):
        read_log([])
    for left, missing in ((3, 1), (2, 2)):
        with pytest.raises(Malformed, match=f"line {left}: {missing} more events of its command are missing"):
            read_log(lines[:left])
    with pytest.raises(Malformed, match="line 2: position 3 where 2 was due"):
        read_log([lines[0], *lines[2:]], verified=False)
    with pytest.raises(ChainBroken, match="line 2: position 3 where 2 was due"):
        read_log([lines[0], *lines[2:]])


def test_a_log_that_was_altered_is_read_only_by_who_does_not_look() -> None:
    lines = [line.replace(b'"text":"b"', b'"text":"x"') for line in make_old_log(2)]
    assert read_log(lines, verified=False)[2].event == Noted(text="x")
    with pytest.raises(ChainBroken, match="line 3: the hash of position 3 does not fit"):
        read_log(lines)
