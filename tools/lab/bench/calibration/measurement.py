"""Measurement of calibration: positions of fresh fights, their odds, their ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from msgspec import Struct

from affray.engine.analysis.odds import Plan, ShareEstimate, estimate_share, fight_rollout, find_rollout_start
from affray.engine.analysis.odds.trials import MOST
from affray.engine.fight import Fight
from affray.tools.lab.bench.brawl import begin_brawl, sensibly
from affray.tools.lab.bench.crowd import crowd
from affray.tools.parse.sides import side_of

FOES = range(3, 8)
"""Numbers of foes, in turns: from a fight that is nearly won to one that is nearly lost."""

BINS = 10
"""Number of equal ranges into which forecasts are sorted."""


class Position(Struct, frozen=True, kw_only=True):
    """A moment of a fresh fight.

    Attributes:
        given: Forecast from trials: the chance of the first side to win, from 0 to 1.
        won: Whether that side won the fight.
    """

    given: float
    won: bool


class Bin(Struct, frozen=True, kw_only=True):
    """The positions with a forecast in one range.

    Attributes:
        low, high: Bounds of the range, from 0 to 1.
        given: Average forecast.
        won: Share of positions that were won.
    """

    low: float
    high: float
    given: float
    won: ShareEstimate

    @property
    def true(self) -> bool:
        """Tell whether the average forecast is within the interval of the result."""
        return self.won.low <= self.given <= self.won.high


def positions(system: str, fights: int, trials: int, jobs: int = 1) -> Iterator[Position]:
    """Yield a position from each of so many fresh fights of a template encounter.

    Args:
        trials: Trials at each position.
        jobs: Number of processes; it does not change the positions.
    """
    from joblib import Parallel, delayed  # noqa: PLC0415 - takes a tenth of a second, which no other benchmark needs

    work = Parallel(n_jobs=jobs, return_as="generator")
    yield from work(delayed(position)(system, nth, trials) for nth in range(fights))


def position(system: str, number: int, trials: int) -> Position:
    """Fight a fresh fight, and return a random position with forecast and result.

    The number of commands before the position is chosen beforehand, at random from the length of another fight.
    Fights that end sooner are repeated. A choice by the fight's own length would pick moments of short fights too
    often.
    """
    chance = Random(f"{system} {number}")
    foes = FOES[number % len(FOES)]
    into = chance.randrange(len(_heads(begin_brawl(crowd(system, foes), chance.randbytes(32)), chance)))
    while True:
        fight = begin_brawl(crowd(system, foes), chance.randbytes(32))
        opening, first = fight.head, side_of(fight)
        heads = [opening, *_heads(fight, chance)]
        if into + 1 < len(heads):
            break
    at = heads[into] + chance.randrange(2)  # before the next command, or after its declaration and before its dice
    plan = Plan(moment=find_rollout_start(fight, at), seed=f"calibration {system} {number}")
    wins = sum(fight_rollout(plan, nth).victors == first for nth in range(trials))
    return Position(given=wins / trials, won=fight.state.victors == first)


def _heads(fight: Fight, chance: Random) -> list[int]:
    """Fight a fight to its end; return the head after each command."""
    return [fight.head for _ in islice(sensibly(fight, chance), MOST)]


def brier(found: Sequence[Position]) -> float:
    """Return the Brier score (1950): the mean squared error of the forecasts.

    It is 0 for perfect forecasts, and 0.25 if each forecast is 50 %.
    """
    return sum((one.given - one.won) ** 2 for one in found) / len(found)


def bins(found: Sequence[Position]) -> list[Bin]:
    """Sort positions by forecast into ranges; leave out empty ranges."""
    parts = []
    for nth in range(BINS):
        theirs = [one for one in found if min(BINS - 1, int(one.given * BINS)) == nth]
        if theirs:
            given = sum(one.given for one in theirs) / len(theirs)
            won = estimate_share(sum(one.won for one in theirs), len(theirs))
            parts.append(Bin(low=nth / BINS, high=(nth + 1) / BINS, given=given, won=won))
    return parts
