"""A log that is changed under the server: it is said at once, its fight stands still, and the others go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from litestar.exceptions import WebSocketDisconnect

from affray.engine.errors import Altered
from affray.engine.history.log import read_log
from affray.engine.stores import FileStore, Store
from affray.tools.server import sessions as seats
from affray.tools.server import websocket
from affray.tools.server.integrity_check import check_known
from tests.serve.meddling import KINDS, overwrite_lines, split_commands, store_of
from tests.serve.server import Server, Somebody, serve_duel
from tests.test_replays import REPLAYS
from tests.tools.program import ENCOUNTER

Lines = list[bytes]


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """A store of each kind."""
    return store_of(request.param, tmp_path)


@pytest.fixture
def server(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server of a duel that has begun, and of another one."""
    monkeypatch.setattr(seats, "AGAIN_SECONDS", 0)
    with serve_duel(store) as running:
        running.host.asks("POST", "/api/fights", {"id": "other", "toml": ENCOUNTER, "dice": "entered"})
        running.gm.does("gm begin", "roll 15", "roll 3")
        yield running


def older(lines: Lines, _: Lines) -> Lines:
    """An older copy."""
    return lines[: split_commands(lines)[-2][0]]


def much_older(lines: Lines, _: Lines) -> Lines:
    """A copy from before the first command."""
    return lines[: split_commands(lines)[0][0]]


def of_another(_: Lines, other: Lines) -> Lines:
    """The log of another fight, which has not come so far."""
    return other


def of_another_as_long(lines: Lines, other: Lines) -> Lines:
    """Return another log with the same last position."""
    last = other[-1].replace(b'"position":9', b'"position":%d' % len(lines), 1)
    return [*other, *lines[len(other) : -1], last]


def another_end(lines: Lines, _: Lines) -> Lines:
    """Return a log of the same length with another last line."""
    return [*lines[:-1], break_hash(lines[-1])]


def break_hash(line: bytes) -> bytes:
    """Return a line with a wrong hash."""
    at = line.index(b'"hash":"') + 8
    return line[:at] + (b"1" if line[at : at + 1] == b"0" else b"0") + line[at + 1 :]


ENDS = (older, much_older, of_another, of_another_as_long, another_end)


def is_alteration_reported(answer: Any) -> bool:
    """Tell whether an answer reports a changed log and nothing else."""
    problem = answer.json()
    assert "changed under the server" in problem["detail"]
    return (answer.status_code, problem["code"]) == (503, "altered")


