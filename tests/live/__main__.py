"""Drives fights of every system, and a server, by random commands, as many as are asked for; prints what came of it.

python -m tests.live --commands 190000 --requests 50000
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections import Counter
from time import monotonic

import structlog

from affray.engine.ruleset import available

from .driving import LONGEST, Driven, driven
from .requests import requested, server

OFTEN = 10_000
"""After so many commands it is said how far it has got."""

ROW = "{:10}{:>8}{:>10}{:>10}{:>10}{:>11}{:>10}{:>9}"


def main() -> int:
    """Drive, print the table, and say whether anything failed."""
    said = argparse.ArgumentParser(prog="python -m tests.live", description=__doc__)
    said.add_argument("--commands", type=int, default=20_000, help="for each system")
    said.add_argument("--requests", type=int, default=5_000, help="for the server")
    said.add_argument("--systems", nargs="*", default=available())
    said.add_argument("--seed", type=int, default=0, help="the first fight's")
    asked = said.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    all_of_them: dict[str, Driven] = {}
    print(ROW.format("", "fights", "commands", "accepted", "refused", "questions", "failures", "seconds"), flush=True)
    for system in asked.systems:
        begun, seed = monotonic(), asked.seed
        came = all_of_them[system] = Driven()
        while came.commands < asked.commands:
            at = came.commands // OFTEN
            driven(system, seed, LONGEST, came)
            seed += 1
            if came.commands // OFTEN > at:
                shown(f"({system})", came, monotonic() - begun)
        shown(system, came, monotonic() - begun)
    begun, seed = monotonic(), asked.seed
    came = all_of_them["server"] = Driven()
    with server() as at_it:
        while came.commands < asked.requests:
            requested(at_it, asked.systems[seed % len(asked.systems)], seed, LONGEST, came)
            seed += 1
    shown("server", came, monotonic() - begun)
    by_kind(all_of_them)
    return int(any(came.failures for came in all_of_them.values()))


def shown(name: str, came: Driven, seconds: float) -> None:
    """Print how it stands, and each place at which something failed, once."""
    accepted = came.of("accepted")
    refused = came.commands - accepted
    row = (came.fights, came.commands, accepted, refused, came.asked, len(came.failures), round(seconds))
    print(ROW.format(name, *row), flush=True)
    if not name.startswith("("):
        for one in {(one.where, one.what.partition(":")[0]): one for one in reversed(came.failures)}.values():
            print(f"  fight {one.seed}, command {one.nth}, {one.where}: {one.what[:300]}\n    {one.sent}", flush=True)


def by_kind(all_of_them: dict[str, Driven]) -> None:
    """Print how many commands of each kind were accepted and refused, rulings as one kind."""
    counts: Counter[tuple[str, str]] = Counter()
    for came in all_of_them.values():
        for (kind, outcome), count in came.counts.items():
            counts[kind.partition(" ")[0] if kind.startswith("rule") else kind, outcome] += count
    print()
    for (kind, outcome), count in sorted(counts.items()):
        print(f"{kind:32}{outcome:12}{count:>10}")


if __name__ == "__main__":
    sys.exit(main())
