"""The comparison of an amendment's lane with the lane that it left."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from affray.engine.history.amend import AMENDABLE
from affray.events import Amended, Answered, Declared, DiceEntered, DiceRenewed, Event, Passed, Recorded, WindowClosed

_ANSWERS = (Answered, DiceEntered, Passed)
"""The inputs that an amendment may add for new questions, beside a declaration in a window."""


class AmendmentFault(NamedTuple):
    """A false statement of an amendment about itself."""

    code: str
    due: str
    found: str


class AmendedLane:
    """Compares the inputs of an amendment's lane with those that it decides again.

    Args:
        one: The amendment.
        left: The inputs of the lane that it left, from the corrected one on.
        renewed: Positions of the fresh dice in that lane.
    """

    def __init__(self, one: Recorded, left: Sequence[Recorded], renewed: Collection[int]) -> None:
        assert isinstance(one.event, Amended)
        self.one = one
        self._event = one.event
        self._left = left
        self._later = {each.position for each in left[1:]}.union(renewed)
        self._kept = [each.event for each in left[1:] if each.position not in one.event.dropped]
        self._inputs: Counter[type[Event]] = Counter()
        self._in_windows = 0
        self._is_new = False

    def grow(self, segment: Sequence[Recorded]) -> None:
        """Add an input of the new lane, with the events it led to."""
        event = segment[0].event
        if isinstance(event, DiceRenewed):
            return
        if isinstance(event, Declared):
            in_window = any(isinstance(one.event, WindowClosed) and one.event.how == "taken" for one in segment)
            self._in_windows += in_window
            if not self._inputs:
                self._is_new = not in_window and event not in self._kept
        self._inputs[type(event)] += 1

    def faults(self) -> Iterator[AmendmentFault]:
        """Yield the faults, once the lane is complete."""
        event = self._event
        first = self._left[0] if self._left else None
        if first is None or first.position != event.position or not isinstance(first.event, AMENDABLE):
            due = "the position of an input that can be amended"
            yield AmendmentFault("position", due, f"position {event.position}, amended at {self.one.position}")
        dropped = [one for one in event.dropped if event.position < one < self.one.position]
        if dropped != sorted(self._later.intersection(dropped)):
            due = "positions of later inputs that counted, each once and in order"
            yield AmendmentFault("dropped", due, f"{', '.join(map(str, dropped))}, dropped at {self.one.position}")
        kept: Counter[type[Event]] = Counter(map(type, self._kept))
        for each, many in kept.items():
            if self._inputs[each] < many:
                due = f"as many inputs as were not dropped, {many} of {each.__name__}"
                yield AmendmentFault("dropped", due, str(self._inputs[each]))
        yield from self._check_retracted(self._inputs - kept, nothing_new=self._inputs.total() <= kept.total())

    def _check_retracted(self, more: Counter[type[Event]], *, nothing_new: bool) -> Iterator[AmendmentFault]:
        """Yield the fault if a retraction has a replacement, or a correction has none.

        Args:
            more: The inputs of the new lane beyond those that were decided again.
        """
        at = self.one.position
        if not self._event.retracted:
            if nothing_new:
                yield AmendmentFault("retracted", "retracted, for nothing stands in its place", f"corrected at {at}")
            return
        more[Declared] -= self._in_windows
        own = [kind.__name__ for kind, many in more.items() if many > 0 and kind not in _ANSWERS]
        if own or self._is_new:
            what = own[0] if own else Declared.__name__
            yield AmendmentFault(
                "retracted", f"corrected, for another {what} stands in its place", f"retracted at {at}"
            )
