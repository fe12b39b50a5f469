"""The installed program, as a person or a script runs it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, NamedTuple

import msgspec

from affray.engine.commands import Command
from affray.engine.fight import Fight
from affray.engine.opening import begin_fight, open_fight
from affray.engine.stores import FileStore
from affray.tools.parse import intent_parser
from tests.tools import warm

THEN = "2026-01-01T00:00:00.000Z"
"""When everything happened that a test finds recorded already."""

AT_START = ("PYTHON", "LC_", "LANG", "TZ")
"""How variables begin that a process looks at only when it starts."""

AFFRAY = Path(sys.executable).with_name("affray")

ENCOUNTER = """\
system = "vestige"
name = "A duel"

[[combatant]]
name = "Ilse"
side = "red"
block = "hero"
weapons = ["sword"]

[[combatant]]
name = "Bram"
side = "blue"
agility = 12
might = 3
health = 8
weapons = ["sword", "bow"]

[[distance]]
between = ["ilse", "bram"]
metres = 1
"""


class Ran(NamedTuple):
    """The result of a run of the program."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The JSON on standard output."""
        return msgspec.json.decode(self.out)


def surroundings(**variables: str) -> dict[str, str]:
    """The environment of a run: nothing of ours but what is given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AFFRAY")}
    return {**kept, "COLUMNS": "100", **variables}


def affray(
    folder: Path, *words: str, said: str = "", before: Callable[[], None] | None = None, **variables: str
) -> Ran:
    """Run the installed program in a folder and wait for it."""
    env = surroundings(**variables)
    if before is None and not any(name.startswith(AT_START) for name in variables):
        code, *told = run_warm(folder, words, env, said.encode())
        return Ran(code, *(TextIOWrapper(BytesIO(one), "utf-8").read() for one in told))
    done = subprocess.run(
        [AFFRAY, *words],
        cwd=folder,
        input=said,
        capture_output=True,
        text=True,
        timeout=60,
        env=env,
        preexec_fn=before,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def run_warm(
    folder: Path, words: Sequence[str], env: Mapping[str, str], given: bytes = b""
) -> tuple[int, bytes, bytes]:
    """Run the program from what is imported already; return its exit code, its output and its complaints."""
    with TemporaryFile() as into, TemporaryFile() as out, TemporaryFile() as err:
        into.write(given)
        into.seek(0)
        code = warm.run(folder, words, env, (into, out, err))
        out.seek(0)
        err.seek(0)
        return code, out.read(), err.read()


class Running:
    """The installed program in a folder, running until it is ended.

    Attributes:
        out: What it says, line by line.
        err: All of what it complained about.
    """

    def __init__(self, folder: Path, *words: str) -> None:
        read, write = os.pipe()
        with ExitStack() as streams, TemporaryFile() as none, os.fdopen(write, "wb") as out:
            self.out = streams.enter_context(os.fdopen(read, encoding="utf-8"))
            self._err = streams.enter_context(TemporaryFile())
            self._process = warm.start(folder, words, surroundings(), (none, out, self._err))
            self._streams = streams.pop_all()
        self._code: int | None = None

    @property
    def err(self) -> str:
        self._err.seek(0)
        return self._err.read().decode()

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        """End it by a signal, if it has not ended already; return its exit code."""
        if self._code is None:
            os.kill(self._process, how)
            self._code = warm.wait(self._process)
        return self._code

    def close(self) -> None:
        """End it, and let go of what it said."""
        self.end()
        self._streams.close()


def start_program(folder: Path, *words: str, **streams: Any) -> subprocess.Popen[str]:
    """Start the installed program in a folder, without waiting for it."""
    return subprocess.Popen([AFFRAY, *words], cwd=folder, text=True, env=surroundings(), **streams)


def duel(folder: Path) -> Path:
    """Leave a duel with real dice in a folder, on Ilse's first turn; return its log."""
    (folder / "duel.toml").write_text(ENCOUNTER, "utf-8")
    content = msgspec.toml.decode(ENCOUNTER)
    fight = begin_fight(
        "duel", content, who="gm", seed=None, store=FileStore(folder), clock=lambda: "2026-01-01T00:00:00.000Z"
    )
    for number, line in enumerate(("gm begin", "roll 15", "roll 3"), 1):
        fight.submit(Command(id=f"c{number}", who="gm", intent=intent_parser.intent(fight, line)))
    return folder / "duel.jsonl"


def rebuild_from_log(log: Path) -> Fight:
    """Return the fight as a next process reads it."""
    return open_fight(log.stem, FileStore(log.parent))
