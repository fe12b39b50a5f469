"""The effective events while a log is read, with restore points for later returns."""

from __future__ import annotations

from collections.abc import Callable

from affray import events as facts
from affray.engine.history.amend import AMENDABLE
from affray.engine.history.timeline import is_sent_pass
from affray.events import Event, Recorded

from .amended_lane import AmendedLane
from .effort import Effort
from .findings import Findings
from .prescan import Prescan
from .return_points import PositionRange, Renewal, ReturnPoint, SavedLayers, list_inputs
from .takebacks import Takebacks
from .throws import Input


class Lanes:
    """Follows the effective head.

    Args:
        found: Receives findings: undos, redos and amendments that do not fit the record.
        scan: The positions that the record goes back to.

    Attributes:
        takebacks: The commands taken back, and those declared in their place.
        taken_back: The number of undos.
    """

    def __init__(self, found: Findings, scan: Prescan, effort: Effort) -> None:
        self._found = found
        self._effort = effort
        self.takebacks = Takebacks(scan.journeys, effort)
        self.taken_back = 0
        self._returns = scan.returns.copy()
        self._spots: dict[int, ReturnPoint] = {}
        self._line: PositionRange | None = None
        self._renewal: Renewal | None = None
        self._again: list[int] = []
        self._commands = 0
        self._cause = ""
        self._here: ReturnPoint | None = None
        self._input: Input | None = None
        self._round = 0
        self._amends = ""
        self._request = self._asked = 0
        self._floor = 0
        self._raised = 0
        self._looked = scan.looked
        self._amendable: set[int] = set()
        self._amended: AmendedLane | None = None

    @property
    def head(self) -> int:
        """The effective head."""
        return self._line.last if self._line else 0

    def grow(self, segment: list[Recorded], number: int, keep: Callable[[], SavedLayers]) -> None:
        """Add an input and its events; keep its end as a restore point if it is needed."""
        first = segment[0]
        if self._here is not None:
            self._here.next[first.position] = first.cause
        if first.position in self._looked and isinstance(first.event, AMENDABLE):
            self._amendable.add(first.position)
        if isinstance(first.event, facts.DiceRenewed):
            self._renew(first.event, first, number)
        elif not is_sent_pass(first.event):
            self._request = 0
        if first.cause != self._cause:
            self._commands += 1
            self._cause = first.cause
        for one in segment:
            if type(one.event) is facts.RoundBegan:
                self._round = one.event.round
        self._input = self.takebacks.declare(segment, self._input, self._round)
        self._grow_amended(segment, number)
        line, last = self._line, segment[-1].position
        if line is not None and line.last == first.position - 1:
            self._line = PositionRange(line.first, last, line.below)
        else:
            self._line = PositionRange(first.position, last, line)
        self._here = None
        if self._returns[self.head] and self._line is not None:
            kept = keep()
            self._effort.keep(kept.size)
            self._here = self._spots[self.head] = ReturnPoint(
                self._line, self._renewal, self._commands, self._cause, kept, self._input, self._round
            )

    def _grow_amended(self, segment: list[Recorded], number: int) -> None:
        """Add to the lane of an amendment; check the lane at its last input.

        The check is skipped if the lane has another fault.
        """
        first, lane = segment[0], self._amended
        if lane is None or first.cause != lane.one.cause:
            self._amended = None
            return
        lane.grow(segment)
        if not segment[-1].more:
            self._amended = None
            others = (one for one in self._found.all if one.layer != "checkpoint")
            if not any(other.position > lane.one.position for other in others):
                for code, due, found in lane.faults():
                    self._find(first, number, code, due, found)

    def _renew(self, event: facts.DiceRenewed, one: Recorded, number: int) -> None:
        """Follow fresh dice.

        An amendment's fresh dice must be those of the lane that it replaced, in their order.
        """
        self._renewal = Renewal(one.position, event.generation, self._renewal)
        if not self._amends or one.cause != self._amends:
            return
        if event.generation in self._again:
            del self._again[: self._again.index(event.generation) + 1]
        else:
            due = f"generation {' or '.join(map(str, self._again))} of the dice" if self._again else "no fresh dice"
            self._find(one, number, "generation", due, f"generation {event.generation}")

    def turn(self, one: Recorded, number: int) -> ReturnPoint | None:
        """Follow an event about the record; return its restore point if it moves the head."""
        event = one.event
        if isinstance(event, facts.FormatRaised):
            self._raised = one.position
        if isinstance(event, facts.Forked):
            self._floor = self.head
            self._request = 0
            last = one.position - 1
            self._expect(one, number, "position", last - (self._raised == last), event.position)
        if isinstance(event, facts.Previewed | facts.Amended) and not 1 <= event.position < one.position:
            due = "the position of something recorded before"
            self._find(one, number, "position", due, f"position {event.position}")
        elif isinstance(event, facts.Previewed) and not (
            event.position in self._amendable and event.position > self._floor and self._counts(event.position)
        ):
            due = "the position of an input that counts and can be amended"
            self._find(one, number, "position", due, f"position {event.position}")
        if isinstance(event, facts.Amended) and not one.more:
            self._find(one, number, "more", "the lane that it leads to", "nothing")
        if isinstance(event, facts.Amended):
            beyond = [drop for drop in event.dropped if not event.position < drop < one.position]
            if beyond:
                due = f"positions between {event.position} and its own"
                self._find(one, number, "dropped", due, f"position {beyond[0]} among what it dropped")
        if isinstance(event, facts.Previewed | facts.EntropyAdded):
            self._request = 0
        if isinstance(event, facts.UndoRequested | facts.UndoDeclined | facts.Rewound):
            self._follow_request(one, event, number)
        if not isinstance(event, facts.Rewound | facts.Restored | facts.Amended):
            return None
        to = event.lane if isinstance(event, facts.Restored) else event.to
        spot = self._spots.get(to)
        if spot is None or (isinstance(event, facts.Restored) == self._counts(to)) or to < self._floor:
            due = (
                "the end of a command that was taken back"
                if isinstance(event, facts.Restored)
                else "the end of one that counts"
            )
            self._find(one, number, "no_such_moment", f"a position at {due}", f"position {to}")
            return None
        self._check(one, event, spot, number)
        renewed = self._fresh_behind(to)
        if isinstance(event, facts.Amended) and to < event.position == self._behind(to):
            inputs = list_inputs(self._input, to)
            self._effort.spend(len(inputs))
            self._amended = AmendedLane(one, inputs, {each.position for each in renewed})
        self.taken_back += isinstance(event, facts.Rewound)
        self.takebacks.go(one, self._input, spot.input, self._round)
        self._request = 0
        self._amends = one.cause if isinstance(event, facts.Amended) else ""
        self._again = [each.generation for each in renewed]
        self._line, self._renewal, self._commands, self._cause = spot.line, spot.renewal, spot.commands, spot.cause
        self._input, self._round = spot.input, spot.round
        self._here = spot
        self._effort.copy(spot.kept.size)
        self._release(to, spot)
        return spot

    def _release(self, to: int, spot: ReturnPoint) -> None:
        """Drop a restore point after the last return to it."""
        self._returns[to] -= 1
        if not self._returns[to]:
            del self._spots[to]
            self._effort.drop(spot.kept.size)

    def _follow_request(
        self, one: Recorded, event: facts.UndoRequested | facts.UndoDeclined | facts.Rewound, number: int
    ) -> None:
        """Follow an undo request; check that a reply names the waiting one."""
        if isinstance(event, facts.UndoRequested):
            spot = self._spots.get(event.to)
            if spot is None or not self._counts(event.to) or event.to < self._floor:
                due = "a position at the end of one that counts"
                self._find(one, number, "no_such_moment", due, f"position {event.to}")
                return
            self._check(one, event, spot, number)
            self._release(event.to, spot)
            self._request, self._asked = one.position, event.to
            return
        if isinstance(event, facts.UndoDeclined) or event.request:
            due = f"the request at {self._request}" if self._request else "no request, for none waits"
            if event.request != self._request or not self._request:
                self._find(one, number, "request", due, f"the request at {event.request}")
            elif isinstance(event, facts.Rewound):
                self._expect(one, number, "to", self._asked, event.to)
        self._request = 0

    def _check(self, one: Recorded, event: Event, spot: ReturnPoint, number: int) -> None:
        """Check an event's statements about the lane it leaves.

        Going back into an amendment takes back a part of it.
        """
        if isinstance(event, facts.Restored):
            self._expect(one, number, "left", self.head, event.left)
            return
        assert isinstance(event, facts.Rewound | facts.Amended | facts.UndoRequested)
        behind = self._behind(spot.line.last)
        self._expect(one, number, "lane", self.head, event.lane)
        if event.to == self.head:
            self._find(one, number, "empty", "a position before the last that counts", f"position {event.to}, the last")
        if not isinstance(event, facts.Amended):
            halved = spot.next.get(behind) == spot.cause
            self._expect(one, number, "commands", self._commands - spot.commands + halved, event.commands)
        else:
            self._expect(one, number, "position", behind, event.position)

    def _fresh_behind(self, position: int) -> list[Renewal]:
        """Return the fresh dice that count behind a position, in order."""
        found: list[Renewal] = []
        renewal = self._renewal
        while renewal is not None and renewal.position > position:
            self._effort.spend(1)
            found.append(renewal)
            renewal = renewal.below
        return found[::-1]

    def _counts(self, position: int) -> bool:
        run = self._line
        while run is not None and position < run.first:
            self._effort.spend(1)
            run = run.below
        return run is not None and position <= run.last

    def _behind(self, position: int) -> int:
        """Return the next position that counts; 0 if it is the last."""
        run, above = self._line, 0
        while run is not None and position < run.first:
            self._effort.spend(1)
            above, run = run.first, run.below
        return above if run is None or position >= run.last else position + 1

    def _expect(self, one: Recorded, number: int, code: str, due: int, found: int) -> None:
        if due != found:
            self._find(one, number, code, str(due), str(found))

    def _find(self, one: Recorded, number: int, code: str, expected: str, found: str) -> None:
        self._found.note("record", one.position, number, code, expected, found)
