"""Who is asked for a snap attack (WWN-021)."""

from __future__ import annotations

from affray.engine.core.ruleset import Offer
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Id

from .arms import ready
from .board import LONG, distance, near, view
from .kit import arms_of
from .legality import shootable
from .sheet import able, foes, mount_of

FEW = 9
"""As many enemies are looked at sooner than the squares around somebody."""


def snaps(table: Table) -> Offer:
    """Ask everybody who could make a snap attack now (WWN-021)."""
    acting = table.draft.acting
    to = tuple(
        [
            who
            for who, one in table.draft.combatants.items()
            if one.pools["main"] > 0 and who not in acting and "mount" not in one.traits and threatens(table, who)
        ]
    )
    return Offer(to=to, what="snap", rules=("WWN-021", "WWN-T25"))


def threatens(table: Table, who: Id) -> bool:
    """Tell whether somebody has an enemy within the reach or range of something readied."""
    if not able(table, who):
        return False
    close = int(table.config.adjacent_ft)
    if _sees_foe(table, who, close):
        return True
    reach, far = close, 0
    for item in arms_of(table, who):
        if ready(item):
            if "L" in item.traits:
                reach = max(reach, LONG)
            if "T" in item.traits or (
                "missile" in item.traits and item.stats["far"] > far and _shoots(table, who, item)
            ):
                far = max(far, item.stats["far"])
    return (reach > close and _sees_foe(table, who, reach)) or (far > reach and _sees_foe(table, who, far))


def _shoots(table: Table, who: Id, weapon: Item) -> bool:
    """Tell whether somebody could shoot a weapon as things are, with no enemy to be seen at its side (WWN-024, 050)."""
    if not weapon.counters.get("loaded", 1) or not weapon.counters.get("set_up", 1):
        return False
    if table.config.meleed_requires_adjacent and not table.draft.views and not mount_of(table, who):
        return True
    try:
        shootable(table, who, weapon)
    except Refused:
        return False
    return True


def not_passed(table: Table, who: Id) -> None:
    """Refuse a snap attack of somebody who was asked and has let the moment pass (WWN-021)."""
    window = table.draft.window
    if window is not None and who not in window.to and threatens(table, who):
        raise Refused("already_passed", "WWN-021", f"{who} has let this moment pass", source=window.id)


def _sees_foe(table: Table, who: Id, feet: int) -> bool:
    """Tell whether there is an active enemy to be seen within so many feet.

    Where there are many enemies, those who stand in the squares around are looked up instead.
    """
    against = foes(table, who)
    for other in against if len(against) < FEW or feet > LONG else against.intersection(near(table, who, feet)):
        if distance(table, who, other) <= feet and view(table, who, other) != "blocked":
            return True
    return False
