"""Several processes and one stream: nothing is lost, nothing interleaves, nothing is left half written."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import pytest

from affray.engine import StoreFailed
from affray.events import GENESIS, read_line, verify
from tests.engine import postgres
from tests.engine.writers import FAILED, FIGHT, KINDS, begin_shared_fight, open_store_of_kind, place, write, write_on

PATIENCE = 60

_ELSEWHERE = get_context("forkserver")
_ELSEWHERE.set_forkserver_preload(["tests.engine.writers"])

each_kind = pytest.mark.parametrize("kind", KINDS)


class Writer:
    """Another process, which calls one of the writers."""

    def __init__(self, call: Callable[..., None], *said: object) -> None:
        self._told, telling = _ELSEWHERE.Pipe(duplex=False)
        self._process = _ELSEWHERE.Process(target=call, args=(telling, *said), daemon=True)
        self._process.start()
        telling.close()

    def told(self) -> int:
        """Return what it tells next.

        Raises:
            EOFError: It has ended.
        """
        assert self._told.poll(PATIENCE)
        told: int = self._told.recv()
        return told

    def rest(self) -> list[int]:
        """Return what it told until it had ended."""
        rest = []
        with suppress(EOFError):
            while True:
                rest.append(self.told())
        self._process.join(PATIENCE)
        return rest

    def kill(self) -> list[int]:
        """End it in the middle of what it does; return what it still told."""
        self._process.kill()
        rest = self.rest()
        assert self._process.exitcode == -signal.SIGKILL
        return rest


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


@each_kind
def test_eight_writers_lose_nothing_and_never_interleave(kind: str, tmp_path: Path) -> None:
    """Each appends 12 commands, again where another was faster; all are there once, in one piece and in order."""
    at = place(kind, tmp_path)
    store = open_store_of_kind(kind, at)
    begin_shared_fight(store)
    writers = [Writer(write, kind, at, name, 12) for name in "abcdefgh"]
    assert [writer.rest() for writer in writers] == [[12]] * 8
    ids = whole(store.read(FIGHT))
    for name in "abcdefgh":
        assert [id for id in ids if id.startswith(name)] == [f"{name}{nth}" for nth in range(12)]
    assert len(ids) == len(set(ids)) == 8 * 12 + 1


@each_kind
def test_a_killed_writer_leaves_only_whole_commands(kind: str, tmp_path: Path) -> None:
    """Killed repeatedly, it leaves a log that opens at once, has all reported commands, and continues."""
    at = place(kind, tmp_path)
    begin_shared_fight(open_store_of_kind(kind, at))
    for appends in (1, 2, 3, 5, 8, 13, 21, 34):
        writer = Writer(write_on, kind, at)
        told = [writer.told() for _ in range(appends)] + writer.kill()
        lines = open_store_of_kind(kind, at).read(FIGHT)
        assert len(lines) - told[-1] in (0, 20)
        whole(lines)


def test_a_killed_database_keeps_whatever_it_confirmed(tmp_path: Path) -> None:
    """Killed during a write, it restarts with whole commands only, and the store reconnects."""
    at = place("postgres", tmp_path)
    store = open_store_of_kind("postgres", at)
    begin_shared_fight(store)
    for appends in (1, 4, 16):
        writer = Writer(write_on, "postgres", at)
        told = [writer.told() for _ in range(appends)]
        postgres.server().kill()
        *rest, last = writer.rest()
        assert last == FAILED
        with pytest.raises(StoreFailed, match=r"connection .* failed"):
            store.read(FIGHT)
        postgres.server().start()
        lines = store.read(FIGHT)
        assert len(lines) - (told + rest)[-1] in (0, 20)
        whole(lines)
