"""Structural validation of a log: impossible events, and the part before them."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec import json

from affray import events as facts
from affray.engine.core.coordinates import CELLS, is_cell
from affray.engine.core.loading import load
from affray.engine.limits import MOST_DICE, MOST_SIDES
from affray.events import UNREADABLE, Dice, Event, Faces, Id, Recorded, Senseless

T = TypeVar("T")

TRIES = 20
"""The most times that a record is cut before an impossible event and folded again."""


def must_be_possible(recorded: Sequence[Recorded]) -> None:
    """Refuse events that are impossible in any state.

    Raises:
        Senseless: at the first such line.
        Unusable: there is no such rule system here.
    """
    opening = recorded[0].event
    system = opening.system if isinstance(opening, facts.FightOpened) else ""
    for one in recorded:
        find = FAULTS.get(type(one.event))
        fault = find(one.event) if find else find_place_fault(one.event, system)
        if fault:
            raise Senseless(f"{type(one.event).__name__}: {fault}", one.position)


def find_place_fault(event: Event, system: str) -> str:
    """Return why a combatant cannot be at its recorded place on a system's map, or nothing.

    Raises:
        Unusable: there is no such rule system here.
    """
    find = OFF_THE_MAP.get(type(event))
    return find(event) if find and system and load(system).board.kind in CELLS else ""


def follow_valid_part(
    recorded: Sequence[Recorded], follow: Callable[[Sequence[Recorded]], T]
) -> tuple[T, Senseless | None]:
    """Follow a record up to its first fault; return the result and the fault.

    Args:
        recorded: The whole record.
        follow: Follows it, or its beginning up to the end of a command.

    Raises:
        Senseless: even its opening is impossible.
    """
    fault: Senseless | None = None
    for _ in range(TRIES):
        try:
            return follow(recorded), fault
        except Senseless as found:
            fault = found
            recorded = recorded[: _whole(recorded, found.line - 1)]
            if not recorded:
                raise
    assert fault is not None
    raise fault


def _whole(recorded: Sequence[Recorded], length: int) -> int:
    """Return the length of the whole commands within the first events."""
    while length > 0 and recorded[length - 1].more:
        length -= 1
    return length


def _of_faces(dice: Faces) -> str:
    if not 1 <= dice.sides <= MOST_SIDES:
        return f"there is no die of {dice.sides} sides"
    if dice.fates and len(dice.fates) != len(dice.faces):
        return f"{len(dice.faces)} dice have {len(dice.fates)} fates"
    off = next((face for face in dice.faces if not 1 <= face <= dice.sides), None)
    return "" if off is None else f"a die of {dice.sides} sides shows no {off}"


def _of_dice(dice: Dice) -> str:
    if not 1 <= dice.sides <= MOST_SIDES:
        return f"there is no die of {dice.sides} sides"
    return "" if 0 <= dice.count <= MOST_DICE else f"nobody throws {dice.count} dice"


def _of_params(event: facts.Declared | facts.Attempted | facts.Ruled | facts.Stacked) -> str:
    try:
        json.decode(event.params)
    except UNREADABLE as error:
        return f"its parameters cannot be read: {error}"
    return ""


def _of_place(place: Id) -> str:
    return "" if not place or is_cell(place) else f"{place[:20]} is no place on this map"


def _of_opening(event: facts.FightOpened) -> str:
    if event.dice_scheme == facts.dice_scheme_of(event.format):
        return ""
    return f"format {event.format} has no dice scheme {event.dice_scheme}"


OFF_THE_MAP: dict[type[Event], Callable[[Any], str]] = {
    facts.Joined: lambda event: _of_place(event.place),
    facts.Moved: lambda event: _of_place(event.after),
}
"""Further checks for systems with a map of cells."""

FAULTS: dict[type[Event], Callable[[Any], str]] = {
    facts.Asked: lambda event: "" if event.of and event.options else "nobody is asked, or nothing can be answered",
    facts.Attempted: _of_params,
    facts.Declared: _of_params,
    facts.DiceAwaited: lambda event: next(filter(None, map(_of_dice, event.dice)), ""),
    facts.FightOpened: _of_opening,
    facts.Rolled: lambda event: next(filter(None, map(_of_faces, event.dice)), ""),
    facts.Ruled: _of_params,
    facts.Stacked: _of_params,
}
"""The check of each event type: it returns the event's fault, or an empty text."""
