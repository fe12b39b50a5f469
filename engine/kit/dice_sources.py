"""Sources of dice for sides and combatants, as encounters and rulings set them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

from affray.engine.core.ids import id_of
from affray.engine.core.table import Table
from affray.engine.errors import NoSuch, Unusable
from affray.engine.texts import comparison_key
from affray.events import EVERYBODY, DiceSourceSet, Event, Id, Joined

DiceSourceName = Literal["engine", "entered"]
"""The source of dice: thrown by the engine, or real dice that are entered."""


def set_dice_source(table: Table, owner: str, source: str) -> DiceSourceSet:
    """Return the event that sets a source of dice: a combatant's, a side's or all."""
    return _make_dice_source_set(owner, table.is_combatant(owner), source)


def _make_dice_source_set(owner: str, is_combatant: bool, source: str) -> DiceSourceSet:
    if is_combatant or owner == EVERYBODY:
        return DiceSourceSet(owner=owner, source=source)
    return DiceSourceSet(owner="", side=owner, source=source)


def set_own_dice(who: Id, source: DiceSourceName | None) -> Iterator[DiceSourceSet]:
    """Yield the source of a combatant's dice, if its entry names one."""
    if source is not None:
        yield DiceSourceSet(owner=who, source=source)


def set_dice_of_sides(sides: Mapping[str, Any], events: Sequence[Event]) -> Iterator[DiceSourceSet]:
    """Yield the source of each side's dice, from the encounter's ``[side]`` tables.

    Raises:
        Unusable: no combatant is on such a side.
    """
    there = dict.fromkeys(event.side for event in events if isinstance(event, Joined))
    for side, said in sides.items():
        if side not in there:
            raise NoSuch("side", side, there, f"side.{side}")
        if source := said.get("dice"):
            yield DiceSourceSet(owner="", side=side, source=source)


def set_entered_dice(named: Sequence[str], events: Sequence[Event]) -> Iterator[DiceSourceSet]:
    """Yield the events that make the dice of sides and combatants entered ones.

    Args:
        named: Sides, or combatants by id or name.
        events: The opening events of the fight.

    Raises:
        Unusable: there is no such side or combatant.
    """
    people = {event.who: event.side for event in events if isinstance(event, Joined)}
    sides = dict.fromkeys(people.values())
    for name in named:
        owner = _find_owner(name, people, sides)
        yield _make_dice_source_set(owner, owner in people, "entered")


def _find_owner(name: str, people: Collection[Id], sides: Collection[str]) -> str:
    """Return the combatant or side that a name refers to."""
    if name == EVERYBODY or name in people or name in sides:
        return name
    alike = [side for side in sides if comparison_key(side) == comparison_key(name)]
    if len(alike) == 1:
        return alike[0]
    if id_of(name) in people:
        return id_of(name)
    raise NoSuch("side or combatant", name, (*sides, *people), "dice")


def check_needs_no_seed(encounter: Mapping[str, Any]) -> None:
    """Refuse engine dice in an encounter that is opened with ``--dice entered``.

    Such a fight keeps no seed, so the engine could not throw them.

    Raises:
        Unusable: names the field, and how to open the fight instead.
    """
    tables = [(f"side.{name}", said) for name, said in encounter.get("side", {}).items()]
    tables += [(f"combatant[{nth}]", said) for nth, said in enumerate(encounter.get("combatant", ()))]
    for field, said in tables:
        if isinstance(said, Mapping) and said.get("dice") == "engine":
            message = (
                "a fight in which all dice are entered keeps no seed for the engine's; open it without --dice entered"
            )
            raise Unusable(message, f"{field}.dice")
