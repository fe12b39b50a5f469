"""Measurements of forecasts: odds and luck of recorded fights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

from affray.engine.analysis.luck import compute_curves
from affray.engine.analysis.odds import Plan, Precision, Work, find_rollout_start, sample_trials
from affray.engine.fight import Fight
from affray.engine.history.timeline import split_by_input
from affray.tools.cli.progress import bar, each_with_bar
from affray.tools.parse.sides import side_of

from .measurement import Measured

TRIALS = 200
"""Trials at each moment of the luck curve; the default of the command ``luck``."""


def foreseeing(name: str, fight: Fight, positions: int, within: float, work: Work) -> Iterator[Measured]:
    """Measure the odds at evenly spread moments of a fight, and its luck curve.

    Args:
        within: Half-width of the intervals to reach, from 0 to 1.
    """
    taken = [(_odds(fight, at, within, work), at) for at in each_with_bar(_spread(fight, positions), "moments")]
    slowest, at = max(taken)
    said = f"odds to {within * 100:g} points, slowest of {len(taken)} moments (at {at}), {name}"
    yield Measured(what=said, value=slowest, unit="s")
    start = perf_counter()
    with bar(TRIALS, "fights at each moment") as shows:
        for curve in compute_curves(fight, side_of(fight), TRIALS, work=work):
            shows(curve.trials, "")
    luck = perf_counter() - start
    yield Measured(what=f"luck of {len(fight.history.path):,} events, {name}", value=luck, unit="s")


def _odds(fight: Fight, at: int, within: float, work: Work) -> float:
    """Measure the odds at one position, in seconds."""
    start = perf_counter()
    for _ in sample_trials(Plan(moment=find_rollout_start(fight, at)), Precision(within=within), work):
        pass
    return perf_counter() - start


def _spread(fight: Fight, many: int) -> Sequence[int]:
    """Return evenly spread positions from the end of the opening to the last."""
    opening = next(split_by_input(fight.history.effective()))[-1].position
    path = [at for at in fight.history.path if at >= opening]
    return sorted({path[nth * (len(path) - 1) // max(1, many - 1)] for nth in range(many)})
