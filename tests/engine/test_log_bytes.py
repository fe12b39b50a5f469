"""The bytes of a log, however few of them are read at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine.errors import Altered
from affray.engine.stores import lines
from affray.engine.stores.lines import find_last_command_end, iterate_lines, must_be_a_log, read_range, split_log
from affray.engine.stores.rows import has_hash, read_behind_known, split_rows_behind
from affray.events import GENESIS, Event, LogError, Malformed, Noted, read_line, seal

PARTS = (1, 2, 63, 64, 65, 200, 300, 1 << 18)


def make_note_commands(*counts: int) -> list[bytes]:
    """Return the lines of commands of so many notes each."""
    told: list[bytes] = []
    previous = GENESIS
    for nth, count in enumerate(counts):
        notes: list[Event] = [Noted(text=f"{nth}.{one}") for one in range(count)]
        sealed, more = seal(notes, after=len(told), previous=previous, time="t", who="gm", cause=f"c{nth}")
        previous = sealed[-1].hash
        told += more
    return told


LOG = make_note_commands(1, 3, 2)


@pytest.mark.parametrize("part", PARTS)
def test_lines_are_the_same_however_much_is_read_at_once(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to any size; a line without its end is left out, unless all bytes are requested."""
    monkeypatch.setattr(lines, "_PART", part)
    path = tmp_path / "log"
    whole = b"".join(line + b"\n" for line in LOG)
    path.write_bytes(whole)
    with path.open("rb") as file:
        for size in (0, 1, len(LOG[0]), len(LOG[0]) + 1, len(whole) - 1, len(whole), len(whole) + 50):
            told = whole[:size]
            assert list(iterate_lines(file.fileno(), size)) == told.split(b"\n")[:-1]
            assert list(iterate_lines(file.fileno(), size, whatever=True)) == [one for one in told.split(b"\n") if one]
            assert read_range(file.fileno(), 0, size) == told
        assert read_range(file.fileno(), 7, 11) == whole[7:11]
        must_be_a_log(file.fileno())


@pytest.mark.parametrize("part", PARTS)
def test_the_end_of_a_log_is_its_last_whole_command(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For any cut, at any distance from the end."""
    monkeypatch.setattr(lines, "_PART", part)
    path = tmp_path / "log"
    ends = {0: (0, b""), 1: (len(LOG[0]) + 1, LOG[0]), 4: (sum(map(len, LOG[:4])) + 4, LOG[3])}
    ends[6] = (sum(map(len, LOG)) + 6, LOG[5])
    for many in range(7):
        for torn in (b"", b"x" * 10, LOG[0][:70], LOG[2]):
            told = b"".join(line + b"\n" for line in LOG[:many]) + torn
            path.write_bytes(told)
            with path.open("rb") as file:
                assert find_last_command_end(file.fileno(), len(told)) == ends[max(one for one in ends if one <= many)]


@pytest.mark.parametrize("part", PARTS)
def test_no_command_ends_with_an_empty_line(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither behind the last command, nor behind or before a torn one; an empty file has none at all."""
    monkeypatch.setattr(lines, "_PART", part)
    path = tmp_path / "log"
    whole = LOG[0] + b"\n"
    torn = b"\n\n" + LOG[1] + b"\n" + b"\r\n" * 3
    tails = (b"\n", b" \t\r\n" * 40, b"\n" * 300 + b'{"pos', torn, b"\r")
    for told in (before + tail for before in (whole, b"") for tail in tails):
        path.write_bytes(told)
        with path.open("rb") as file:
            assert find_last_command_end(file.fileno(), len(told)) == (
                (len(whole), LOG[0]) if told.startswith(whole) else (0, b"")
            )
    for tail in tails:
        assert split_log(whole + tail) == [LOG[0]]


@pytest.mark.parametrize("part", PARTS)
def test_a_line_that_cannot_be_read_ends_a_command_for_whoever_reads_it(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "_PART", part)
    path = tmp_path / "log"
    told = LOG[0] + b"\n" + b"?" * 80 + b"\n" + LOG[1] + b"\n"
    path.write_bytes(told)
    with path.open("rb") as file:
        assert find_last_command_end(file.fileno(), len(told)) == (len(LOG[0]) + 82, b"?" * 80)


@pytest.mark.parametrize(("limit", "whatever"), [(100, True), (100, False)])
@pytest.mark.parametrize("part", [1, 7, 50, 99, 100])
def test_a_line_that_is_too_long_is_cut_or_refused_wherever_it_stands(
    part: int, limit: int, whatever: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later lines are read as usual."""
    monkeypatch.setattr(lines, "_PART", part)
    monkeypatch.setattr(lines, "LONGEST_LINE", limit)
    path = tmp_path / "log"
    for longer in (0, 1, 2, 99, 350):
        said = [b"a" * 70, b"b" * (limit + longer), b"c" * 80, b"d" * (limit + longer), b"e" * 64]
        path.write_bytes(b"\n".join(said) + b"\n")
        with path.open("rb") as file:
            if whatever or not longer:
                read = list(iterate_lines(file.fileno(), path.stat().st_size, whatever=whatever))
                assert read == [one[: limit + 1] for one in said]
            else:
                with pytest.raises(Malformed) as found:
                    list(iterate_lines(file.fileno(), path.stat().st_size))
                assert found.value.line == 2


@pytest.mark.parametrize(
    ("said", "line", "says"),
    [(b"", 0, "the log is empty"), (b"\n", 1, "this is no log"), (b"{}\n", 1, "this is no log"), (b"?", 1, "no log")],
)
def test_what_does_not_begin_like_a_log_is_none(said: bytes, line: int, says: str, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(said)
    with path.open("rb") as file, pytest.raises(Malformed, match=says) as found:
        must_be_a_log(file.fileno())
    assert found.value.line == line


# --- rows of whole commands ---


def rows() -> list[tuple[int, bytes]]:
    return [(1, LOG[0]), (4, b"\n".join(LOG[1:4])), (6, b"\n".join(LOG[4:]))]


def test_what_is_behind_a_position_may_begin_within_a_command() -> None:
    for after in range(7):
        assert split_rows_behind(after, [row for row in rows() if row[0] > after]) == LOG[after:]
    assert split_rows_behind(0, rows()) == LOG
    assert split_rows_behind(9, []) == []


def test_a_log_goes_on_from_an_event_that_is_known() -> None:
    def read(after: int) -> list[bytes]:
        return LOG[after:]

    hashes = [read_line(line).hash for line in LOG]
    for after in range(1, 7):
        assert read_behind_known("duel", after, hashes[after - 1], read) == LOG[after:]
        for other in (hashes[after - 2], "00"):
            with pytest.raises(Altered) as found:
                read_behind_known("duel", after, other, read)
            assert (found.value.fight, found.value.position) == ("duel", after)
    assert read_behind_known("duel", 3, "", read) == LOG[3:]
    assert read_behind_known("duel", 0, hashes[0], read) == LOG
    with pytest.raises(Altered):
        read_behind_known("duel", 7, hashes[5], read)


def test_a_line_that_cannot_be_read_has_no_hash() -> None:
    assert has_hash(LOG[0], read_line(LOG[0]).hash)
    assert not has_hash(LOG[0], read_line(LOG[1]).hash)
    assert not has_hash(b"?", "")
    with pytest.raises(LogError):
        read_line(b"?")
