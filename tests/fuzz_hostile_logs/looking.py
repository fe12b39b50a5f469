"""All commands that read or write a log, run on hostile logs within this process; and a long run of them.

``python -m tests.fuzz_hostile_logs.looking FIRST LAST READS WRITES`` runs READS reading and WRITES writing commands
on each of the mutants from FIRST to LAST.
"""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from affray.engine.stores import FileStore
from affray.tools.api.problem_details import problem_of
from affray.tools.cli.exit_codes import UNUSABLE
from affray.tools.cli.main import main, run
from affray.tools.parse.faults import KNOWN
from affray.tools.pipe.handlers import handle_request
from affray.tools.pipe.requests import read_request
from affray.tools.pipe.session import PipeSession
from tests.fuzz_hostile_logs.mutants import make_stranger_mutant

READS = (
    "show", "show --json", "show --at N", "legal", "legal --json", "log", "log --verbose", "log --undone",
    "log --verbose --undone", "log --chances", "log --chances --undone", "log --json", "explain N", "explain N --json",
    "explain N --html -", "replay", "replay --undone", "replay --json", "replay --to N", "stats", "stats --json",
    "export --format markdown", "export --format html", "export --format rolls", "export --format events",
    "compare --lane N", "regress", "audit --roll N",
)  # fmt: skip
"""What only looks; N is any position."""

WRITES = (
    "undo", "undo --to N", "undo --commands 3", "undo --fresh-dice", "redo", "redo --lane N", "rule note x --reason y",
    "amend N --retract --reason y --accept", "fork --at N -o fork.jsonl", "close --unfinished", "stir salt",
    "answer pass", "do nobody attack",
)  # fmt: skip
"""What would write."""

PIPED: tuple[dict[str, Any], ...] = (
    {"do": "open"}, {"do": "state"}, {"do": "state", "at": 1}, {"do": "legal"}, {"do": "log"},
    {"do": "explain", "position": 2}, {"do": "follow", "after": 0}, {"do": "close", "unfinished": True},
)  # fmt: skip
"""What another program asks through a pipe."""

BUG = -1
"""What stands for the exit code of a command that ended in a traceback."""


class Looked(NamedTuple):
    """The result of one command.

    Attributes:
        words: The command.
        code: Its exit code.
        out, err: What it said.
        trace: The traceback, if there is one.
    """

    words: str
    code: int
    out: str = ""
    err: str = ""
    trace: str = ""

    @property
    def where(self) -> str:
        """The last lines of the traceback."""
        return " ".join(self.trace.split("\n")[-4:])


@contextmanager
def capture_output() -> Iterator[tuple[BytesIO, BytesIO]]:
    """Take what is printed."""
    out, err = BytesIO(), BytesIO()
    streams = [TextIOWrapper(stream, "utf-8", errors="backslashreplace", write_through=True) for stream in (out, err)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        yield out, err


def run_command_inside(words: list[str]) -> Looked:
    """Carry a command out within this process."""
    code, trace = BUG, ""
    with capture_output() as (out, err):
        try:
            code = run(main, words)
        except Exception:
            trace = traceback.format_exc()
        said = out.getvalue().decode(), err.getvalue().decode()
    return Looked(" ".join(words), code, *said, trace)


def look_through_pipe(log: Path) -> Looked:
    """Ask everything through a pipe; its exit code is 0 if it answers all, and 2 if it has something against any."""
    session, code = PipeSession(FileStore(log.parent), "gm"), 0
    try:
        for nth, request in enumerate(PIPED):
            asked = read_request(msgspec.json.encode({"id": f"p{nth}", "fight": log.stem, **request}))
            try:
                said, behind = handle_request(session, asked)
                msgspec.json.encode([said, *behind])
            except KNOWN as error:
                problem_of(error)
                code = 2
    except Exception:
        return Looked("pipe", BUG, trace=traceback.format_exc())
    return Looked("pipe", code)


def iterate_log_commands(log: Path, number: int, reads: int, writes: int) -> Iterator[list[str]]:
    """Yield some commands about a log."""
    dice = Random(number)
    lines = max(1, log.read_bytes().count(b"\n"))
    for said in (*dice.sample(READS, min(reads, len(READS))), *dice.sample(WRITES, min(writes, len(WRITES)))):
        name, *rest = said.split()
        words = [str(dice.randint(1, lines)) if word == "N" else word for word in rest]
        yield [name, str(log), *(str(log.with_name(word)) if word == "fork.jsonl" else word for word in words)]


def strangers(folder: Path, numbers: range, reads: int, writes: int) -> Iterator[tuple[str, Looked, str]]:
    """Yield how each mutant was made, what became of each command about it, and which files that changed.

    What was only half written may always be set aside.
    """
    log = folder / "stranger.jsonl"
    for number in numbers:
        made, content = make_stranger_mutant(number)
        log.write_bytes(content)
        ways = [partial(run_command_inside, words) for words in iterate_log_commands(log, number, reads, writes)]
        for way in (*ways, partial(look_through_pipe, log)):
            log.write_bytes(content)
            for other in folder.iterdir():
                if other != log:
                    other.unlink()
            looked = way()
            left = {other.name for other in folder.iterdir() if other != log or log.read_bytes() != content}
            yield made, looked, "" if log.with_suffix(".torn").name in left else " ".join(sorted(left))


def print_progress(counts: Counter[tuple[str, int]], holes: dict[str, list[str]]) -> None:
    """Print what a long run came to so far."""
    print(sum(counts.values()), "runs")
    for code in sorted({code for _, code in counts}):
        each = {name: count for (name, other), count in sorted(counts.items()) if other == code}
        print(f"  exit {code}: {sum(each.values())}  {each}")
    for where, found in sorted(holes.items(), key=lambda one: -len(one[1])):
        print(f"  {len(found)} × {where}\n{found[0]}")
    sys.stdout.flush()


def long_run(first: int, last: int, reads: int, writes: int) -> None:
    """Look at many mutants, and print what became of that."""
    counts: Counter[tuple[str, int]] = Counter()
    holes: dict[str, list[str]] = {}
    with TemporaryDirectory() as folder:
        for made, looked, changed in strangers(Path(folder), range(first, last), reads, writes):
            counts[looked.words.split()[0], looked.code] += 1
            if looked.code == BUG or (looked.code == UNUSABLE and changed):
                where = looked.where if looked.code == BUG else f"{looked.words.split()[0]} leaves {changed}"
                holes.setdefault(where, []).append(f"{looked.words}\n{made}\n{looked.trace}{looked.err}")
            if not sum(counts.values()) % 5000:
                print_progress(counts, holes)
    print_progress(counts, holes)


if __name__ == "__main__":
    long_run(*map(int, sys.argv[1:5]))
