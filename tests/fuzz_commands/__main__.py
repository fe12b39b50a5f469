"""Drives fights of every system, and a server, by random commands, as many as are asked for; prints what came of it.

python -m tests.fuzz_commands --commands 190000 --requests 50000
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections import Counter
from time import monotonic

import structlog

from affray.engine.core.loading import available

from .driving import LONGEST, Driven, driven
from .requests import send_requests, server

OFTEN = 600
"""After so many seconds it is said how far it has got."""

ROW = "{:10}{:>8}{:>10}{:>10}{:>10}{:>11}{:>10}"


def main() -> int:
    """Drive a fight of each system in turn, and one at the server; print the table; say whether anything failed."""
    said = argparse.ArgumentParser(prog="python -m tests.fuzz_commands", description=__doc__)
    said.add_argument("--commands", type=int, default=20_000, help="for each system")
    said.add_argument("--requests", type=int, default=5_000, help="for the server")
    said.add_argument("--systems", nargs="*", default=available())
    said.add_argument("--seed", type=int, default=0, help="the first fight's")
    asked = said.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    all_of_them = {name: Driven() for name in (*asked.systems, "server")}
    print_progress_table(all_of_them)
    at_last, seed = monotonic(), asked.seed
    with server() as at_it:
        while not all(one.commands >= count_wanted(asked, name) for name, one in all_of_them.items()):
            for name, came in all_of_them.items():
                if came.commands >= count_wanted(asked, name):
                    continue
                if name == "server":
                    send_requests(at_it, asked.systems[seed % len(asked.systems)], seed, LONGEST, came)
                else:
                    driven(name, seed, LONGEST, came)
            seed += 1
            if monotonic() - at_last > OFTEN:
                at_last = monotonic()
                print_progress_table(all_of_them)
    print_progress_table(all_of_them)
    print_by_kind(all_of_them)
    return int(any(came.failures for came in all_of_them.values()))


def count_wanted(asked: argparse.Namespace, name: str) -> int:
    return int(asked.requests if name == "server" else asked.commands)


def print_progress_table(all_of_them: dict[str, Driven]) -> None:
    """Print the progress, and each place of a failure once."""
    print(ROW.format("", "fights", "commands", "accepted", "refused", "questions", "failures"))
    for name, came in all_of_them.items():
        accepted = came.of("accepted")
        refused = came.commands - accepted
        print(ROW.format(name, came.fights, came.commands, accepted, refused, came.asked, len(came.failures)))
    for came in all_of_them.values():
        for one in {(one.where, one.what.partition(":")[0]): one for one in reversed(came.failures)}.values():
            print(f"  {one.system}, fight {one.seed}, command {one.nth}, {one.where}: {one.what[:300]}\n    {one.sent}")
    print(flush=True)


def print_by_kind(all_of_them: dict[str, Driven]) -> None:
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
