"""The limits of file reading: lines of a log, and files that are read as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.engine.errors import StoreFailed
from affray.engine.stores import input_files, lines
from affray.events import LogError


def write_and_read_log(path: Path, *said: bytes) -> list[bytes]:
    """Write lines and read them back, each as a line of a log must be."""
    path.write_bytes(b"".join(line + b"\n" for line in said))
    with path.open("rb") as file:
        return list(lines.iterate_lines(file.fileno(), path.stat().st_size))


def test_a_line_has_64_bytes_to_16_mebibytes(tmp_path: Path) -> None:
    longest, too_long = b"x" * (1 << 24), b"x" * ((1 << 24) + 1)
    shortest = b"y" * 64
    assert write_and_read_log(tmp_path / "log", shortest, longest, shortest) == [shortest, longest, shortest]
    for short, number in ((b"y" * 63, 2), (b"", 2)):
        with pytest.raises(LogError, match=f"line {number}: the line is too short for an event"):
            write_and_read_log(tmp_path / "log", shortest, short, shortest)
    with pytest.raises(LogError, match="line 2: a line may have at most 16777216 bytes"):
        write_and_read_log(tmp_path / "log", shortest, too_long, shortest)
    lines.must_be_readable([shortest, longest])
    with pytest.raises(StoreFailed, match="a line may have at most 16777216 bytes; nothing was written"):
        lines.must_be_readable([shortest, too_long])


def test_whoever_reads_whatever_stands_there_gets_no_more_of_a_line_than_shows_that_it_is_too_long(
    tmp_path: Path,
) -> None:
    path = tmp_path / "log"
    for many in (1, 300_000, 1 << 18, 1 << 20):
        path.write_bytes(b"a\n" + b"x" * ((1 << 24) + many) + b"\nb\n" + b"c" * 9)
        with path.open("rb") as file:
            read = list(lines.iterate_lines(file.fileno(), path.stat().st_size, whatever=True))
        assert [len(one) for one in read] == [1, (1 << 24) + 1, 1, 9]


def test_a_file_that_is_read_whole_has_16_mebibytes_at_most(tmp_path: Path) -> None:
    path = tmp_path / "some"
    path.write_bytes(b"x" * (1 << 24))
    assert len(input_files.read_input_bytes(path)) == 1 << 24
    path.write_bytes(b"x" * ((1 << 24) + 1))
    with pytest.raises(OSError, match="is bigger than 16777216 bytes"):
        input_files.read_input_bytes(path)
    path.write_bytes(b"a\r\nb\rc\n")
    assert input_files.read_input_text(path) == "a\nb\nc\n"
