"""Plant faults into the code and see whether the tests notice: ``python -m tests.planted WHERE --count N --seed S``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.planted.choosing import could_see
from tests.planted.faults import Where, sample
from tests.planted.planting import warm_up
from tests.planted.report import report
from tests.planted.running import ALL, CODE, KEPT, Known, outcomes, state_of
from tests.planted.seeing import find_code_seen


def main() -> int:
    """Print each survivor and the score."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted")
    parser.add_argument("where", type=Path, nargs="+", help="files and folders of engine/ and events/")
    parser.add_argument("--without", type=Path, nargs="*", default=[], help="files and folders of them to leave out")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=float, default=30, help="seconds of tests that a fault may meet")
    parser.add_argument("--tests", nargs="*", help="the tests that could see it")
    parser.add_argument("--kept", type=Path, default=KEPT, help="where to keep what was found out, to go on from there")
    given = parser.parse_args()
    where = Where(tuple(one.resolve() for one in given.where), tuple(one.resolve() for one in given.without))
    tests = given.tests or could_see(where)
    given.kept.mkdir(exist_ok=True)
    code, everything = (f"{where.name}-{state_of(rooms)}" for rooms in (CODE, ALL))
    known = Known(killed=given.kept / f"{code}.killed", survived=given.kept / f"{everything}.left")
    tests_seen = find_code_seen(where, tests, given.kept / f"{everything}.json")
    warm_up()
    drawn = sample(where, given.count, given.seed)
    found = {}
    for fault, what in outcomes(drawn, tests_seen, known, given.jobs, given.most):
        found[fault] = what
        print(f"{len(found):>4} of {len(drawn)}  {fault.file}:{fault.line} {fault.operator}: {what}", flush=True)
    print(report(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
