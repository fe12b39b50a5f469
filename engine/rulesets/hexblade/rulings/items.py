"""Rulings on items: wear, repair, dropping, giving, recoverable missiles."""

from collections.abc import Mapping
from typing import ClassVar, Literal

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import set_item_counter
from affray.engine.core.effects import Rule
from affray.engine.core.ids import id_of
from affray.engine.core.state import Item as Thing
from affray.engine.errors import Unusable
from affray.engine.kit.encounters import add_item
from affray.engine.kit.rulings import items, positions
from affray.engine.kit.rulings.values import Count
from affray.engine.rulesets.hexblade.chapters.effects import drop
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.encounter.file import Stock
from affray.engine.rulesets.hexblade.encounter.setup import (
    BARE,
    SHIELD,
    build_armor,
    build_missiles,
    build_weapon,
    name_missiles,
    read_definitions,
)
from affray.engine.rulesets.hexblade.gear import HANDY, clear_hands, damage_item, find_armor, find_die, mend, resize
from affray.engine.rulesets.hexblade.marks import SEEKERS
from affray.engine.rulesets.hexblade.movement.board import is_on_board
from affray.engine.rulesets.hexblade.sheet import refusal
from affray.engine.rulesets.hexblade.tables import armors
from affray.events import Clause, CombatantId, Id, ItemAdded, ItemId, PlaceId


def find_wearing_item(table: Table, id: Id) -> Thing:
    """Return an item that wears out.

    Raises:
        Unusable: The item does not wear.
    """
    item = table.item(id)
    if item.kind not in ("weapon", "armor") or "natural" in item.traits:
        raise Unusable(f"{item.quoted_name} is neither weapon nor armour that wears", "item")
    return item


@ruled_as("wear", "set the wear of an item: whole, damaged or broken", "item", "to")
class Wear(Ruling, frozen=True, kw_only=True):
    """Set the wear of an item regardless of the dice (HEX-024, HEX-038, HEX-042)."""

    item: ItemId
    to: Literal["whole", "damaged", "broken"]

    def check(self, table: Table) -> None:
        """Refuse an item that does not wear."""
        find_wearing_item(table, self.item)

    def decide(self, table: Table) -> Rule[None]:
        """Make the item whole, damaged or broken."""
        if self.to == "whole":
            yield from mend(table, self.item, "HEX-038")
            return
        yield from damage_item(table, self.item, "HEX-038")
        broken = int(self.to == "broken")
        if table.item(self.item).counters.get("broken", 0) != broken:
            yield set_item_counter(table, self.item, "broken", broken, "HEX-042")


class Counter(positions.ItemRuling, frozen=True, kw_only=True):
    """Set a counter of an item; its die follows its damage (HEX-038)."""

    def decide(self, table: Table) -> Rule[None]:
        """Set the counter, and then the die."""
        yield from super().decide(table)
        thing = table.item(self.item)
        if thing.base:
            yield from resize(table, thing.id, find_die(thing), "HEX-038")


@ruled_as("repair", "let a professional repair an item", "item")
class Repair(Ruling, frozen=True, kw_only=True):
    """Let a professional repair an item at any cost (HEX-041)."""

    item: ItemId

    def check(self, table: Table) -> None:
        """Refuse an item that does not wear, is broken for good, or is whole."""
        item = find_wearing_item(table, self.item)
        if item.counters.get("broken"):
            whole = f"rule wear {item.id} whole"
            raise refusal("HEX-042", f"the {item.quoted_name} is broken for good", item.id, example=whole)
        if not (item.counters.get("damaged") or item.counters.get("needs_professional")):
            raise refusal("HEX-039", f"the {item.quoted_name} is not damaged", item.id)

    def decide(self, table: Table) -> Rule[None]:
        """Make the item whole."""
        yield from mend(table, self.item, "HEX-041")


@ruled_as("drop", "let an item fall, or lie in another hex", "item", "at")
class Drop(Ruling, frozen=True, kw_only=True):
    """Let an item fall, or lie somewhere else (HEX-052, HEX-054).

    Attributes:
        at: The hex; by default the owner's.
    """

    item: ItemId
    at: PlaceId = ""

    def check(self, table: Table) -> None:
        """Refuse an item that cannot be dropped, and a place off the map."""
        item = table.item(self.item)
        if item.kind not in HANDY or "natural" in item.traits:
            raise Unusable(f"nobody drops {item.quoted_name}", "item")
        if self.at and not is_on_board(table, self.at):
            raise Unusable("must be a hex of the map, such as 3,1", "at")
        if not (self.at or item.owner):
            raise Unusable(f"{item.quoted_name} lies somewhere already; say at which hex it lies now", "at")

    def decide(self, table: Table) -> Rule[None]:
        """Let the item fall."""
        yield from drop(table, self.item, self.at, "HEX-054")


