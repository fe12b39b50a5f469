"""Loading black powder weapons again (WYR-058, WYR-059)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from affray.engine.core.actions import Action
from affray.engine.core.changes import item_counted, pool_set
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Id, ItemId

from .gear import carried, has, loaded, usable
from .play import action_spent, an_action
from .sheet import must_be_active


class Reload(Action, frozen=True, kw_only=True):
    """Load a black powder weapon again, which takes the whole turn (WYR-058, WYR-059).

    Attributes:
        weapon: Item id; the first that is empty if none is named.
    """

    kind: ClassVar[str] = "reload"
    says: ClassVar[str] = "load a black powder weapon, for the whole turn"
    words: ClassVar[tuple[str, ...]] = ("weapon",)

    weapon: ItemId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: active, the whole turn, a weapon that is empty."""
        must_be_active(table, actor, "WYR-058")
        if table.config.reload_takes == "action":
            an_action(table, actor)
        elif table.pool(actor, "moves") < 1 or table.pool(actor, "actions") < 1:
            message = f"{actor} has moved or acted already"
            raise Refused("needs_whole_turn", "WYR-058", message, source=f"{actor}.actions")
        weapon = self._empty(table, actor)
        if not has(table, weapon, "black_powder"):
            raise Refused("nothing_to_reload", "WYR-059", f"the {weapon.name} needs no reloading", source=weapon.id)
        if loaded(table, weapon):
            raise Refused("already_loaded", "WYR-058", f"the {weapon.name} is loaded", source=weapon.id)

    def _empty(self, table: Table, actor: Id) -> Item:
        """Return the weapon that was named, or the first empty one."""
        if self.weapon:
            usable(table.item(self.weapon), actor, "WYR-058")
            return table.item(self.weapon)
        shots = carried(table, actor, shot=True)
        if not shots:
            raise Refused("nothing_to_reload", "WYR-059", f"{actor} has nothing to reload", source=actor)
        return next((one for one in shots if not loaded(table, one)), shots[0])

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the whole turn, or the action alone where the configuration says so."""
        if table.config.reload_takes == "turn":
            yield pool_set(table, actor, "moves", 0, "WYR-058", "WYR-T27")
        yield from action_spent(table, actor, "WYR-058")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Load it."""
        yield Go("carry_out", rules=("WYR-058",))
        yield item_counted(table, self._empty(table, actor).id, "loaded", 1, "WYR-058")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every weapon that shoots, and none for the first that is empty."""
        return (*(item.id for item in carried(table, actor, shot=True)), "")
