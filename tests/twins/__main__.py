"""Play pairs of fights that differ in a secret; print what was compared. ``python -m tests.twins --pairs 10000``."""

from __future__ import annotations

import argparse
import sys

from tests.rulesets.systems import PRESENT

from .known import known_of
from .searching import Difference, search


def main() -> int:
    """Search every system; return 1 if twins differ in what is not known, or no longer in what is."""
    parser = argparse.ArgumentParser(prog="python -m tests.twins", description=__doc__)
    parser.add_argument("--pairs", type=int, default=10_000, help="so many pairs of answers a system at least")
    parser.add_argument("--systems", nargs="+", default=[*PRESENT], choices=[*PRESENT])
    parser.add_argument("--seed", type=int, default=0, help="of the first fight")
    parser.add_argument("--only", metavar="SYSTEM:SEED", help="one pair of fights, and how it can be told apart")
    parser.add_argument("--all", action="store_true", help="go on behind a difference that is not known")
    said = parser.parse_args()
    if said.only:
        system, _, seed = said.only.partition(":")
        return bool(search(system, answers=0, seeds=[int(seed)], tell=lambda one: print(one.text)).differences)
    print(f"{'system':<10} {'fights':>7} {'positions':>9} {'answers':>8} {'messages':>9} {'differ':>7}")
    return max([search_twins(system, said.pairs, said.seed, go_on=said.all) for system in said.systems])


def search_twins(system: str, answers: int, first: int, *, go_on: bool) -> int:
    known = known_of(system)

    def tell(one: Difference) -> None:
        if one.label not in known:
            print(one.text, flush=True)

    allowed = None if go_on else known
    found = search(system, answers=answers, seeds=[*known.values()], first=first, allowed=allowed, tell=tell)
    told = [f"{found.counts[one]:,}" for one in ("fights", "positions", "answers", "messages")]
    print("{:<10} {:>7} {:>9} {:>8} {:>9} {:>7}".format(system, *told, len(found.differences)), flush=True)
    labels = {one.label for one in found.differences}
    for gone in sorted(known.keys() - labels):
        print(f"{system}: {gone} is known to differ, and does not: strike it out of tests/twins/known.py")
    return int(labels != known.keys())


if __name__ == "__main__":
    sys.exit(main())
