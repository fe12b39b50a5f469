"""Reading a combatant of Verdigris: who is able, who is whose enemy, what the sheet says."""

from __future__ import annotations

from collections.abc import Mapping

from affray.engine.core.table import Table
from affray.events import Id

PARTY = "party"
ENEMIES = "enemies"

GONE = frozenset({"slain", "dead"})
"""Conditions of somebody who is out of play for good: no turn, no target."""

NOT_ABLE = GONE | {"deaths_door", "unconscious", "unable"}
"""Conditions of somebody who no longer decides a fight."""

HELPLESS = NOT_ABLE | {"paralysed"}
"""Conditions of somebody who cannot act, and whom no Dodge saves."""

OUT_OF_MELEE = GONE | {"deaths_door"}
"""Conditions of somebody who lies in a melee without taking part in it."""

NOBODY: Mapping[Id, int] = {}


def stat(table: Table, who: Id, name: str) -> int:
    """Return a number of the sheet: a save, a skill, the level of a talent; what the sheet leaves out is 0."""
    return table[who].stats.get(name, 0)


def is_pc(table: Table, who: Id) -> bool:
    """Tell whether somebody is a player character."""
    return "pc" in table[who].traits


def is_mount(table: Table, who: Id) -> bool:
    """Tell whether this is an animal that somebody rides or rode."""
    return "mount" in table[who].traits


def _free_of(table: Table, who: Id, conditions: frozenset[str]) -> bool:
    combatant = table.draft.combatants.get(who)
    return combatant is not None and (not combatant.conditions or conditions.isdisjoint(combatant.conditions))


def in_play(table: Table, who: Id) -> bool:
    """Tell whether somebody is neither slain nor dead."""
    return _free_of(table, who, GONE)


def able(table: Table, who: Id) -> bool:
    """Tell whether somebody is neither slain, at Death's Door, unconscious nor ruled out of the fight."""
    return _free_of(table, who, NOT_ABLE)


def can_act(table: Table, who: Id) -> bool:
    """Tell whether somebody can move and act at all."""
    if _free_of(table, who, HELPLESS):
        return True
    return _free_of(table, who, HELPLESS - {"deaths_door"}) and bool(table.config.deaths_door_may_act)


def takes_part(table: Table, who: Id) -> bool:
    """Tell whether a member of a melee is a participant of it (VER-037)."""
    return _free_of(table, who, OUT_OF_MELEE)


def enemies(table: Table, one: Id, other: Id) -> bool:
    """Tell whether two are on different sides (VER-005)."""
    return table[one].side != table[other].side


def other_side(side: str) -> str:
    """Return the side that a side fights against."""
    return ENEMIES if side == PARTY else PARTY


def count(table: Table, who: Id, condition: str) -> int:
    """Return how many of a condition somebody bears, from whatever source (VER-S30)."""
    held = table[who].conditions.get(condition)
    return sum(held.values()) if held else 0


def standing(table: Table) -> tuple[str, ...]:
    """Return the sides that have somebody able; animals do not count. To be asked through ``table.derived``."""
    return tuple(
        dict.fromkeys(
            one.side
            for one in table.draft.combatants.values()
            if "mount" not in one.traits and (not one.conditions or NOT_ABLE.isdisjoint(one.conditions))
        )
    )


def ranks(table: Table) -> dict[str, tuple[Id, ...]]:
    """Return per side who has a turn in each round, in joining order. To be asked through ``table.derived``.

    Everybody in play has one but animals, those ruled out, and those who lie stable at Death's Door (VER-002).
    """
    found: dict[str, list[Id]] = {}
    for one in table.draft.combatants.values():
        if "mount" in one.traits:
            continue
        if one.conditions and not (GONE | {"unable"}).isdisjoint(one.conditions):
            continue
        if one.has("stable") and one.has("deaths_door") and not table.config.deaths_door_may_act:
            continue
        found.setdefault(one.side, []).append(one.id)
    return {side: tuple(members) for side, members in found.items()}


def friends(table: Table, who: Id) -> tuple[Id, ...]:
    """Return the able player characters of somebody's side besides it, in joining order."""
    side = table[who].side
    return tuple(one for one in table.derived(characters).get(side, ()) if one != who)


def characters(table: Table) -> dict[str, tuple[Id, ...]]:
    """Return per side the player characters who are able, in joining order. To be asked through ``table.derived``."""
    found: dict[str, list[Id]] = {}
    for one in table.draft.combatants.values():
        if "pc" in one.traits and (not one.conditions or NOT_ABLE.isdisjoint(one.conditions)):
            found.setdefault(one.side, []).append(one.id)
    return {side: tuple(members) for side, members in found.items()}


def sees(table: Table, viewer: Id, target: Id) -> bool:
    """Tell whether nothing hides one from another (VER-021)."""
    return table.draft.views.get(f"{viewer}>{target}", "clear") != "blocked"


def watching(table: Table, who: Id) -> tuple[Id, ...]:
    """Return the friends who can see somebody, in joining order."""
    views = table.draft.views
    found = friends(table, who)
    return tuple(one for one in found if sees(table, one, who)) if views else found


def max_wounds(table: Table, who: Id) -> int:
    """Return the most wounds somebody can have; a torn bowel halves it, rounded up."""
    most = stat(table, who, "wounds")
    hurt = table[who].conditions.get("injured", NOBODY)
    return (most + 1) // 2 if "bowel torn" in hurt else most


def no_stress(table: Table, who: Id) -> int:
    """Return what calming down brings stress to: 0, or what the game master set as the least (VER-S14)."""
    return min(stat(table, who, "stress_min"), table.pool(who, "stress"))
