"""What every system can rule, ruled of rider and mount together, and of somebody with two hands (WWN-008, WWN-053)."""

from __future__ import annotations

from affray.engine.core.changes import item_moved
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit import rulings
from affray.engine.kit.relations import bond, parted
from affray.engine.rulesets.wwn.arms import HANDS, hands
from affray.engine.rulesets.wwn.board import apart_by
from affray.engine.rulesets.wwn.harm import unseated
from affray.engine.rulesets.wwn.sheet import mount_of, rider_of, unit
from affray.events import Clause, Id, Moved, SideChanged


class Place(rulings.Place, frozen=True, kw_only=True):
    """Put a combatant somewhere else, and whom it rides or carries."""

    def decide(self, table: Table) -> Rule[str]:
        """Put them there."""
        for who in unit(table, self.who):
            yield Moved(who=who, before=table[who].place, after=self.to, rules=_why(who, self.who))
        return ""


class Distance(rulings.Distance, frozen=True, kw_only=True):
    """Say how far apart two combatants are, in a fight without a map; riders and mounts are at one place."""

    def check(self, table: Table) -> None:
        """Refuse a pair on a map, and a rider and its mount."""
        super().check(table)
        if self.other in unit(table, self.one):
            raise Refused("is_ridden", "WWN-053", f"{self.one} and {self.other} are together", source=self.other)

    def decide(self, table: Table) -> Rule[str]:
        """Set it."""
        yield from apart_by(table, self.one, self.other, self.to)
        return ""


class Side(rulings.Side, frozen=True, kw_only=True):
    """Let a combatant fight for another side; a mount goes with its rider, and a group is of one side (WWN-T28)."""

    def check(self, table: Table) -> None:
        """Refuse it of a mount that is ridden."""
        if rider_of(table, self.who):
            raise Refused("is_ridden", "WWN-053", f"{self.who} is of its rider's side", source=self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Change it."""
        for who in unit(table, self.who):
            yield SideChanged(who=who, before=table[who].side, after=self.side, rules=_why(who, self.who))
        group = bond(table, "group", self.who)
        if group is not None and any(table[one.who].side != self.side for one in group.members):
            yield parted(group, self.who, rules=("WWN-T28",))
        return ""


def _why(who: Id, named: Id) -> tuple[Clause, ...]:
    """Return by which clause somebody goes along with the one who was named."""
    return () if who == named else ("WWN-053",)


class Give(rulings.Give, frozen=True, kw_only=True):
    """Put an item into other hands, or elsewhere on the body; one has two hands and wears one suit of armor."""

    def decide(self, table: Table) -> Rule[str]:
        """Hand it over; what there is no room for is put back in reach."""
        others = [item for item in table.items_of(self.to) if item.id != self.item and item.where == self.where]
        free = HANDS - hands(table.item(self.item))
        for other in sorted(others, key=lambda item: item.kind == "shield", reverse=True):
            free -= hands(other) if self.where == "hand" else 0
            if free < 0 or (self.where == "worn" and other.kind == "armor"):
                yield item_moved(table, other.id, "readied", "WWN-T14")
        return (yield from super().decide(table))


class Relate(rulings.Relate, frozen=True, kw_only=True):
    """Let a relation hold between combatants; the end of riding takes the rider out of the saddle."""

    def decide(self, table: Table) -> Rule[str]:
        """Set it."""
        held = table.draft.relations.get(self.relation)
        if held is not None and held.kind == "riding" and mount_of(table, held.members[0].who):
            yield from unseated(table, held.members[0].who, "WWN-053")
            return ""
        return (yield from super().decide(table))
