"""What somebody owns, sorted by what it is for."""

from __future__ import annotations

from typing import NamedTuple

from affray.engine.state import Item
from affray.engine.table import Table
from affray.events import Id

ARMS = ("weapon", "shield")
"""Kinds of items that can strike."""


class Kit(NamedTuple):
    """The ids of somebody's things: what can strike, shields, suits of armor, Foci and abilities.

    ``owned`` is all there is, which tells whether the rest still holds.
    """

    owned: tuple[Id, ...]
    arms: tuple[Id, ...]
    shields: tuple[Id, ...]
    suits: tuple[Id, ...]
    gifts: tuple[Id, ...]


NOTHING = Kit((), (), (), (), ())


def kit(table: Table, who: Id) -> Kit:
    """Return somebody's things; remembered until something changes hands, for it is asked a dozen times an attack."""
    owned = table.draft.owned_items.get(who)
    if owned is None:
        return NOTHING
    kits: dict[Id, Kit] | None = table.memory.get("kits")
    if kits is None:
        kits = table.memory["kits"] = {}
    kept = kits.get(who)
    if kept is None or kept[0] is not owned:
        things = table.draft.items
        arms, shields, suits, gifts = (
            tuple([item for item in owned if things[item].kind in kinds])
            for kinds in (ARMS, ("shield",), ("armor",), ("focus",))
        )
        kept = kits[who] = Kit(owned, arms, shields, suits, gifts)
    return kept


def arms_of(table: Table, who: Id) -> list[Item]:
    """Return what somebody has that can strike, in alphabetical order."""
    things = table.draft.items
    return [things[item] for item in kit(table, who).arms]
