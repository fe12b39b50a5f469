"""Measure how long it takes to foresee: the odds at moments of recorded fights, and their luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter

from affray.engine.analysis.luck import compute_curves
from affray.engine.analysis.odds import Plan, Precision, Work, find_rollout_start, sample_trials
from affray.engine.fight import Fight
from affray.engine.history.timeline import split_by_input
from affray.tools.cli.progress import bar, each
from affray.tools.parse.sides import side_of

from .measurement import Measured

TRIALS = 200
"""As many fights the luck curve is counted from at each moment, as the command does where nothing else is said."""


def foreseeing(name: str, fight: Fight, positions: int, within: float, work: Work) -> Iterator[Measured]:
    """Measure the odds at so many moments of a fight, evenly spread and its opening among them, and its luck curve.

    Args:
        within: The half-width of the intervals that is wanted, from 0 to 1.
    """
    taken = [(_odds(fight, at, within, work), at) for at in each(_spread(fight, positions), "moments")]
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
    start = perf_counter()
    for _ in sample_trials(Plan(moment=find_rollout_start(fight, at)), Precision(within=within), work):
        pass
    return perf_counter() - start


def _spread(fight: Fight, many: int) -> Sequence[int]:
    """Return the end of the opening, and positions that count up to the last."""
    opening = next(split_by_input(fight.history.effective()))[-1].position
    path = [at for at in fight.history.path if at >= opening]
    return sorted({path[nth * (len(path) - 1) // max(1, many - 1)] for nth in range(many)})