class Give(positions.Give, frozen=True, kw_only=True):
    """Put an item into other hands, or elsewhere on the body (HEX-062).

    Items that leave no room for it go to the belt.

    Attributes:
        where: The position: ``hand``, ``belt``, ``pack`` or ``worn``; no particular one by default.
    """

    where: Literal["", "hand", "belt", "pack", "worn"] = ""

    def check(self, table: Table) -> None:
        """Refuse bare hands, an unfit place, and a second suit of armour."""
        super().check(table)
        item = table.item(self.item)
        fits = item.kind == "armor" if self.where == "worn" else item.kind in HANDY or self.where != "hand"
        if "natural" in item.traits or not fits:
            raise Unusable(f"the {item.quoted_name} does not go there", "where")
        other = find_armor(table, self.to)
        if self.where == "worn" and other is not None and other != item:
            line = f"rule give {other.id} {self.to} where=belt"
            raise table.refuse(self.to, f"wears {other.quoted_name} already", "HEX-T51", example=line)

    def decide(self, table: Table) -> Rule[None]:
        """Hand the item over."""
        if self.where == "hand":
            yield from clear_hands(table, self.to, self.item)
        yield from super().decide(table)


class Gear(items.Gear, frozen=True, kw_only=True):
    """Give a combatant an item of the rules or of the encounter, on the belt (HEX-T51).

    Armour is worn if the combatant wears none.

    Attributes:
        goods: Whether it is an item of no table, such as a rope.
    """

    rule: ClassVar[Clause] = "HEX-T51"

    goods: bool = False

    def lines(self, table: Table) -> Mapping[str, str]:
        """Return the weapons, armour and missiles that can be given, or the goods by name."""
        if self.goods:
            return {id_of(self.thing): self.thing}
        stock = Stock.of(*read_definitions(table)).weapons
        weapons = {key: line.name for key, line in stock.items() if key != BARE}
        missiles = {one.ammunition for one in stock.values()} - {"", "itself"}
        suits = {key: line.name for key, line in armors().items() if line.die or key == SHIELD}
        return {**weapons, **suits, **{kind: name_missiles(kind) for kind in sorted(missiles)}}

    def make_item(self, table: Table, key: str) -> ItemAdded:
        """Return the item (HEX-T51)."""
        stock = Stock.of(*read_definitions(table)).weapons
        if self.goods:
            return add_item(self.who, key, self.thing, "goods", "belt")
        if key in stock:
            return build_weapon(self.who, key, stock[key], "belt")
        if key in armors():
            bare = key != SHIELD and find_armor(table, self.who) is None
            return build_armor(self.who, key, "worn" if bare else "pack")
        return build_missiles(self.who, key)

    def check(self, table: Table) -> None:
        """Refuse an item that is in no table, and goods without a letter in their name."""
        if self.goods and not id_of(self.thing):
            raise Unusable("a name needs a letter or a digit", "thing")
        super().check(table)


@ruled_as("recoverable", "say how many spent missiles can be looked for", "item", "count")
class Recoverable(Ruling, frozen=True, kw_only=True):
    """Set the number of spent missiles that can be looked for (HEX-043).

    Attributes:
        item: The missiles, or the thrown weapon.
        count: The number of spent missiles; by default all.
        by: Others who may look for them, such as for missiles that hit. Ownerless ones are for every combatant.
    """

    item: ItemId
    count: Count | None = None
    by: tuple[CombatantId, ...] = ()

    def check(self, table: Table) -> None:
        """Refuse an item that is no missile, and more missiles than were spent."""
        item = table.item(self.item)
        if "recoverable" not in item.counters:
            raise Unusable(f"{item.quoted_name} is no missile", "item")
        spent = item.counters["spent"]
        if (self.count or 0) > spent or not spent:
            line = f"rule recoverable {item.id} {spent}" if spent else ""
            reason = f"only {spent} of the {item.quoted_name} can be looked for"
            raise refusal("HEX-043", reason, item.id, example=line)

    def decide(self, table: Table) -> Rule[None]:
        """Mark the missiles."""
        count = self.count if self.count is not None else table.item(self.item).counters["spent"]
        yield set_item_counter(table, self.item, "recoverable", count, "HEX-043")
        if self.by and {*self.by} != {*SEEKERS.of(table, self.item)}:
            yield SEEKERS.note_list(self.item, self.by, "HEX-043")

    def already(self, table: Table) -> str:
        """Say how many can be looked for."""
        item = table.item(self.item)
        return f"{item.counters['recoverable']} of the {item.quoted_name} can be looked for already"

    def instead(self, table: Table) -> str:
        """Return a command with another number: none, or all that are spent."""
        counters = table.item(self.item).counters
        return f"rule recoverable {self.item} {0 if counters['recoverable'] else counters['spent']}"
