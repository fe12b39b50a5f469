"""Sides and enemies."""

from collections.abc import Callable
from typing import Annotated

from affray.engine.core.candidates import Among, Target
from affray.engine.core.state import Combatant
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.events import Id


def are_enemies(table: Table, one: Id, other: Id) -> bool:
    """Tell whether two combatants are on different sides and not allied by ruling."""
    people = table.draft.combatants
    try:
        if people[one].side == people[other].side:
            return False
    except KeyError:
        table[one], table[other]
        raise
    return not table.draft.relations or (one, other) not in table.derive(list_allied_pairs)


def list_enemies(table: Table, who: Id) -> list[Id]:
    """Return a combatant's enemies, in joining order. Allies are no enemies."""
    return [one for one in table.draft.combatants if are_enemies(table, who, one)]


Enemy = Annotated[Target, Among(list_enemies)]
"""An enemy that an action targets."""


def list_allied_pairs(table: Table) -> frozenset[tuple[Id, Id]]:
    """Return every pair of combatants that the game master allied."""
    return frozenset(
        (one.who, other.who)
        for relation in table.draft.relations.values()
        if relation.kind == "allies"
        for one in relation.members
        for other in relation.members
    )


def are_hostile(table: Table, side: str, other: str) -> bool:
    """Tell whether the known combatants of two sides are all enemies.

    One allied pair is enough to make the sides friendly.
    """
    people = table.list_known(table.draft.combatants)
    pairs = [(a, b) for a in people if table[a].side == side for b in people if table[b].side == other]
    return bool(pairs) and all(are_enemies(table, *both) for both in pairs)


def list_sides_with(table: Table, fit: Callable[[Combatant], bool]) -> tuple[str, ...]:
    """Return the sides that have a combatant who can still fight, in joining order."""
    return tuple(dict.fromkeys(one.side for one in table.draft.combatants.values() if fit(one)))


def must_be_a_side(table: Table, side: str, field: str) -> None:
    """Refuse a side without combatants.

    Raises:
        Unusable: there is no side of that name; lists the sides.
    """
    sides = {one.side for one in table.draft.combatants.values()}
    if side and side not in sides:
        raise Unusable(f"there are the sides {', '.join(sorted(sides))}", field)
