"""The command ``bench strength``: whether one policy beats another, and its cost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from affray.engine.analysis.policy_registry import POLICIES
from affray.engine.core.loading import available
from affray.tools.cli.options import json_option
from affray.tools.cli.printing import say, say_json

from .games import Match, Pair, match_of, pairs
from .results import HEADINGS, Result, keeping, read_pairs
from .sequential import Sequential

NAMES = click.Choice(sorted(POLICIES))


@click.command(short_help="Measure how strong a policy is.")
@click.argument("systems", nargs=-1, type=click.Choice(available()), metavar="[SYSTEM]…")
@click.option("--policy", type=NAMES, default="searching", show_default=True, help="Policy to measure.")
@click.option("--against", type=NAMES, default="sensible", show_default=True, help="Policy of the other side.")
@click.option(
    "--pairs", "many", default=400, show_default=True, type=click.IntRange(1), help="Pairs of games a system."
)
@click.option("--stop", is_flag=True, help="Stop a system's games as soon as the sequential test is sure.")
@click.option("--jobs", default=1, show_default=True, metavar="N", help="Processes that play them; -1: all cores.")
@click.option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep every pair that is played in this file, and play none again that it has.",
)
@json_option
def strength(
    systems: tuple[str, ...],
    policy: str,
    against: str,
    many: int,
    stop: bool,
    jobs: int,
    keep: Path | None,
    as_json: bool,
) -> None:
    """Play games of one policy against another, in pairs with the same dice and the sides swapped.

    The fights are the systems' template encounters, changed so that both sides have a chance. A pair counts for the
    policy that wins both of its games. A sequential test (Wald) decides after how many pairs the result is sure. p is
    that of the exact sign test over all pairs.
    """
    test = Sequential()
    if not as_json:
        say(HEADINGS)
    for system in systems or tuple(available()):
        match = match_of(system, policy, against)
        result = Result(match, test)
        for one in _play_pairs(match, many, jobs, keep):
            result.add(one)
            if stop and result.verdict:
                break
        if as_json:
            say_json(result.for_machines())
        else:
            say(result.line())


def _play_pairs(match: Match, many: int, jobs: int, keep: Path | None) -> Iterator[Pair]:
    """Yield pairs in order: kept pairs from the file, others played now."""
    known = read_pairs(keep, match) if keep is not None else {}
    fresh = pairs(match, (nth for nth in range(many) if nth not in known), jobs)
    for nth in range(many):
        if nth in known:
            yield known[nth]
        else:
            one = next(fresh)
            if keep is not None:
                keeping(keep, match, one)
            yield one
