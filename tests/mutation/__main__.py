"""Plant faults into the code and see whether the tests notice: ``python -m tests.mutation WHERE --count N --seed S``.

The faults drawn are a session of cosmic-ray. Its HTTP workers plant them, each into a copy of the checkout of its own.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from cosmic_ray.config import ConfigDict, serialize_config
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, WorkerOutcome, WorkItem, WorkResult

from tests.mutation.faults import ROOT, is_equivalent, list_code, sample
from tests.mutation.report import EQUIVALENT, KILLED, SURVIVED, report
from tests.mutation.seeing import could_see, look

CODE = ("engine", "events", "tools")
ALL = (*CODE, "tests", "replays", "encounters")
COSMIC_RAY = str(Path(sys.executable).with_name("cosmic-ray"))

IGNORED = shutil.ignore_patterns(".git", ".venv", ".hypothesis", ".*_cache", "__pycache__")
SECONDS = 20
"""What starting, importing and collecting may take beside the tests."""

PATIENCE = 4
"""How much longer than measured the tests of a fault may take: other work goes on beside them."""


def digest_state(rooms: Sequence[str]) -> str:
    """Return what changes whenever any file in some folders changes."""
    digest = sha256()
    for file in sorted(file for room in rooms for file in (ROOT / room).rglob("*") if file.is_file()):
        if "__pycache__" not in file.parts:
            digest.update(str(file).encode() + sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def fill_session(session: Path, drawn: Sequence[MutationSpec]) -> None:
    """Write faults into a new session; those that change nothing are skipped."""
    with use_db(session, WorkDB.Mode.create) as database:
        items = [WorkItem.single(f"{nth}", fault) for nth, fault in enumerate(drawn)]
        database.add_work_items(items)
        skipped = [item.job_id for item in items if is_equivalent(item.mutations[0])]
        database.set_multiple_results(skipped, WorkResult(WorkerOutcome.SKIPPED, output=EQUIVALENT))


def forget_survivors(session: Path) -> None:
    """Let survivors be tried again, as tests have changed: what was killed stays known."""
    with sqlite3.connect(session) as database:
        database.execute("delete from work_results where test_outcome = 'SURVIVED'")


def read_outcomes(session: Path) -> Iterator[tuple[MutationSpec, str]]:
    """Yield each fault of a session that was tried or skipped, with what came of it."""
    with use_db(session, WorkDB.Mode.open) as database:
        for item, result in database.completed_work_items:
            skipped = result.worker_outcome == WorkerOutcome.SKIPPED
            yield item.mutations[0], EQUIVALENT if skipped else KILLED if result.is_killed else SURVIVED


@contextmanager
def start_worker(source: Path) -> Iterator[str]:
    """Start a worker of cosmic-ray in a copy of some code; yield its address."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(source, copy, symlinks=True)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        path = {"PYTHONPATH": f"{copy / 'src'}{os.pathsep}{copy}", "AFFRAY_PROFILE": "few"}
        command = [COSMIC_RAY, "http-worker", "--port", str(port)]
        with subprocess.Popen(command, cwd=copy, env={**os.environ, **path}, stdout=subprocess.DEVNULL) as worker:
            try:
                while worker.poll() is None and not _listens(port):
                    time.sleep(0.1)
                yield f"http://127.0.0.1:{port}"
            finally:
                worker.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


def copy_checkout(to: Path) -> Path:
    """Copy the checkout, its code compiled so that a file that is changed within a second is noticed."""
    shutil.copytree(ROOT, to, symlinks=True, ignore=IGNORED)
    compiling = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", *CODE]
    subprocess.run(compiling, cwd=to, check=True)
    return to


def execute(session: Path, seen: Path, jobs: int, most: float) -> None:
    """Let workers try what is left of a session, after the tests have passed without any fault."""
    config = session.with_suffix(".toml")
    with TemporaryDirectory() as folder, ExitStack() as stack:
        code = copy_checkout(Path(folder) / "code")
        urls = [stack.enter_context(start_worker(code)) for _ in range(jobs)]
        settings = ConfigDict(
            {
                "timeout": SECONDS + PATIENCE * most,
                "test-command": f"{sys.executable} -m tests.mutation.meet {seen} {most} {ROOT}",
                "distributor": {"name": "http", "http": {"worker-urls": urls}},
            }
        )
        config.write_text(serialize_config(settings), "utf-8")
        subprocess.run([COSMIC_RAY, "baseline", str(config)], check=True)
        subprocess.run([COSMIC_RAY, "exec", str(config), str(session)], check=True)


def main() -> int:
    """Print each survivor and the score."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("where", type=Path, nargs="+", help="files and folders of engine/ and events/")
    parser.add_argument("--without", type=Path, nargs="*", default=[], help="files and folders of them to leave out")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=float, default=30, help="seconds of tests that a fault may meet")
    parser.add_argument("--tests", nargs="*", help="the tests that could see it")
    parser.add_argument("--kept", type=Path, default=ROOT / ".mutation_cache", help="where sessions are kept")
    given = parser.parse_args()
    files = list_code(*([one.resolve() for one in some] for some in (given.where, given.without)))
    tests = given.tests or could_see(files)
    given.kept.mkdir(exist_ok=True)
    what = sha256(repr((files, given.count, given.seed, tests)).encode()).hexdigest()[:16]
    session = given.kept / f"{what}-{digest_state(CODE)}.sqlite"
    seen = given.kept / f"{what}-{digest_state(ALL)}.json"
    if not session.exists():
        fill_session(session, sample(files, given.count, given.seed))
    if not seen.exists():
        look(files, tests, seen)
        forget_survivors(session)
    with use_db(session, WorkDB.Mode.open) as database:
        left = database.num_work_items - database.num_results
    if left:
        execute(session, seen, given.jobs, given.most)
    print(report(read_outcomes(session)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
