"""The examples of the HTTP page are run: a server, and its session in a shell with curl."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import pytest

from affray.engine import limits as bounds
from affray.engine.commands import MANY
from affray.tools.api.problem_details import KINDS
from affray.tools.api.schemas import fights as schemas
from affray.tools.server import (
    app,
    downloads,
    error_mapping,
    grants,
    header_limits,
    hub,
    open_fights,
    slow_clients,
    subscription,
    websocket,
)
from affray.tools.server import commands as carrying
from affray.tools.server import sessions as seats
from tests.tools.program import AFFRAY, surroundings

PAGE = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")
(SESSION,) = re.findall(r"^## A session\n(.*?)^## ", PAGE, re.DOTALL | re.MULTILINE)
BLOCKS = re.findall(r"^```sh\n(.*?)^```(?:\n\n```text\n(.*?)^```)?", SESSION, re.DOTALL | re.MULTILINE)
SERVER, STEPS = BLOCKS[0][0], BLOCKS[1:]

PAGE_SAYS = "http://127.0.0.1:8000"
STOPPED = "^C\n"
END = "\0"
PATIENCE_SECONDS = 120


class Shell:
    """A shell that runs the page's lines."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._said, self._shown = process.stdin, process.stdout
        self._type("trap : INT\n")  # as where somebody types: what runs is interrupted, and not the shell

    def shows(self, lines: str) -> str:
        """Return the output of lines that end without interruption."""
        self._type(f"{lines}printf '\\0'\n")
        return self._until(lambda shown: shown.endswith(END)).removesuffix(END)

    def shows_until(self, lines: str, count: int) -> str:
        """Return the first lines of what goes on until it is interrupted, and interrupt it."""
        self._type(lines)
        shown = self._until(lambda shown: shown.count("\n") == count)
        os.killpg(self._process.pid, signal.SIGINT)
        return shown

    def _type(self, lines: str) -> None:
        self._said.write(lines)
        self._said.flush()

    def _until(self, done: Callable[[str], bool]) -> str:
        shown = ""
        while not done(shown):
            one = self._shown.read(1)
            assert one, f"the shell has gone; it showed {shown}"
            shown += one
        return shown


@contextmanager
def running(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run something in a folder, with the program in reach, for as long as it is needed and not for ever."""
    path = f"{AFFRAY.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=surroundings(PATH=path, PYTHONUNBUFFERED="1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    patience = Timer(PATIENCE_SECONDS, process.kill)
    patience.start()
    try:
        yield process
    finally:
        patience.cancel()
        process.terminate()
        process.communicate(timeout=30)


def curl() -> None:
    """See that it is there: say loudly if not, and fail where everything has to run."""
    if shutil.which("curl") is None:
        words = "no curl on this machine: the session of docs/http.md is not tested"
        if os.environ.get("CI"):
            pytest.fail(words)
        pytest.skip(words)


def test_the_session_shows_what_the_page_says(tmp_path: Path) -> None:
    """With nothing put in but the server's port."""
    curl()
    with running(tmp_path, "env", *shlex.split(SERVER), "--port", "0") as server:
        assert server.stdout is not None
        base = next(found[1] for line in server.stdout if (found := re.match(r"Listening on (http://[\w.:]+);", line)))
        with running(tmp_path, "bash") as process:
            shell = Shell(process)
            for lines, told in STEPS:
                due, typed = told.replace(PAGE_SAYS, base), lines.replace(PAGE_SAYS, base)
                if due.endswith(STOPPED):
                    due = due.removesuffix(STOPPED)
                    shown = shell.shows_until(typed, due.count("\n"))
                else:
                    shown = shell.shows(typed)
                assert re.fullmatch(re.escape(due.strip()).replace("…", ".*"), shown.strip(), re.DOTALL), shown


# --- tables ---


def list_section_rows(title: str) -> list[list[str]]:
    """The rows of a section's table, without its head."""
    (section,) = re.findall(rf"^## {title}\n(.*?)(?:^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    (rows,) = re.findall(r"^\| ---.*\n((?:\|.*\n)+)", section, re.MULTILINE)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()]


def test_the_page_names_every_status() -> None:
    statuses = {int(status) for _, (status, _) in KINDS.items()} | {int(status) for status in error_mapping._TITLES}
    named = {int(status) for status, _ in list_section_rows("Problems")}
    assert statuses - named == {405, 415, 500}  # what no well-meant request meets
    assert named - statuses == {431}


def test_the_page_names_the_limits() -> None:
    told = str(list_section_rows("Limits"))
    assert app.BODY_BYTES == 256 << 10
    assert header_limits.HEAD_BYTES == 64 << 10
    assert "256 KiB" in told
    assert "64 KiB; 15 seconds" in told
    assert header_limits.HEAD_SECONDS == 15
    for number in (
        *(
            bounds.LONGEST,
            bounds.MOST,
            bounds.MOST_COMBATANTS,
            bounds.MOST_DICE,
            MANY,
            schemas.LINES,
            subscription.LAG_LINES,
        ),
        *(downloads.MOST_OF_ONE, downloads.MOST_OF_ALL, carrying.TRIES, carrying.PATIENCE_SECONDS),
        *(hub.MOST_FOLLOWERS, hub.MOST_SPECTATORS, open_fights.MOST_FIGHTS, grants.MOST_GRANTS),
    ):
        assert f"{number:,.0f}" in told
    assert downloads.PART_BYTES == slow_clients.PACE_BYTES == 64 << 10
    assert header_limits.BODY_SECONDS == slow_clients.MESSAGE_SECONDS == slow_clients.PACE_SECONDS == 30
    assert (seats.AGAIN_SECONDS, app.FORGET_SECONDS) == (5, 60)  # told beside the table


def test_the_page_names_how_a_websocket_is_closed() -> None:
    (section,) = re.findall(r"^## The WebSocket\n(.*?)^## ", PAGE, re.DOTALL | re.MULTILINE)
    codes = {int(code) for code in re.findall(r"^\| (\d{4}) \|", section, re.MULTILINE)}
    assert codes == {websocket.REFUSED, websocket.LAGGING, websocket.HALTED, websocket.RESTARTING, 1009}
