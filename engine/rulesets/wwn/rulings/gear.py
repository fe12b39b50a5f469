"""Rulings that hand over or hand out items, to combatants with two hands."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from affray.engine.core.changes import move_item
from affray.engine.core.effects import Rule
from affray.engine.kit.rulings import items, positions
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.encounter.outfit import MOST_PLUS, Named, build_shield, build_suit, build_weapon
from affray.engine.rulesets.wwn.encounter.stock import collect_stock
from affray.engine.rulesets.wwn.gear.things import HANDS, count_hands, find_armor
from affray.engine.rulesets.wwn.tables import Armor
from affray.events import Clause, ItemAdded, PositionName


class Give(positions.Give, frozen=True, kw_only=True):
    """Put an item into other hands, or elsewhere on the body.

    A combatant has two hands and wears one suit of armor.
    """

    def check(self, table: Table) -> None:
        """Refuse the owner and the place that the item already has."""
        super().check(table)
        item = table.item(self.item)
        if (item.owner, item.where) == (self.to, self.where or self.usual_place(table)):
            raise table.refuse(self.to, f"has {item.quoted_name} there already", "WWN-T14", "no_change", item.id)

    def decide(self, table: Table) -> Rule[None]:
        """Hand the item over; put back what finds no room."""
        others = [item for item in table.items_of(self.to) if item.id != self.item and item.where == self.where]
        free = HANDS - count_hands(table.item(self.item))
        for other in sorted(others, key=lambda item: item.kind == "shield", reverse=True):
            free -= count_hands(other) if self.where == "hand" else 0
            if free < 0 or (self.where == "worn" and other.kind == "armor"):
                yield move_item(table, other.id, "readied", "WWN-T14")
        yield from super().decide(table)

    def usual_place(self, table: Table) -> PositionName:
        """Return ``readied``; for a suit of armor ``stowed``."""
        return "stowed" if table.item(self.item).kind == "armor" else "readied"


class Gear(items.Gear, frozen=True, kw_only=True):
    """Hand a combatant an item of the rules or of the encounter (WWN-T76).

    It is at hand; armor is worn if no other is.

    Attributes:
        plus: The bonus of a magical item.
    """

    rule: ClassVar[Clause] = "WWN-T76"

    plus: Annotated[int, Meta(ge=0, le=MOST_PLUS)] = 0

    def lines(self, table: Table) -> Mapping[str, str]:
        """Return the weapons and the armor of the rules and the encounter."""
        tables = collect_stock(table)
        arms = {key: line.name for key, line in tables.weapons.items() if "natural" not in line.tags}
        return {**{key: name for key, name in arms.items() if key != "unarmed"}, **_names(tables.armor)}

    def make_item(self, table: Table, key: str) -> ItemAdded:
        """Return the item (WWN-T76)."""
        tables, named = collect_stock(table), Named(key, self.plus)
        if key in tables.weapons:
            return replace(build_weapon(self.who, key, tables.weapons[key], self.plus), where="readied")
        if tables.armor[key].class_ == "shield":
            return replace(build_shield(self.who, named, "thing", tables)[1], where="readied")
        return replace(
            build_suit(self.who, named, "thing", tables), where="stowed" if find_armor(table, self.who) else "worn"
        )


def _names(lines: Mapping[str, Armor]) -> dict[str, str]:
    return {key: line.name for key, line in lines.items()}
