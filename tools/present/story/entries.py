"""A story as other programs show it: its lines with what can be chosen and explained in them."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from affray.events import DistanceSet, Event, PlaceSet, Recorded, TurnBegan

from .narration import tell_story
from .story import Line, Piece
from .summary import gist
from .words import Names, names_of

DRAWN = (DistanceSet, PlaceSet)
"""The events that a map or a table of distances shows better."""


class StoryEntry(Struct, frozen=True, omit_defaults=True):
    """A line of a story.

    Attributes:
        position, to: The log positions of the first and the last event that it tells.
        depth: 0 for a round, 1 for a turn, 2 for an action or event in it.
        parts: The text in parts; numbers of rolls and damage name the event that can be explained.
        notes: The side effects, as sentences.
        input: The log position of its input: the declaration, answer, pass, entered dice or ruling; 0 for none.
        begins: Whether a turn begins with it.
        gist: The result in few words: the gravest consequence, or else the result of its roll; empty if the line itself
            is as short.
        grave: The severity of the result. 6: a combatant is out of the fight. 5: a combatant cannot act. 4: a combatant
            takes harm. 3: a combatant has less health. 2: another lasting or decisive change. 1: an action was decided
            without any of these. 0: none.
    """

    position: int
    to: int
    depth: int
    parts: tuple[Piece, ...]
    notes: tuple[str, ...] = ()
    input: int = 0
    begins: bool = False
    gist: str = ""
    grave: int = 0


def entries(recorded: Iterable[Recorded], named: Iterable[Event] = ()) -> list[StoryEntry]:
    """Return the story of the events a viewer may read, from the beginning.

    Args:
        named: Events that the viewer may not read, but whose names the viewer knows.
    """
    told: Sequence[Recorded] = [one for one in recorded if not isinstance(one.event, DRAWN)]
    turns = {one.position for one in told if isinstance(one.event, TurnBegan)}
    names, known = names_of(told, named), {one.position: one.event for one in told}
    return [_entry(line, turns, known, names) for line in tell_story(told, names)]


def _entry(line: Line, turns: set[int], known: Mapping[int, Event], names: Names) -> StoryEntry:
    position, to = line.positions
    came = gist(line, [known[one] for one in range(position, to + 1) if one in known], names)
    parts, notes = tuple(line.pieces), tuple(line.notes)
    return StoryEntry(position, to, line.depth, parts, notes, line.input, position in turns, came.says, came.grave)
