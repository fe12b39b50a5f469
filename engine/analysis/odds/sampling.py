"""Fight trials until enough is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from msgspec import Struct

from .tally import Tally
from .trials import Plan
from .workers import Batch, Work, here

BATCH = 16
"""How many trials a worker fights at a time."""

LOOK = 64
"""After every so many trials it is seen whether enough is known; never in between, whoever fights them."""


class Wanted(Struct, frozen=True, kw_only=True):
    """How much is to be known.

    Attributes:
        within: The half-width of every interval that is wanted, from 0 to 1.
        most: How many trials there may be at most.
        least: How many there must be.
    """

    within: float = 0.03
    most: int = 4000
    least: int = 2 * LOOK

    def is_met(self, trials: int, widest: float) -> bool:
        """Tell whether so many trials with this largest half-width are enough; it is looked at seldom, and at last."""
        looked_at = not trials % LOOK or trials == self.most
        return looked_at and trials >= self.least and widest <= self.within


class Sampled(Struct, frozen=True, kw_only=True):
    """What is known after some trials, and whether that is enough."""

    tally: Tally
    enough: bool


def sampled(plan: Plan, wanted: Wanted, work: Work = here) -> Iterator[Sampled]:
    """Yield what is known after every few trials, the same tally each time; the last is what there is to know.

    Raises:
        Refused, Unusable: something that is said first is not possible.
    """
    tally = Tally()
    with closing(work(batches((plan,), wanted.most))) as done:
        for trials in done:
            tally.add([trial for (trial,) in trials])
            enough = wanted.is_met(tally.trials, tally.widest)
            yield Sampled(tally=tally, enough=enough)
            if enough:
                return


def batches(plans: tuple[Plan, ...], most: int, size: int = BATCH) -> Iterator[Batch]:
    """Yield so many trials of each plan in batches."""
    for start in range(0, most, size):
        yield plans, start, min(most, start + size)