@pytest.mark.parametrize("way", ENDS)
def test_a_fight_whose_log_was_replaced_stands_still(
    server: Server, store: Store, way: Callable[[Lines, Lines], Lines], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its commands and questions are refused at once, the others go on, and so does it once its log is whole."""
    lines = store.read("duel")
    asked: list[str] = []
    with server.client.websocket_connect("/api/fights/duel/feed") as feed:
        feed.send_json({"token": server.spectator.token})
        while feed.receive_json()["type"] != "ready":
            pass
        overwrite_lines(store, "duel", way(lines, store.read("other")))
        with monkeypatch.context() as counting:
            for name in ("since", "append", "read", "lines"):
                counting.setattr(type(store), name, count_calls(getattr(type(store), name), name, asked))
            assert is_alteration_reported(server.ilse.says("ilse ready"))
            assert len(asked) <= 5
        assert feed.receive_json() == {"type": "halted", "head": len(lines)}
        with pytest.raises(WebSocketDisconnect) as closed:
            feed.receive_json()
        assert closed.value.code == websocket.HALTED
    assert is_alteration_reported(server.gm.looks("/state"))
    assert is_alteration_reported(server.gm.looks("/feed"))
    assert is_alteration_reported(server.gm.looks("/log.jsonl"))
    there = way(lines, store.read("other"))
    assert store.read("duel") == there
    Somebody(server.client, server.host.token, "other").does("gm begin", "roll 15", "roll 3")
    overwrite_lines(store, "duel", lines)
    server.ilse.does("ilse ready")
    assert store.read("duel")[: len(lines)] == lines


def count_calls(work: Callable[..., Any], name: str, asked: list[str]) -> Callable[..., Any]:
    """Note that a store is asked."""

    def ask(*about: Any, **more: Any) -> Any:
        asked.append(name)
        return work(*about, **more)

    return ask


def test_between_two_looks_nobody_reads_the_log(server: Server, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a fight that stands still costs nothing."""
    lines = store.read("duel")
    monkeypatch.setattr(seats, "AGAIN_SECONDS", 600)
    overwrite_lines(store, "duel", older(lines, []))
    assert is_alteration_reported(server.ilse.says("ilse ready"))
    with monkeypatch.context() as untouchable:
        for name in ("since", "append", "read", "lines"):
            untouchable.setattr(type(store), name, lambda *_: 1 / 0)
        assert is_alteration_reported(server.ilse.says("ilse ready"))
        assert is_alteration_reported(server.gm.looks())


def test_a_line_that_is_changed_in_the_middle_is_found_by_looking_over(server: Server, store: Store) -> None:
    """Though the head is what it was, and though a line keeps its length."""
    lines = store.read("duel")
    overwrite_lines(store, "duel", [*lines[:4], lines[4].replace(b"T", b"U", 1), *lines[5:]])
    assert looked_over(server) == ["duel"]
    assert is_alteration_reported(server.gm.says("ilse ready"))
    assert looked_over(server) == []
    overwrite_lines(store, "duel", lines)
    server.ilse.does("ilse ready")
    assert looked_over(server) == []


def looked_over(server: Server) -> list[str]:
    """Let the server look over what it has open."""
    with server.client.portal() as portal:
        found: list[str] = portal.call(server.app.state.server.fights.check_logs)
        return found


def test_a_fight_that_was_removed_is_missing(server: Server, store: Store) -> None:
    """The answer says so; the fight returns with its log, and another one of that name is new."""
    lines = store.read("duel")
    with server.client.websocket_connect("/api/fights/duel/feed") as feed:
        feed.send_json({"token": server.spectator.token})
        while feed.receive_json()["type"] != "ready":
            pass
        overwrite_lines(store, "duel", [])
        for answer in (server.ilse.says("ilse ready"), server.spectator.looks("/state"), server.gm.looks("/log.jsonl")):
            assert (answer.status_code, answer.json()["code"]) == (404, "missing")
            assert answer.json()["detail"] == "there is no fight duel any more"
        assert feed.receive_json()["type"] == "halted"
    overwrite_lines(store, "duel", lines)
    server.ilse.does("ilse ready")
    overwrite_lines(store, "duel", [])
    if isinstance(store, FileStore):
        (store.folder / "duel.key").unlink(missing_ok=True)
    begun = server.host.asks("POST", "/api/fights", {"id": "duel", "toml": ENCOUNTER, "dice": "entered"})
    assert begun.status_code == 201, begun.text
    server.gm.does("gm begin")


def test_a_log_that_is_replaced_while_a_command_runs_gets_none_of_it(server: Server, store: Store) -> None:
    """Between the look at its head and the writing."""
    lines = store.read("duel")
    append = store.append

    def late(fight: str, new: Sequence[bytes], after: int, hash: str = "") -> None:
        overwrite_lines(store, "duel", another_end(lines, []))
        append(fight, new, after, hash)

    store.append = late  # type: ignore[method-assign, assignment]
    assert is_alteration_reported(server.ilse.says("ilse ready"))
    assert store.read("duel") == another_end(lines, [])


def test_a_file_that_is_exchanged_while_it_is_written_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands in the old file are not reported as recorded."""
    store = FileStore(tmp_path)
    with serve_duel(store) as running:
        path, write = store.path("duel"), FileStore._write

        def exchanged(self: FileStore, file: int, content: bytes) -> None:
            path.with_suffix(".new").write_bytes(path.read_bytes())
            path.with_suffix(".new").replace(path)
            write(self, file, content)

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(FileStore, "_write", exchanged)
            assert is_alteration_reported(running.gm.says("gm begin"))


def test_a_database_that_was_exchanged_is_not_written_any_more(tmp_path: Path) -> None:
    """A server goes on with what has its name now, not with what has none."""
    store = store_of("sqlite", tmp_path)
    with serve_duel(store) as running:
        lines = store.read("duel")
        (tmp_path / "club.db").replace(tmp_path / "before.db")
        for beside in ("club.db-wal", "club.db-shm"):
            (tmp_path / beside).unlink(missing_ok=True)
        store_of("sqlite", tmp_path).begin("duel", [break_hash(line) for line in lines], None)
        assert is_alteration_reported(running.gm.says("gm begin"))
        assert len(store.read("duel")) == len(lines)


def test_a_log_that_goes_on_is_known(server: Server, store: Store) -> None:
    """Lines after the known part are not checked here."""
    recorded = server.app.state.server.fights.find_snapshot("duel").history.recorded
    check_known(store, "duel", recorded)
    check_known(store, "duel", recorded[:3])
    with pytest.raises(Altered):
        check_known(store, "duel", [*recorded, recorded[-1]])


@pytest.mark.parametrize("log", sorted(REPLAYS.glob("*/*.jsonl")), ids=lambda log: log.stem)
def test_a_log_of_an_older_format_is_known_too(log: Path) -> None:
    kept = FileStore(log.parent)
    check_known(kept, log.stem, read_log(kept.read(log.stem)))


def test_a_log_that_goes_back_while_it_is_closed_for_a_fault_is_noticed(server: Server, store: Store) -> None:
    """The known part is remembered, though the fight is opened again."""
    lines = store.read("duel")
    seat = server.app.state.server.fights._open["duel"]
    overwrite_lines(store, "duel", older(lines, []))
    seat.fight = None
    assert is_alteration_reported(server.gm.looks("/state"))
