"""A log is read in parts: with any bytes, it takes memory proportional to its size at most."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine import FileStore, StoreFailed
from affray.engine.stores import lines as reading
from affray.events import Malformed
from tests.engine.writers import FIGHT, make_noted_command

PART = 16
LONGEST = 40
SHORTEST = 4


def reference(content: bytes) -> list[bytes]:
    """Return the lines of a log as they are to come."""
    *whole, rest = content.split(b"\n")
    return [line[: LONGEST + 1] for line in (*whole, *([rest] if rest else []))]


def read_lines_of(path: Path, content: bytes, *, whatever: bool) -> list[bytes]:
    path.write_bytes(content)
    with path.open("rb") as file:
        return list(reading.iterate_lines(file.fileno(), len(content), whatever=whatever))


@given(parts=st.lists(st.tuples(st.sampled_from([b"a", b"\n", b"{}\n"]), st.integers(0, 60)), max_size=8))
def test_lines_come_as_they_stand_in_the_file(
    parts: list[tuple[bytes, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A too long line is cut, at any borders of the parts; readers of events are refused it."""
    content = b"".join(one * many for one, many in parts)
    path = tmp_path_factory.getbasetemp() / "lines"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_PART", PART)
        patch.setattr(reading, "LONGEST_LINE", LONGEST)
        patch.setattr(reading, "SHORTEST_LINE", SHORTEST)
        due = reference(content)
        assert read_lines_of(path, content, whatever=True) == due
        whole = due if content.endswith(b"\n") else due[:-1]
        wrong = [
            nth
            for nth, line in enumerate(due, 1)
            if len(line) > LONGEST or (len(line) < SHORTEST and nth <= len(whole))
        ]
        if wrong:
            with pytest.raises(Malformed) as found:
                read_lines_of(path, content, whatever=False)
            assert found.value.line == wrong[0]
        else:
            assert read_lines_of(path, content, whatever=False) == whole


@pytest.mark.parametrize("what", [b"\n", b" \r\n", b"{}\n", b"[", b"[\n", b'{"position":1},\n'])
@pytest.mark.parametrize("behind", [False, True], ids=["alone", "behind a log"])
def test_garbage_takes_no_more_memory_than_a_multiple_of_its_size(what: bytes, behind: bool, tmp_path: Path) -> None:
    """It is told by its first line, or by the first one that is too short.

    Empty lines, and one line without an end, are a torn tail.
    """
    store = FileStore(tmp_path)
    log = make_noted_command("opening", 0, "") if behind else []
    content = b"".join(line + b"\n" for line in log) + what * (4_000_000 // len(what))
    store.path(FIGHT).write_bytes(content)
    tracemalloc.start()
    try:
        if behind and what in (b"[", b"\n", b" \r\n"):
            assert store.read(FIGHT) == log
        else:
            with pytest.raises(Malformed, match="too short for an event" if behind else "no log of a fight") as found:
                store.read(FIGHT)
            assert found.value.line == len(log) + 1
        assert tracemalloc.get_traced_memory()[1] < 3 * len(content)
    finally:
        tracemalloc.stop()
    assert store.path(FIGHT).read_bytes() == content


def test_no_line_is_written_that_could_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to begin a fight nor behind one."""
    store = FileStore(tmp_path)
    lines = make_noted_command("opening", 0, "")
    monkeypatch.setattr(reading, "LONGEST_LINE", max(map(len, lines)) - 1)
    with pytest.raises(StoreFailed, match="a line may have at most"):
        store.begin(FIGHT, lines, None)
    assert store.fights() == []
    monkeypatch.undo()
    store.begin(FIGHT, lines, None)
    more = make_noted_command("more", len(lines), "")
    monkeypatch.setattr(reading, "LONGEST_LINE", max(map(len, more)) - 1)
    with pytest.raises(StoreFailed, match="a line may have at most"):
        store.append(FIGHT, more, len(lines))
    monkeypatch.undo()
    assert store.read(FIGHT) == lines
