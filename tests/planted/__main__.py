"""Plant faults into the code and see whether the tests notice: ``python -m tests.planted WHERE --count N --seed S``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.planted.faults import ROOT, sample
from tests.planted.planting import warm_up
from tests.planted.report import report
from tests.planted.running import KEPT, outcomes, state_of_the_code
from tests.planted.seeing import seen


def tests_of(where: Path) -> list[str]:
    """Return what pytest is told to run the tests that could see a fault there, and see it in this process."""
    parts = where.relative_to(ROOT).parts
    shared = ["tests/rulesets/test_scenarios.py", "tests/test_replays.py"]
    if parts[:2] == ("engine", "rulesets") and len(parts) > 2:
        return [*shared, f"tests/rulesets/{parts[2]}", "tests/engine/test_policies.py", "-k", parts[2]]
    return [*shared, "tests/events", "tests/engine"]


def main() -> int:
    """Print each survivor and the score."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted")
    parser.add_argument("where", type=Path, help="a file or folder of engine/ or events/")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=float, default=30, help="seconds of tests that a fault may meet")
    parser.add_argument("--tests", nargs="*", help="the tests that could see it")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where to keep what was found out, to go on from there")
    given = parser.parse_args()
    where = given.where.resolve()
    tests = given.tests or tests_of(where)
    given.kept.mkdir(exist_ok=True)
    place = str(where.relative_to(ROOT)).replace("/", ".") + "-" + state_of_the_code()
    known = seen(where, tests, given.kept / f"{place}.json")
    warm_up()
    drawn = sample(where, given.count, given.seed)
    found = {}
    for fault, what in outcomes(drawn, known, given.kept / f"{place}.jsonl", given.jobs, given.most):
        found[fault] = what
        print(f"{len(found):>4} of {len(drawn)}  {fault.file}:{fault.line} {fault.operator}: {what}", flush=True)
    print(report(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
