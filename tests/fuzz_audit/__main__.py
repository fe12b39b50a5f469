"""Run mutants: ``python -m tests.fuzz_audit --count N --seed S [--jobs J] [--forged]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from multiprocessing import get_context

from tests.fuzz_audit.checking import Checked, bound_memory, check_mutant
from tests.fuzz_audit.mutant import forgery, mutant
from tests.fuzz_audit.table import MutantTable


def one(seed: int, forged: bool, number: int) -> tuple[str, str, str, Checked]:
    """Make and check one mutant; return its family, what became of its chain, and what it is."""
    made = (forgery if forged else mutant)(seed, number)
    return made.ways[0].family, made.fit, str(made), check_mutant(made)


def run(seed: int, forged: bool, numbers: range, jobs: int) -> Iterator[tuple[str, str, str, Checked]]:
    """Check mutants in separate processes."""
    with get_context("fork").Pool(jobs, initializer=bound_memory, maxtasksperchild=5_000) as pool:
        yield from pool.imap_unordered(partial(one, seed, forged), numbers, chunksize=20)


def main() -> int:
    """Print the table, and what is wrong; or one mutant."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_audit")
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--forged", action="store_true", help="edits that deceive alone, always chained anew")
    parser.add_argument("--only", type=int, help="print the lines of this mutant, and what comes of it")
    given = parser.parse_args()
    if given.only is not None:
        made = (forgery if given.forged else mutant)(given.seed, given.only)
        sys.stdout.buffer.write(b"".join(line + b"\n" for line in made.lines))
        print(made, "key", made.key and made.key.hex(), "first", made.first, check_mutant(made), file=sys.stderr)
        return 0
    table = MutantTable()
    with suppress(KeyboardInterrupt):
        for family, fit, told, what in run(
            given.seed, given.forged, range(given.first, given.first + given.count), given.jobs
        ):
            table.count(family, fit, told, what)
            if what.wrong:
                print(f"{told}: {what.wrong}", file=sys.stderr, flush=True)
    print(table)
    return bool(table.wrong)


if __name__ == "__main__":
    sys.exit(main())
