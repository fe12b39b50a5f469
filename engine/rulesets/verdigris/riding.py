"""Who rides what (VER-060)."""

from __future__ import annotations

from affray.engine.core.table import Table
from affray.engine.kit.relations import bonds
from affray.events import Id


def ridden(table: Table) -> dict[Id, Id]:
    """Return per rider its mount. To be asked through ``table.derived``."""
    return {
        rider.who: mount.who
        for relation in bonds(table, "mount").values()
        for rider in relation.members
        for mount in relation.members
        if mount.role == "mount" and rider.role == "rider"
    }


def riders(table: Table) -> dict[Id, Id]:
    """Return per mount its rider. To be asked through ``table.derived``."""
    return {mount: rider for rider, mount in ridden(table).items()}


def mount_under(table: Table, who: Id) -> Id:
    """Return what somebody rides; empty if it is on foot, or is a mount itself."""
    return table.derived(ridden).get(who, "")


def rider_of(table: Table, mount: Id) -> Id:
    """Return who rides a mount; empty if nobody does."""
    return table.derived(riders).get(mount, "")


def trained(table: Table, mount: Id) -> bool:
    """Tell whether a mount is trained for battle (VER-061)."""
    return "battle-trained" in table[mount].traits
