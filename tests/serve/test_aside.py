"""Work beside the event loop is bounded over all links: one link more brings no thread more."""

from __future__ import annotations

import ast
import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, current_thread

import pytest

from affray.engine.forking import ForkRequest, fork_fight
from affray.engine.stores import FileStore
from affray.tools import server
from affray.tools.server import open_fights, worker_threads
from affray.tools.server.routes import home
from affray.tools.server.worker_threads import compute, read_in_thread
from tests.serve.server import Server, Somebody, create_token, serve_duel, serving, token_in
from tests.tools.program import ENCOUNTER

PATIENCE = 30

UNBOUNDED = {
    ("open_fights.py", "call_store"),  # a store across a network: it waits, and does not compute
    ("open_fights.py", "check_logs"),  # one fight after the other
    ("open_fights.py", "_create"),  # forks: one at a time of a fight; see below
    ("open_fights.py", "compute_once"),  # once for a record
    ("sessions.py", "run_in_thread"),  # holds the lock of its fight
    ("documents.py", "use_documents"),  # a store across a network
}
"""The functions that may use the server's large pool of threads, with what bounds each."""


def test_nothing_else_uses_the_large_pool_of_threads() -> None:
    found = set()
    for path in Path(server.__file__).parent.rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.unparse(function)
                if "asyncio.to_thread" in text or "run_in_executor(None" in text:
                    found.add((path.name, function.name))
    assert found == UNBOUNDED


@pytest.mark.parametrize(("run", "most"), [(compute, 2), (read_in_thread, 4)])
def test_however_many_ask_few_threads_answer(run: object, most: int) -> None:
    async def ask() -> list[str]:
        return await asyncio.gather(*(run(lambda: current_thread().name) for _ in range(50)))  # type: ignore[operator]

    assert len(set(asyncio.run(ask()))) <= most


def test_a_fight_with_many_links_makes_one_code_at_a_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client of another fight gets its code meanwhile."""
    began, ends, made = Event(), Event(), []

    def slowly(link: str) -> str:
        made.append(link)
        if link.startswith("long"):
            began.set()
            assert ends.wait(PATIENCE)
        return "<svg/>"

    monkeypatch.setattr(home, "render_svg_code", slowly)
    opened = server.host.asks("POST", "/api/fights", {"id": "other", "toml": ENCOUNTER, "dice": "entered"})
    other = Somebody(server.client, token_in(opened.json()["links"]["gm"]))
    masters = [Somebody(server.client, create_token(server.gm, "gm", f"g{nth}")) for nth in range(4)]
    with ThreadPoolExecutor(5) as people:
        first = people.submit(server.gm.asks, "POST", "/api/code", {"link": "long"})
        assert began.wait(PATIENCE)
        more = [people.submit(one.asks, "POST", "/api/code", {"link": "long too"}) for one in masters]
        assert other.asks("POST", "/api/code", {"link": "short"}).status_code == 200
        assert made == ["long", "short"]
        ends.set()
        assert [one.result(PATIENCE).status_code for one in (first, *more)] == [200] * 5


def test_forks_of_a_fight_begin_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reads its whole record."""
    with serve_duel(tmp_path):
        pass
    here, at_once, most = serving(FileStore(tmp_path)), [0], [0]

    def counted(*about: object, **more: object) -> object:
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        try:
            return fork_fight(*about, **more)  # type: ignore[arg-type]
        finally:
            at_once[0] -= 1

    async def begin() -> None:
        wanted = (ForkRequest(parent="duel", name=f"duel-{nth}", who="gm") for nth in range(8))
        await asyncio.gather(*map(here.fights.fork, wanted))

    monkeypatch.setattr(open_fights, "fork_fight", counted)
    asyncio.run(begin())
    assert most == [1]
    assert worker_threads.CODING.at_once == 1
