"""A story as other programs show it: its lines with what can be chosen and explained in them."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from affray.events import DistanceSet, PlaceSet, Recorded, TurnBegan

from .story import Line, Piece
from .telling import story
from .words import names_of

DRAWN = (DistanceSet, PlaceSet)
"""What a map or a table of distances shows better."""


class StoryEntry(Struct, frozen=True, omit_defaults=True):
    """A line of a story.

    Attributes:
        position, to: The first and the last event that it tells.
        depth: 0 for a round, 1 for a turn, 2 for what is done in it.
        parts: What it says; numbers of rolls and damage name the event that can be explained.
        notes: What happened along with it.
        input: The position of the declaration, answer, pass, entered dice or ruling it belongs to; 0 if none.
        begins: Whether a turn begins with it.
    """

    position: int
    to: int
    depth: int
    parts: tuple[Piece, ...]
    notes: tuple[str, ...] = ()
    input: int = 0
    begins: bool = False


def entries(recorded: Iterable[Recorded]) -> list[StoryEntry]:
    """Return the story of what somebody may read of a fight, from its beginning."""
    told: Sequence[Recorded] = [one for one in recorded if not isinstance(one.event, DRAWN)]
    turns = {one.position for one in told if isinstance(one.event, TurnBegan)}
    return [_entry(line, turns) for line in story(told, names_of(told))]


def _entry(line: Line, turns: set[int]) -> StoryEntry:
    position, to = line.positions
    return StoryEntry(position, to, line.depth, tuple(line.pieces), tuple(line.notes), line.input, position in turns)
