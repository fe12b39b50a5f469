"""Several processes and one stream: nothing is lost, nothing interleaves, nothing is left half written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from affray.events import GENESIS, read_line, verify
from tests.engine.writers import FIGHT, begin, opened

ROOT = Path(__file__).parents[2]
KINDS = pytest.mark.parametrize("kind", ["files", "sqlite"])
PATIENCE = 60


def started(call: str) -> subprocess.Popen[bytes]:
    """Start another process that calls one of the writers."""
    code = f"from pathlib import Path; from tests.engine import writers; writers.{call}"
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def whole(lines: list[bytes]) -> list[str]:
    """Check chain, positions and that every command is whole and undivided; return the ids of commands in order."""
    previous, due = GENESIS, 0
    ids: list[str] = []
    for number, line in enumerate(lines, 1):
        one = read_line(line, number)
        previous = verify(one, after=number - 1, previous=previous, number=number)
        if due:
            assert (one.cause, one.more) == (ids[-1], due - 1)
        else:
            ids.append(one.cause)
        due = one.more
    assert due == 0
    return ids


@KINDS
def test_two_writers_lose_nothing_and_never_interleave(kind: str, tmp_path: Path) -> None:
    """Each appends 40 commands, again where the other was faster; all are there, in one piece and in order."""
    store = opened(kind, tmp_path)
    begin(store)
    writers = [started(f"write({kind!r}, Path({str(tmp_path)!r}), {name!r}, 40)") for name in "ab"]
    for writer in writers:
        out, err = writer.communicate(timeout=PATIENCE)
        assert (out.strip(), err) == (b"done", b"")
    ids = whole(store.read(FIGHT))
    for name in "ab":
        assert [id for id in ids if id.startswith(name)] == [f"{name}{nth}" for nth in range(40)]
    assert len(ids) == 81


@KINDS
def test_a_killed_writer_leaves_only_whole_commands(kind: str, tmp_path: Path) -> None:
    """Killed in the middle of its appends, it leaves a log that opens at once and goes on."""
    store = opened(kind, tmp_path)
    begin(store)
    for least in (100, 200, 300):
        writer = started(f"write_on({kind!r}, Path({str(tmp_path)!r}))")
        try:
            while len(opened(kind, tmp_path).read(FIGHT)) < least:
                assert writer.poll() is None
        finally:
            writer.kill()
            writer.communicate(timeout=PATIENCE)
        lines = opened(kind, tmp_path).read(FIGHT)
        assert len(lines) >= least
        whole(lines)
