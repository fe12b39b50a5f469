"""Fight trials until the wanted precision is reached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from msgspec import Struct

from .tally import Tally
from .trials import Plan
from .workers import Batch, Work, fight_in_process

BATCH = 16
"""The number of trials that a worker fights at a time."""

LOOK = 64
"""The precision is checked after every so many trials and never in between. So the result does not depend on the
workers."""


class Precision(Struct, frozen=True, kw_only=True):
    """The wanted precision.

    Attributes:
        within: The half-width that every interval must reach, from 0 to 1.
        most: The most trials.
        least: The fewest trials.
    """

    within: float = 0.03
    most: int = 4000
    least: int = 2 * LOOK

    def is_met(self, trials: int, widest: float) -> bool:
        """Tell whether this number of trials with this largest half-width suffices.

        It is checked every ``LOOK`` trials and at the last one.
        """
        looked_at = not trials % LOOK or trials == self.most
        return looked_at and trials >= self.least and widest <= self.within


class Sample(Struct, frozen=True, kw_only=True):
    """The tally of some trials, and whether the wanted precision is reached."""

    tally: Tally
    enough: bool


def sample_trials(plan: Plan, wanted: Precision, work: Work = fight_in_process) -> Iterator[Sample]:
    """Yield the tally after every few trials, the same object each time.

    The last one is final.

    Raises:
        Refused, Unusable: the first input of the plan is not possible.
    """
    tally = Tally()
    with closing(work(split_into_batches((plan,), wanted.most))) as done:
        for trials in done:
            tally.add([trial for (trial,) in trials])
            enough = wanted.is_met(tally.trials, tally.widest)
            yield Sample(tally=tally, enough=enough)
            if enough:
                return


def split_into_batches(plans: tuple[Plan, ...], most: int, size: int = BATCH) -> Iterator[Batch]:
    """Yield batches of trials of the plans."""
    for start in range(0, most, size):
        yield plans, start, min(most, start + size)
