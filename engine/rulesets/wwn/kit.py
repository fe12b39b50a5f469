"""What somebody owns, sorted by what it is for."""

from __future__ import annotations

from typing import NamedTuple

from affray.engine.core.state import Item
from affray.engine.core.table import Memory, Table
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


KITS = Memory[Id, Kit]()

NOTHING = Kit((), (), (), (), ())


def kit(table: Table, who: Id) -> Kit:
    """Return somebody's things; remembered until something changes hands, for it is asked a dozen times an attack."""
    owned = table.draft.owned_items.get(who)
    known = KITS.of(table)
    kept = known.get(who)
    if kept is None or kept.owned is not owned:
        if owned is None:
            return NOTHING
        things = table.draft.items
        by_kind: dict[str, list[Id]] = {"weapon": [], "shield": [], "armor": [], "focus": []}
        for item in owned:
            by_kind.setdefault(things[item].kind, []).append(item)
        arms = [item for item in owned if things[item].kind in ARMS] if by_kind["shield"] else by_kind["weapon"]
        others = (tuple(by_kind[kind]) for kind in ("shield", "armor", "focus"))
        kept = known[who] = Kit(owned, tuple(arms), *others)
    return kept


def arms_of(table: Table, who: Id) -> list[Item]:
    """Return what somebody has that can strike, in alphabetical order."""
    things = table.draft.items
    return [things[item] for item in kit(table, who).arms]
