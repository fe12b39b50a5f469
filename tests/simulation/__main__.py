"""Play generated fights: ``python -m tests.simulation --count N [--jobs J] [--systems …] [--only SYSTEM:SEED]``."""

from __future__ import annotations

import argparse
import gc
import signal
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

from tests.fuzz_audit.checking import bound_memory
from tests.rulesets.systems import PRESENT

from .course import Came, play_generated
from .progress import KEPT, Progress, code, keep, read_progress
from .table import format_counts, left_out

SAVED, TOLD = 20, 600
"""After so many seconds it is kept, and said, how far the run has come."""


def main() -> int:
    """Play the fights that are due, and print what was drawn; or one of them, and what comes of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument(
        "--count", type=int, default=1_000, help="fights of each system, those of earlier runs included"
    )
    parser.add_argument("--systems", nargs="+", default=PRESENT, choices=PRESENT)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--kept", type=Path, default=KEPT, help="where it is kept how far a run has come")
    parser.add_argument("--only", help="play this one, SYSTEM:SEED, and keep nothing")
    given = parser.parse_args()
    if given.only:
        system, _, seed = given.only.partition(":")
        came = play_generated(system, int(seed))
        print("\n".join(f"{count:>8,} {what}" for what, count in sorted(came.drawn.items())))
        print(came.fault or "everything holds")
        return bool(came.fault)
    known = read_progress(given.kept, given.systems)
    for stop in (signal.SIGINT, signal.SIGTERM):  # a shell lets what it starts beside itself ignore the first
        signal.signal(stop, signal.default_int_handler)
    try:
        run(known, due(known, given.systems, given.count), given.jobs, given.kept)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
    finally:
        keep(given.kept, known)
    print(format_counts(known), *left_out(known), sep="\n")
    for system, one in known.items():
        for seed, fault in sorted(one.failed.items()):
            print(f"{system}:{seed} {fault}")
    return any(one.failed for one in known.values())


def due(known: dict[str, Progress], systems: Iterable[str], count: int) -> Iterator[tuple[str, int]]:
    """Yield what is to be played, a fight of each system in turn."""
    each = [[(system, seed) for seed in known[system].due(count)] for system in systems]
    return (one for one in chain.from_iterable(zip_longest(*each)) if one is not None)


def run(known: dict[str, Progress], fights: Iterable[tuple[str, int]], jobs: int, kept: Path) -> None:
    """Play fights in separate processes; save the progress regularly."""
    played_by = code()
    saved = told = monotonic()
    with get_context("fork").Pool(jobs, initializer=_begin, maxtasksperchild=2_000) as pool:
        for came in pool.imap_unordered(_one, fights, chunksize=20):
            known[came.system].take(came, played_by)
            if came.fault:
                print(f"{came.system}:{came.seed} {came.fault}", file=sys.stderr, flush=True)
            if monotonic() - saved > SAVED:
                saved = monotonic()
                keep(kept, known)
            if monotonic() - told > TOLD:
                told = monotonic()
                print({system: one.next for system, one in known.items()}, file=sys.stderr, flush=True)


def _begin() -> None:
    """Bound the memory of a process, and leave it to the first one to be stopped."""
    bound_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)  # hardly anything of a fight is garbage before its end


def _one(fight: tuple[str, int]) -> Came:
    return play_generated(*fight)


if __name__ == "__main__":
    sys.exit(main())
