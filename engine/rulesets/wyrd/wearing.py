"""Putting protection on and taking it off (WYR-035)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from affray.engine.core.actions import Action
from affray.engine.core.changes import item_moved
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Id, ItemId

from .gear import usable, worn
from .play import action_spent, may_act
from .tables import PROTECTION


class Wear(Action, frozen=True, kw_only=True):
    """Put a piece of protection on, or take it off, for an action (WYR-012, WYR-035).

    Attributes:
        item: Item id.
        off: Whether it is taken off.
    """

    kind: ClassVar[str] = "wear"
    says: ClassVar[str] = "put protection on, or take it off"
    words: ClassVar[tuple[str, ...]] = ("item",)

    item: ItemId
    off: bool = False

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: active, budget, the piece, a second one of its kind."""
        may_act(table, actor, manner, "WYR-012")
        item = table.item(self.item)
        usable(item, actor, "WYR-035")
        protection(item)
        if (item.where == "worn") is not self.off:
            how = "not worn" if self.off else "worn"
            raise Refused("no_change", "WYR-035", f"the {item.name} is {how} already", source=item.id)
        if not self.off:
            room_for(table, actor, item)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (WYR-007)."""
        yield from action_spent(table, actor, "WYR-012")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Put it on or take it off."""
        yield Go("carry_out", rules=("WYR-012",))
        yield item_moved(table, self.item, "" if self.off else "worn", "WYR-035")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every piece of protection: what is worn is taken off, and the rest put on."""
        match field:
            case "item":
                return [item.id for item in table.items_of(actor) if item.kind in PROTECTION]
            case "off":
                return (table.item(so_far.item).where == "worn",)
            case _:
                return super().values(table, actor, manner, field, so_far)


def protection(item: Item) -> None:
    """Refuse what is no piece of protection, or one no more (Terms, Armor die)."""
    if item.kind not in PROTECTION or not item.die:
        raise Refused("not_wearable", "WYR-T15", f"the {item.name} is no protection", source=item.id)


def room_for(table: Table, who: Id, item: Item) -> None:
    """Refuse a second piece of protection of one kind (WYR-035)."""
    for other in worn(table, who):
        if other.kind == item.kind and other.id != item.id:
            raise Refused("slot_taken", "WYR-035", f"{who} wears the {other.name}", source=other.id)
