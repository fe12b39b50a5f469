"""The ruling that hands out items."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from msgspec.structs import replace

from affray.engine.core.state import Item
from affray.engine.errors import Unusable
from affray.engine.kit.rulings import items
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.encounter.file import Armed
from affray.engine.rulesets.verdigris.encounter.file import Thing as Goods
from affray.engine.rulesets.verdigris.encounter.outfit import (
    build_ammunition,
    build_armor,
    build_shield,
    build_thing,
    build_weapon,
)
from affray.engine.rulesets.verdigris.encounter.stock import arsenal_of
from affray.engine.rulesets.verdigris.gear.handling import has_room_on_belt
from affray.engine.rulesets.verdigris.gear.things import find_armor
from affray.engine.rulesets.verdigris.tables import inventory, protection
from affray.events import Clause, ItemAdded


class Gear(items.Gear, frozen=True, kw_only=True):
    """Hand a combatant an item of the rules or of the encounter (VER-T78).

    It goes on the belt or into the pack. Armour is worn if no other is.

    Attributes:
        goods: The kind of an item that no table has: a potion, a book, rations, or any other thing.
    """

    rule: ClassVar[Clause] = "VER-T78"

    goods: Literal["", "potion", "book", "rations", "thing"] = ""

    def lines(self, table: Table) -> Mapping[str, str]:
        """Return the weapons, shields, armour and ammunition, or the named item itself."""
        if self.goods:
            return {self.thing: self.thing}
        weapons = {key: line.name for key, line in arsenal_of(table).items() if key != "unarmed"}
        guards = {key: line.name for lines in (protection().shield, protection().armor) for key, line in lines.items()}
        return {**weapons, **guards, **{key: line.name for key, line in inventory().ammunition.items()}}

    def make_item(self, table: Table, key: str) -> ItemAdded:
        """Return the item, placed where there is room for it (VER-T78)."""
        arsenal = arsenal_of(table)
        if self.goods:
            thing = build_thing(self.who, Goods(name=self.thing, kind=self.goods), set(table.draft.items))
        elif key in arsenal:
            thing = build_weapon(self.who, key, arsenal[key], Armed(weapon=key))
        elif key in protection().shield:
            thing = build_shield(self.who, key, "pack", "thing")
        elif key in protection().armor:
            return build_armor(self.who, key, "pack" if find_armor(table, self.who) else "worn", "thing")
        else:
            thing = build_ammunition(self.who, key, inventory().ammunition[key].count, "thing")
        item = Item(id=thing.item, name=thing.name, kind=thing.kind, stats=thing.stats, counters=thing.counters)
        return replace(thing, where="belt" if has_room_on_belt(table, self.who, item) else "pack")

    def check(self, table: Table) -> None:
        """Refuse an item that no table has, and a name without a letter or digit."""
        if not any(letter.isalnum() for letter in self.thing):
            raise Unusable("a name needs a letter or a digit", "thing")
        super().check(table)
