"""Options and set-up of commands that fight trials."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, TypeVar

import click

from affray.engine.analysis.luck import Curve, compute_curves
from affray.engine.analysis.odds import Precision, Work, WorkersLost, open_workers
from affray.engine.analysis.policy_registry import POLICIES
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.texts import name_said
from affray.tools.cli.options import Number, jobs_option
from affray.tools.cli.progress import bar
from affray.tools.lab.luck.luck_text import percent_of_trials

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


def add_trial_options(command: F) -> F:
    """Add the options of trials: number, precision, policy, seed, processes."""
    for option in (
        click.option("--cluster", default="", metavar="ADDRESS", help="Let a cluster of dask.distributed fight them."),
        jobs_option(),
        click.option("--seed", default="odds", show_default=True, metavar="WORD", help="Another word, other dice."),
        click.option(
            "--policy",
            type=click.Choice(sorted(POLICIES)),
            default="sensible",
            show_default=True,
            help="The policy of each side.",
        ),
        click.option(
            "--trials",
            default=4000,
            show_default=True,
            type=click.IntRange(1, 10_000_000),
            help="The most fights to be fought.",
        ),
        click.option(
            "--within",
            default=3.0,
            show_default=True,
            type=Number(0.01, 50),
            help="Stop when every chance is known to so many points on either side.",
        ),
    ):
        command = option(command)
    return command


def precision_of(within: float, trials: int) -> Precision:
    """Build the precision that the options ask for."""
    return Precision(within=within / 100, most=trials, least=min(trials, Precision().least))


@contextmanager
def fighters(jobs: int, cluster: str) -> Iterator[Work]:
    """Yield the workers that fight the trials.

    Raises:
        Unusable: the cluster is unreachable, the extra for clusters is not installed, or the workers were lost.
    """
    if cluster and find_spec("distributed") is None:
        raise Unusable('a cluster needs the extra cluster: pip install ".[cluster]"', "--cluster")
    try:
        with open_workers(jobs, cluster) as work:
            yield work
    except WorkersLost as error:
        said = f"the cluster at {cluster} cannot fight: {error}" if cluster else str(error)
        raise Unusable(said, "--cluster" if cluster else "--jobs") from None
    except OSError as error:
        if not cluster:
            raise
        raise Unusable(f"nobody answers at {cluster}: {error}", "--cluster") from None


def watch_trials(results: Iterable[T], most: float, say: Callable[[T], tuple[int, str]]) -> tuple[T, bool]:
    """Take the results of ever more trials, with a progress bar; return the last one.

    Args:
        results: The results so far, again and again.
        most: The maximum number of trials.
        say: Returns the number of trials of a result, and the text beside the bar.

    Returns:
        The last result, and whether the trials were interrupted.

    Raises:
        KeyboardInterrupt: there was no result yet.
    """
    last: T | None = None
    interrupted = False
    with bar(most) as shown:
        try:
            for last in results:
                shown(*say(last))
        except KeyboardInterrupt:
            interrupted = True  # report the trials fought so far
    if last is None:
        raise KeyboardInterrupt
    return last, interrupted


def compute_luck_curve(fight: Fight, side: str, trials: int, seed: str, jobs: int, cluster: str) -> Curve:
    """Compute a luck curve, with a progress bar.

    An interrupted computation returns the curve of the trials fought so far.
    """

    def say(found: Curve) -> tuple[int, str]:
        won = percent_of_trials(found.opening, found.trials)
        return found.trials, f"{name_said(side)} {won} at the beginning"

    with fighters(jobs, cluster) as work:
        return watch_trials(compute_curves(fight, side, trials, seed, work), trials, say)[0]
