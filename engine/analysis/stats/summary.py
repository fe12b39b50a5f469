"""Summaries of groups of dice: counts, means and p-values."""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.errors import Unusable
from affray.events import Id

from .dice_collection import ThrownDie
from .fairness import SURE, WORK_OF_ALL, Fairness, assess_fairness, estimate_work, find_binomial_band
from .streaks import Streak, find_streaks

Cut = Literal["roller", "die", "source"]

CUTS: dict[Cut | None, tuple[str, ...]] = {
    None: ("roller", "source"),
    "roller": ("roller",),
    "die": ("kind",),
    "source": ("source",),
}
"""The ways to group dice, in addition to their sides."""

MOST_FACES = 500_000
"""The most faces to count, of all groups together. A thousand fighters with every usual die have fewer."""


class Summary(Struct, frozen=True, kw_only=True):
    """A group of equal dice.

    Attributes:
        roller, kind, source: The values that the dice share; empty where they are not grouped by it.
        sides: The number of sides of each die.
        throws: The number of dice.
        undone: The number of dice that lie only in lanes that were taken back.
        counts: The count of each face, from 1 on.
        expected: The mean count of each face with fair dice.
        band: The lowest and highest count of a face in 95 of 100 cases with fair dice.
        mean, fair_mean: The mean of the faces, and that of fair dice.
        low, high: The 95 % confidence interval of the mean, by the normal distribution and a fair die's variance.
        fairness: The test of fairness.
        adjusted: Its p-value, adjusted for the number of groups tested (Holm).
        streaks: The longest runs, in the order in which the dice fell.
    """

    roller: Id = ""
    kind: str = ""
    source: str = ""
    sides: int
    throws: int
    undone: int = 0
    counts: tuple[int, ...]
    expected: float
    band: tuple[int, int]
    mean: float
    fair_mean: float
    low: float
    high: float
    fairness: Fairness
    adjusted: float = 1.0
    streaks: tuple[Streak, ...]


def summarise_dice(dice: Sequence[ThrownDie], by: Cut | None = None) -> list[Summary]:
    """Summarise dice in groups by sides, and by roller and source or another grouping.

    Raises:
        Unusable: there are too many faces, as only a forged log has them.
    """
    groups: dict[tuple[str, ...], dict[int, list[ThrownDie]]] = {}
    for die in dice:
        key = tuple(getattr(die, name) for name in CUTS[by])
        groups.setdefault(key, {}).setdefault(die.sides, []).append(die)
    many = sum(sum(sizes) for sizes in groups.values())
    if many > MOST_FACES:
        raise Unusable(f"these dice have {many} faces to be counted, and there may be at most {MOST_FACES}")
    found, left = list[Summary](), WORK_OF_ALL
    for key, sizes in groups.items():
        for sides in sorted(sizes):
            one = _summarise_group(dict(zip(CUTS[by], key, strict=True)), sides, sizes[sides], left)
            left -= estimate_work(one.counts) if one.fairness.test == "exact" else 0
            found.append(one)
    adjusted = adjust_p_values([one.fairness.p for one in found])
    return [replace(one, adjusted=p) for one, p in zip(found, adjusted, strict=True)]


def _summarise_group(common: dict[str, str], sides: int, dice: Sequence[ThrownDie], most: float) -> Summary:
    faces = [die.face for die in dice]
    throws = len(faces)
    counted = Counter(faces)
    counts = tuple(counted[face] for face in range(1, sides + 1))
    mean = sum(faces) / throws
    reach = NormalDist().inv_cdf((1 + SURE) / 2) * sqrt((sides * sides - 1) / 12 / throws)
    return Summary(
        roller=common.get("roller", ""),
        kind=common.get("kind", ""),
        source=common.get("source", ""),
        sides=sides,
        throws=throws,
        undone=sum(die.undone for die in dice),
        counts=counts,
        expected=throws / sides,
        band=find_binomial_band(throws, 1 / sides),
        mean=mean,
        fair_mean=(sides + 1) / 2,
        low=max(1, mean - reach),
        high=min(sides, mean + reach),
        fairness=assess_fairness(counts, most),
        streaks=find_streaks(faces, sides),
    )


def adjust_p_values(chances: Sequence[float]) -> list[float]:
    """Return p-values adjusted after Holm.

    The smallest is multiplied by their number, the next by one less, and so on. Adjusted values never fall.
    """
    adjusted = [1.0] * len(chances)
    least = 0.0
    for rank, at in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        least = max(least, min(1.0, chances[at] * (len(chances) - rank)))
        adjusted[at] = least
    return adjusted
