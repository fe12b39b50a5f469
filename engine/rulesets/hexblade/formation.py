"""Who is flanked and who is overrun, as the map has it (HEX-071 to HEX-077)."""

from __future__ import annotations

from collections.abc import Iterable

from affray.engine.core.changes import condition_set
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.kit.sides import enemies
from affray.events import Id

from .hexes import SIDES, around, direction
from .sheet import is_able

OVERRUN = 4
"""So many neighbouring hexes with enemies make somebody overrun (HEX-075)."""

HALF = SIDES // 2


def opposite(victim: Id, attacker: Id) -> Id:
    """Return the hex on the other side of a victim's from an attacker's; nothing if the attacker's is no neighbour."""
    at = direction(victim, attacker)
    return "" if at is None else around(victim)[(at + HALF) % SIDES]


def beset(table: Table, who: Id) -> tuple[bool, ...]:
    """Return for each direction whether an enemy who is able to act stands there; nothing if nobody does."""
    draft = table.draft
    people, occupants = draft.combatants, draft.occupants
    side, ring, any_enemy = people[who].side, [], False
    for hex in around(people[who].place):
        enemy = False
        for one in occupants.get(hex, ()):
            other = people[one]
            if other.side != side and is_able(other) and enemies(table, one, who):
                enemy = any_enemy = True
        ring.append(enemy)
    return tuple(ring) if any_enemy else ()


def is_flanked(ring: tuple[bool, ...]) -> bool:
    """Tell whether enemies stand in two opposite neighbouring hexes (HEX-072)."""
    return bool(ring) and ((ring[0] and ring[3]) or (ring[1] and ring[4]) or (ring[2] and ring[5]))


def is_overrun(ring: tuple[bool, ...]) -> bool:
    """Tell whether enemies stand in four or more neighbouring hexes (HEX-075)."""
    return sum(ring) >= OVERRUN


def seen(table: Table, people: Iterable[Id]) -> Rule[None]:
    """Let the states flanked and overrun of these combatants be what the map makes them (HEX-074, HEX-075)."""
    for who in people:
        one = table.draft.combatants[who]
        ring = beset(table, who)
        flanked, overrun = is_flanked(ring), is_overrun(ring)
        if ("flanked" in one.conditions) != flanked:
            yield condition_set(table, who, "flanked", int(flanked), "HEX-074", "HEX-072", "HEX-T24", "HEX-T25")
        if ("overrun" in one.conditions) != overrun:
            yield condition_set(table, who, "overrun", int(overrun), "HEX-075", "HEX-T24", "HEX-T25")


def rearranged(table: Table, *places: Id) -> Rule[None]:
    """Look again at everybody in and around these hexes, since somebody came, went or fell there (HEX-071)."""
    occupants = table.draft.occupants
    near = dict.fromkeys(hex for place in places if place for hex in (place, *around(place)))
    yield from seen(table, [who for hex in near if hex in occupants for who in occupants[hex]])
