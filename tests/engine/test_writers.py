"""Several processes and one stream: nothing is lost, nothing interleaves, nothing is left half written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from affray.engine import StoreFailed
from affray.events import GENESIS, read_line, verify
from tests.engine import postgres
from tests.engine.writers import FIGHT, KINDS, begin, opened, place

ROOT = Path(__file__).parents[2]
PATIENCE = 60

each_kind = pytest.mark.parametrize("kind", KINDS)


def started(call: str, *said: object) -> subprocess.Popen[bytes]:
    """Start another process that calls one of the writers."""
    code = f"from tests.engine import writers; writers.{call}{said!r}"
    # not buffered: ``communicate`` would not see what was read ahead with the last ``readline``
    return subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


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


def told_before_the_end(writer: subprocess.Popen[bytes], appends: int) -> list[int]:
    """Let a writer append so often, kill it in the middle of what it does next, and return the heads it told of."""
    assert writer.stdout is not None
    told = [int(writer.stdout.readline()) for _ in range(appends)]
    writer.kill()
    rest, err = writer.communicate(timeout=PATIENCE)
    assert err == b""
    return told + [int(word) for word in rest.split(b"\n")[:-1]]


@each_kind
def test_eight_writers_lose_nothing_and_never_interleave(kind: str, tmp_path: Path) -> None:
    """Each appends 12 commands, again where another was faster; all are there once, in one piece and in order."""
    at = place(kind, tmp_path)
    store = opened(kind, at)
    begin(store)
    writers = [started("write", kind, at, name, 12) for name in "abcdefgh"]
    for writer in writers:
        out, err = writer.communicate(timeout=PATIENCE)
        assert (out.strip(), err) == (b"done", b"")
    ids = whole(store.read(FIGHT))
    for name in "abcdefgh":
        assert [id for id in ids if id.startswith(name)] == [f"{name}{nth}" for nth in range(12)]
    assert len(ids) == len(set(ids)) == 8 * 12 + 1


@each_kind
def test_a_killed_writer_leaves_only_whole_commands(kind: str, tmp_path: Path) -> None:
    """Killed again and again, it leaves a log that opens at once, holds whatever it told of, and goes on."""
    at = place(kind, tmp_path)
    begin(opened(kind, at))
    for appends in (1, 2, 3, 5, 8, 13, 21, 34):
        told = told_before_the_end(started("write_on", kind, at), appends)
        lines = opened(kind, at).read(FIGHT)
        assert len(lines) - told[-1] in (0, 20)
        whole(lines)


def test_a_killed_database_keeps_whatever_it_confirmed(tmp_path: Path) -> None:
    """Killed while somebody writes, it comes back with whole commands alone, and the store finds it again."""
    at = place("postgres", tmp_path)
    store = opened("postgres", at)
    begin(store)
    for appends in (1, 4, 16):
        writer = started("write_on", "postgres", at)
        assert writer.stdout is not None
        told = [int(writer.stdout.readline()) for _ in range(appends)]
        postgres.server().kill()
        rest, err = writer.communicate(timeout=PATIENCE)
        told += [int(word) for word in rest.split(b"\n")[:-1]]
        assert b"StoreFailed" in err
        with pytest.raises(StoreFailed, match=r"connection .* failed"):
            store.read(FIGHT)
        postgres.server().start()
        lines = store.read(FIGHT)
        assert len(lines) - told[-1] in (0, 20)
        whole(lines)
