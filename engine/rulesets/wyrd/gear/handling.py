"""Wearing protection, and reloading black powder (WYR-035, WYR-058, WYR-059)."""

from collections.abc import Iterable
from typing import Any, Self

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import move_item, set_item_counter, set_pool
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.sheet import must_be_active
from affray.engine.rulesets.wyrd.tables import PROTECTION
from affray.engine.rulesets.wyrd.turns.turn import PaidAction, must_afford, must_be_able, spend
from affray.events import Id, ItemId

from .pieces import has_tag, is_loaded, list_usable_weapons, list_worn, must_be_usable


@declared_as("wear", "put protection on, or take it off", "item", pays=("WYR-012",))
class Wear(PaidAction, frozen=True, kw_only=True):
    """Put a piece of protection on, or take it off, for an action.

    Attributes:
        off: Whether it is taken off.
    """

    item: ItemId
    off: bool = False

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants that have protection."""
        return any(item.kind in PROTECTION for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: active, budget, the piece, a second one of its kind."""
        must_be_able(table, actor, manner)
        item = table.item(self.item)
        must_be_usable(table, item, actor)
        must_be_protection(item)
        if (item.where == "worn") is not self.off:
            how = "not worn" if self.off else "worn"
            raise Refused("no_change", "WYR-035", f"the {item.quoted_name} is {how} already", source=item.id)
        if not self.off:
            must_have_room(table, actor, item)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Put it on or take it off."""
        yield Go("carry_out", rules=("WYR-012",))
        yield move_item(table, self.item, "" if self.off else "worn", "WYR-035")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List every piece of protection; a worn one is taken off, any other put on."""
        match field:
            case "item":
                return [item.id for item in table.items_of(actor) if item.kind in PROTECTION]
            case "off":
                return (table.item(so_far.item).where == "worn",)
            case _:
                return super().values(table, actor, manner, field, so_far)


def must_be_protection(item: Item) -> None:
    """Refuse an item that is not protection, or a destroyed one (WYR-T15)."""
    if item.kind not in PROTECTION or not item.die:
        raise Refused("not_wearable", "WYR-T15", f"the {item.quoted_name} is no protection", source=item.id)


def must_have_room(table: Table, who: Id, item: Item) -> None:
    """Refuse a second piece of protection of one kind (WYR-035)."""
    for other in list_worn(table, who):
        if other.kind == item.kind and other.id != item.id:
            raise table.refuse(who, f"wears the {other.quoted_name}", "WYR-035", "slot_taken", other.id)


@declared_as("reload", "load a black powder weapon, for the whole turn", "weapon")
class Reload(Action, frozen=True, kw_only=True):
    """Load a black powder weapon, which takes the whole turn.

    Attributes:
        weapon: Item id; by default the first empty weapon.
    """

    weapon: ItemId = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants that have a black powder weapon."""
        return any(has_tag(table, item, "black_powder") for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: active, the whole turn, an empty weapon."""
        must_be_active(table, actor)
        if table.config.reload_takes == "action":
            must_afford(table, actor)
        elif table.pool(actor, "moves") < 1 or table.pool(actor, "actions") < 1:
            raise table.refuse(actor, "has moved or acted already", "WYR-058", "needs_whole_turn", f"{actor}.actions")
        weapon = self._find_weapon(table, actor)
        if not has_tag(table, weapon, "black_powder"):
            raise Refused(
                "nothing_to_reload", "WYR-059", f"the {weapon.quoted_name} needs no reloading", source=weapon.id
            )
        if is_loaded(table, weapon):
            raise Refused("already_loaded", "WYR-058", f"the {weapon.quoted_name} is loaded", source=weapon.id)

    def _find_weapon(self, table: Table, actor: Id) -> Item:
        """Return the named weapon, or the first empty one."""
        if self.weapon:
            must_be_usable(table, table.item(self.weapon), actor)
            return table.item(self.weapon)
        shots = list_usable_weapons(table, actor, shot=True)
        if not shots:
            raise table.refuse(actor, "has nothing to reload", "WYR-059", "nothing_to_reload")
        return next((one for one in shots if not is_loaded(table, one)), shots[0])

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the whole turn, or the action if configured so (WYR-T27)."""
        if table.config.reload_takes == "turn":
            yield set_pool(table, actor, "moves", 0, "WYR-058", "WYR-T27")
        yield from spend(table, actor, "WYR-058")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Load the weapon."""
        yield Go("carry_out", rules=("WYR-058",))
        yield set_item_counter(table, self._find_weapon(table, actor).id, "loaded", 1, "WYR-058")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the ranged weapons, and the default, which is the first empty one."""
        return (*(item.id for item in list_usable_weapons(table, actor, shot=True)), "")
