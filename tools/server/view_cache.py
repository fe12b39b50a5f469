"""View of a fight that all viewers with the same rights share, encoded once."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.state import State
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer, can_read, has_hidden_part, list_bands, project_for_sending, project_state
from affray.events import Id, Recorded
from affray.tools.api.projection import headline_for, may_know_of
from affray.tools.present.awaiting_history import MOVES

from .encoded_cache import ENCODED
from .line_cache import EncodedLine
from .messages import Batch, encode

Rights = tuple[bool, tuple[str, ...]]


def rights_of(viewer: Viewer) -> Rights:
    """Return a key of a viewer's rights; viewers with the same key see the same."""
    return viewer.role == "gm", tuple(sorted(set(viewer.owns)))


class Projection(NamedTuple):
    """Projection of a state for the viewers of a view.

    Attributes:
        of: The state, with nothing hidden.
        seen: The state as these viewers are sent it.
        whole: Whether nothing is hidden from them.
        bands: The bands of veiled counters.
        follows: Whether ``seen`` results from folding the lines that they may read.
        headline: The headline, if it was asked for.
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
    """View of a fight, shared by all viewers with the same rights.

    Args:
        viewer: One of the viewers.
        state: The present state, with nothing hidden.

    Attributes:
        headline: The awaited input as a sentence; empty until a follower asks for it.
        broken: The last position whose state does not follow from the lines that the viewers may read. A client before
            it needs a snapshot.
    """

    def __init__(self, viewer: Viewer, recorded: Sequence[Recorded], state: State) -> None:
        self.viewer = viewer
        self.headline = ""
        self.hash = recorded[-1].hash
        self.head = recorded[-1].position
        self._ahead: Projection | None = None
        self._see(self._project(state))
        open_to_them = self._sees.whole and all(can_read(viewer, one) for one in recorded)
        self.broken = self._last_break(recorded) if open_to_them else self.head

    def update(self, new: Sequence[Recorded], state: State) -> None:
        """Add new events and their state."""
        ahead = self._ahead
        self._see(ahead if ahead is not None and ahead.of is state else self._project_next(new, state))
        self.head, self.hash = new[-1].position, new[-1].hash
        if not self._sees.follows or self._sees.broken:
            self.broken = self.head

    def prepare(self, new: Sequence[Recorded], fight: Fight, *, headline: bool) -> None:
        """Prepare ``update`` and ``update_headline`` while no other request uses the fight, perhaps in a thread."""
        says = headline_for(self.viewer, fight) if headline else None
        self._ahead = self._project_next(new, fight.state)._replace(headline=says)

    def batch(
        self, after: int, lines: Sequence[EncodedLine], opened: Sequence[EncodedLine] = (), *, snapshot: bool
    ) -> Batch:
        """Encode lines behind a position, preceded by a snapshot of the present if asked for.

        Args:
            opened: Earlier lines that these open to some viewers.
        """

        def make() -> Batch:
            viewer = self.viewer
            sent = tuple((line.one.position, line.encode_for(viewer)) for line in lines)
            again = tuple(line.encode_for(viewer) for line in opened if has_hidden_part(viewer, line.one))
            to = lines[-1].one.position if lines else after
            return Batch(self.snapshot() if snapshot else None, again, sent, to)

        return ENCODED.get((self._now, after, snapshot), make)

    def snapshot(self) -> bytes:
        """Encode the snapshot message of the present state."""
        sees = self._sees
        told = {"position": self.head, "hash": self.hash, "state": sees.seen, "bands": sees.bands}
        return ENCODED.get(self._now, lambda: encode(told))

    def knows_of(self, other: Viewer) -> bool:
        """Tell whether the viewers of this view may know of another viewer."""
        return may_know_of(self.viewer, other, self._sees.of)

    def update_headline(self, fight: Fight) -> None:
        """Update the headline."""
        known = self._sees.headline if self._sees.of is fight.state else None
        self.headline = headline_for(self.viewer, fight) if known is None else known

    def _see(self, sight: Projection) -> None:
        self._sees, self._ahead = sight, None
        self._now = object()  # a new key: earlier encoded batches are not found by it

    def _project(self, state: State) -> Projection:
        viewer = self.viewer
        return Projection(
            state, project_for_sending(viewer, state), project_state(viewer, state) is state, list_bands(viewer, state)
        )

    def _project_next(self, new: Sequence[Recorded], state: State) -> Projection:
        """Project a state that follows the present one."""
        before, now = self._sees, self._project(state)._replace(broken=self._last_break(new))
        if before.whole and now.whole:
            return now  # nothing to compare: the engine folded the same events
        return now._replace(follows=now.bands == before.bands and _fold(before.seen, new) == now.seen)

    def _last_break(self, recorded: Sequence[Recorded]) -> int:
        """Return the last position that these viewers cannot fold; 0 if they can fold all."""
        viewer = self.viewer
        breaks = (one.position for one in recorded if type(one.event) in MOVES or not can_read(viewer, one))
        return max(breaks, default=0)


def _fold(before: State, new: Sequence[Recorded]) -> State | None:
    """Fold events onto a projected state; None if they refer to what it does not contain."""
    draft = Draft(before)
    try:
        for one in new:
            evolve(draft, one.event)
    except (AttributeError, LookupError, TypeError, ValueError):
        return None
    return draft.freeze()
