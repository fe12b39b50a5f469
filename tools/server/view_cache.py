"""The view of a fight that all viewers with the same rights share, encoded once for all of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.state import State
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer, bands, hides_some, seen_by, sent_to, visible
from affray.events import Id, Recorded
from affray.tools.present.awaiting_history import MOVES

from .encoded_cache import ENCODED
from .line_cache import Written
from .messages import Batch, encode
from .projection import headline_for, knows_of

Rights = tuple[bool, tuple[str, ...]]


def rights(viewer: Viewer) -> Rights:
    """Return what tells viewers apart who see different things."""
    return viewer.role == "gm", tuple(sorted(set(viewer.owns)))


class Sight(NamedTuple):
    """What the viewers of a view see of a state.

    Attributes:
        of: The state, with nothing hidden.
        seen: As it is sent to them.
        whole: Whether nothing is hidden from them.
        bands: Of the counters that are veiled.
        follows: Whether it comes of folding what they may read onto what they saw before.
        headline: Whose turn it is; nothing where nobody wants to hear.
        broken: The last new position that they cannot fold; 0 if they can fold all.
    """

    of: State
    seen: State
    whole: bool
    bands: Mapping[Id, Mapping[str, str]]
    follows: bool = True
    headline: str | None = None
    broken: int = 0


class View:
    """What those see who have one viewer's rights.

    Args:
        viewer: Any of them.
        state: The present state, with nothing hidden.

    Attributes:
        headline: Whose turn it is, or whom the table waits for, as they may hear it; empty until somebody wants it.
        broken: The last position whose state does not follow from what they may read; who stands before it needs a
            snapshot.
    """

    def __init__(self, viewer: Viewer, recorded: Sequence[Recorded], state: State) -> None:
        self.viewer = viewer
        self.headline = ""
        self.hash = recorded[-1].hash
        self.head = recorded[-1].position
        self._ahead: Sight | None = None
        self._see(self._sight(state))
        open_to_them = self._sees.whole and all(visible(viewer, one) for one in recorded)
        self.broken = self._last_break(recorded) if open_to_them else self.head

    def take(self, new: Sequence[Recorded], state: State) -> None:
        """Take in what is new."""
        ahead = self._ahead
        self._see(ahead if ahead is not None and ahead.of is state else self._next(new, state))
        self.head, self.hash = new[-1].position, new[-1].hash
        if not self._sees.follows or self._sees.broken:
            self.broken = self.head

    def prepare(self, new: Sequence[Recorded], fight: Fight, *, headline: bool) -> None:
        """Work out ahead what ``take`` and ``say`` need, while nobody else uses the fight; a thread may do so."""
        says = headline_for(self.viewer, fight) if headline else None
        self._ahead = self._next(new, fight.state)._replace(headline=says)

    def batch(self, after: int, lines: Sequence[Written], opened: Sequence[Written] = (), *, snapshot: bool) -> Batch:
        """Return these lines, which lie behind a position, and before them the present state if it is wanted.

        Args:
            opened: Earlier lines that these open to some.
        """

        def make() -> Batch:
            viewer = self.viewer
            sent = tuple((line.one.position, line.to(viewer)) for line in lines)
            again = tuple(line.to(viewer) for line in opened if hides_some(viewer, line.one))
            to = lines[-1].one.position if lines else after
            return Batch(self.snapshot() if snapshot else None, again, sent, to)

        return ENCODED.get((self._now, after, snapshot), make)

    def snapshot(self) -> bytes:
        """Return the present state as it is sent."""
        sees = self._sees
        told = {"position": self.head, "hash": self.hash, "state": sees.seen, "bands": sees.bands}
        return ENCODED.get(self._now, lambda: encode(told))

    def knows_of(self, other: Viewer) -> bool:
        """Tell whether those who share the view may know of another viewer."""
        return knows_of(self.viewer, other, self._sees.of)

    def say(self, fight: Fight) -> None:
        """Put the headline as it is now."""
        known = self._sees.headline if self._sees.of is fight.state else None
        self.headline = headline_for(self.viewer, fight) if known is None else known

    def _see(self, sight: Sight) -> None:
        self._sees, self._ahead = sight, None
        self._now = object()  # what was encoded before is nobody's any more

    def _sight(self, state: State) -> Sight:
        viewer = self.viewer
        return Sight(state, sent_to(viewer, state), seen_by(viewer, state) is state, bands(viewer, state))

    def _next(self, new: Sequence[Recorded], state: State) -> Sight:
        """Return what they see of a state that follows the one they saw."""
        before, now = self._sees, self._sight(state)._replace(broken=self._last_break(new))
        if before.whole and now.whole:
            return now  # nothing to look for: the engine made the state by folding the same events
        return now._replace(follows=now.bands == before.bands and _folded(before.seen, new) == now.seen)

    def _last_break(self, recorded: Sequence[Recorded]) -> int:
        """Return the last position that these viewers cannot fold; 0 if there is none."""
        viewer = self.viewer
        breaks = (one.position for one in recorded if type(one.event) in MOVES or not visible(viewer, one))
        return max(breaks, default=0)


def _folded(before: State, new: Sequence[Recorded]) -> State | None:
    """Return what comes of folding events onto what somebody saw; nothing if they speak of what was not seen."""
    draft = Draft(before)
    try:
        for one in new:
            evolve(draft, one.event)
    except (AttributeError, LookupError, TypeError, ValueError):
        return None
    return draft.freeze()
