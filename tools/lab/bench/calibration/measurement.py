"""How often the side won that was given so much: positions of fresh fights, their odds, their ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from msgspec import Struct

from affray.engine.analysis.odds import Plan, ShareEstimate, estimate_share, fight_rollout, find_rollout_start
from affray.engine.analysis.odds.trials import MOST
from affray.engine.fight import Fight
from affray.tools.lab.bench.brawl import begun, sensibly
from affray.tools.lab.bench.crowd import crowd
from affray.tools.parse.sides import side_of

FOES = range(3, 8)
"""How many foes there are, in turns: from a fight that is nearly won to one that is nearly lost."""

BINS = 10
"""Into so many equal parts chances are sorted."""


class Position(Struct, frozen=True, kw_only=True):
    """A moment of a fresh fight.

    Attributes:
        given: The chance to win, from 0 to 1, of the side that joined first, as trials from there found it.
        won: Whether that side won the fight itself.
    """

    given: float
    won: bool


class Bin(Struct, frozen=True, kw_only=True):
    """The positions that were given much the same.

    Attributes:
        low, high: From which chance to which, from 0 to 1.
        given: What they were given on average.
        won: How many of them were won.
    """

    low: float
    high: float
    given: float
    won: ShareEstimate

    @property
    def true(self) -> bool:
        """Tell whether what they were given lies within the interval of what they won."""
        return self.won.low <= self.given <= self.won.high


def positions(system: str, fights: int, trials: int, jobs: int = 1) -> Iterator[Position]:
    """Yield a position of each of so many fresh fights of a system's template encounter.

    Args:
        trials: From how many fights the chance at a position is counted.
        jobs: How many processes fight; the positions are the same.
    """
    from joblib import Parallel, delayed  # noqa: PLC0415 - takes a tenth of a second, which no other benchmark needs

    work = Parallel(n_jobs=jobs, return_as="generator")
    yield from work(delayed(position)(system, nth, trials) for nth in range(fights))


def position(system: str, number: int, trials: int) -> Position:
    """Fight fresh fights until one has a moment where one is looked for, fight that to its end, and return the moment.

    Where it is looked for is known before the fight begins: as many commands in as chance picks among those of another
    fight. A moment picked by how the fight ended would know too much: those of short fights would be picked more often.
    """
    chance = Random(f"{system} {number}")
    foes = FOES[number % len(FOES)]
    into = chance.randrange(len(_heads(begun(crowd(system, foes), chance.randbytes(32)), chance)))
    while True:
        fight = begun(crowd(system, foes), chance.randbytes(32))
        opening, first = fight.head, side_of(fight)
        heads = [opening, *_heads(fight, chance)]
        if into + 1 < len(heads):
            break
    at = heads[into] + chance.randrange(2)  # before the next command, or where it is said and no die for it has fallen
    plan = Plan(moment=find_rollout_start(fight, at), seed=f"calibration {system} {number}")
    wins = sum(fight_rollout(plan, nth).victors == first for nth in range(trials))
    return Position(given=wins / trials, won=fight.state.victors == first)


def _heads(fight: Fight, chance: Random) -> list[int]:
    """Fight a fight to its end; return the position of its head after each command."""
    return [fight.head for _ in islice(sensibly(fight, chance), MOST)]


def brier(found: Sequence[Position]) -> float:
    """Return the mean square of how far chances lie from what came (Brier, 1950).

    It is 0 for who knows all, and 0.25 for who always says 50 %.
    """
    return sum((one.given - one.won) ** 2 for one in found) / len(found)


def bins(found: Sequence[Position]) -> list[Bin]:
    """Return positions sorted by what they were given; a part that nothing lies in is left out."""
    parts = []
    for nth in range(BINS):
        theirs = [one for one in found if min(BINS - 1, int(one.given * BINS)) == nth]
        if theirs:
            given = sum(one.given for one in theirs) / len(theirs)
            won = estimate_share(sum(one.won for one in theirs), len(theirs))
            parts.append(Bin(low=nth / BINS, high=(nth + 1) / BINS, given=given, won=won))
    return parts
