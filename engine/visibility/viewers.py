"""Viewers of a fight, and the events they may read."""

from collections.abc import Container, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from affray.engine.core.ids import MORE_TO_COME
from affray.events import Closed, Id, Recorded, Released

GM_ONLY = "gm"
"""The id in audiences that no player plays: not even the end of the record opens the event."""

SECRET_ROLL = "secret_roll"
"""The ruling whose dice only the game master sees."""

SECRET_RULINGS = frozenset({SECRET_ROLL, MORE_TO_COME})
"""The rulings that only the game master may read before the record is closed."""

WORDS = "*words"
"""The prefix in an audience of an event that is sealed for its words alone, so that they can be released.

No combatant has such an id. The digits behind it are random. So a later reader of the words cannot guess the other ids
of the audience.
"""


class Viewer(Struct, frozen=True, kw_only=True):
    """A viewer of a fight.

    Attributes:
        role: The role; only ``role`` and ``owns`` decide what the viewer may see.
        name: The viewer's name.
        owns: Ids of the combatants they play.
    """

    role: Literal["gm", "player", "spectator"]
    name: str = ""
    owns: tuple[Id, ...] = ()


def can_read(viewer: Viewer, recorded: Recorded, opened: Container[int] = ()) -> bool:
    """Tell whether a viewer may read an event.

    A game master may read all events; another viewer may if it plays all combatants of the audience.

    Args:
        opened: The positions that all viewers may read by now; see ``Openings``.
    """
    return _among(viewer, recorded.audience, recorded.position in opened)


def knows_sender(viewer: Viewer, recorded: Recorded, opened: Container[int] = ()) -> bool:
    """Tell whether a viewer may know the sender and the id of an event's command.

    Args:
        opened: As in ``can_read``.
    """
    return _among(viewer, recorded.known_to, recorded.known_to == () and recorded.position in opened)


def has_hidden_part(viewer: Viewer, recorded: Recorded, opened: Container[int] = ()) -> bool:
    """Tell whether a line has a part that a viewer may not read."""
    if recorded.audience is None and recorded.known_to is None:
        return False
    return not (can_read(viewer, recorded, opened) and knows_sender(viewer, recorded, opened))


def _among(viewer: Viewer, audience: tuple[Id, ...] | None, opened: bool) -> bool:
    if audience is None or viewer.role == "gm" or opened:
        return True
    return bool(audience) and list_combatants_of(audience) <= {*viewer.owns}


def list_combatants_of(audience: Iterable[Id]) -> set[Id]:
    """Return the combatants of an audience; a viewer who plays all of them may read the event."""
    return {one for one in audience if not one.startswith(WORDS)}


def is_sealed_for_words(audience: tuple[Id, ...] | None) -> bool:
    """Tell whether an audience seals an event for its words."""
    return audience is not None and any(one.startswith(WORDS) for one in audience)


def list_released(event: Released, sealed: Sequence[str], earlier: Sequence[Recorded]) -> Sequence[str]:
    """List the commands that a release opens: the named ones, or all sealed ones."""
    named = dict.fromkeys(earlier[at - 1].cause for at in event.positions if 0 < at <= len(earlier))
    return [*named] if event.positions else sealed


OPENS = frozenset({Closed, Released})
"""The events that open earlier lines."""


class Openings:
    """The sealed lines that all viewers may read by now, updated line by line.

    The end of the record opens the game master's secret rolls. A release opens the words that it names. Facts about a
    hidden combatant stay sealed. A secret roll with free text needs both: its dice are not opened before the end. A
    line that was opened is not sealed again, even if the opening is taken back.

    Attributes:
        by: The position of the event that opened each such line, by the line's position.
    """

    __slots__ = ("_rolls", "_secrets", "_words", "by")

    def __init__(self) -> None:
        self.by: dict[int, int] = {}
        self._words: dict[str, list[int]] = {}
        self._rolls: dict[str, list[int]] = {}
        self._secrets: list[int] = []

    def add(self, one: Recorded, earlier: Sequence[Recorded]) -> None:
        """Add the next line."""
        if isinstance(one.event, Closed):
            self._open(self._secrets, one.position)
        elif isinstance(one.event, Released):
            for cause in list_released(one.event, [*self._words, *self._rolls], earlier):
                self._open(self._words.pop(cause, ()), one.position)
                self._secrets += self._rolls.pop(cause, ())
        if () in (one.audience, one.known_to):
            self._secrets.append(one.position)
        if one.audience and is_sealed_for_words(one.audience):
            kept = self._rolls if GM_ONLY in one.audience else self._words
            kept.setdefault(one.cause, []).append(one.position)

    def _open(self, positions: Iterable[int], by: int) -> None:
        for position in positions:
            self.by.setdefault(position, by)


def list_sealed_words(recorded: Sequence[Recorded], opened: Container[int]) -> dict[str, int]:
    """Return the first position of words that are still sealed, by command.

    Args:
        opened: The positions that every viewer can read by now; see ``Openings``.
    """
    found: dict[str, int] = {}
    for one in recorded:
        if isinstance(one.event, Released):
            for cause in list_released(one.event, [*found], recorded):
                found.pop(cause, None)
        elif one.audience and is_sealed_for_words(one.audience) and one.position not in opened:
            found.setdefault(one.cause, one.position)
    return found
