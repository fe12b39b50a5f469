"""Weapons: the one in hand, loading, swapping (VES-030, VES-036 to VES-039)."""

from collections.abc import Iterable
from typing import Any, Literal, Self

from msgspec import field

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import change_pool, move_item, set_item_counter
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.events import Clause, Id, ItemId

from .config import Table
from .sheet import can_be_loaded, must_be_active
from .turns.economy import is_before_initiative, must_afford, must_have_ep, spend


def find_weapon_in_hand(table: Table, who: Id) -> Item:
    """Return the weapon that a combatant has in hand, or its bare hands."""
    return table.item(table.derive_from_things(_find_id_in_hand, who))


def _find_id_in_hand(table: Table, who: Id) -> Id:
    held = (item.id for item in table.items_of(who) if item.where == "hand" and item.kind == "weapon")
    return next(held, f"{who}.unarmed")


def must_be_in_hand(table: Table, actor: Id, held: Item, weapon: Id) -> None:
    """Refuse a named weapon that is not the one in hand."""
    if weapon not in ("", held.id):
        named = table.item(weapon).quoted_name
        raise table.refuse(actor, f"has {held.quoted_name} in hand, not {named}", "VES-T17", "not_in_hand", held.id)


def is_empty(weapon: Item) -> bool:
    """Return whether a weapon is a bow or firearm without ammunition loaded."""
    return can_be_loaded(weapon) and not weapon.counters.get("loaded")


def must_be_loaded(weapon: Item, rule: Clause) -> None:
    """Refuse a bow or firearm without ammunition loaded (VES-030)."""
    if is_empty(weapon):
        raise Refused("not_loaded", rule, f"the {weapon.quoted_name} must be reloaded first", source=weapon.id)


@declared_as("swap", "take another weapon in hand, for an action or 1 energy", "weapon")
class Swap(Action, frozen=True, kw_only=True):
    """Take another weapon in hand, for an action or for 1 ep.

    Attributes:
        weapon: The weapon to take, or ``unarmed`` after the owner's id for bare hands.
        payment: Recorded as ``pay``: ``action`` or ``ep``. The player chooses.
    """

    weapon: ItemId
    payment: Literal["action", "ep", ""] = field(default="", name="pay")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: the payment, then the weapon (VES-036)."""
        if not self.payment:
            must_be_active(table, actor)
            message = "say how the swap is paid, with an action (pay=action) or with energy (pay=ep)"
            raise Refused("choose_payment", "VES-037", message, actor)
        if self.payment == "ep" and manner != "pending":
            self._must_afford_ep(table, actor, manner)
        else:
            must_afford(table, actor, manner, self.kind)
        weapon = table.item(self.weapon)
        if weapon.owner != actor or weapon.kind != "weapon":
            raise table.refuse(actor, f"does not have {weapon.quoted_name}", "VES-036", "not_owned", weapon.id)
        if weapon.where == "hand":
            raise table.refuse(actor, f"has {weapon.quoted_name} in hand", "VES-036", "already_in_hand", weapon.id)

    def _must_afford_ep(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse ep as payment off-turn, before initiative, or without any ep (VES-037)."""
        must_be_active(table, actor)
        if manner == "readied":
            raise Refused("not_your_turn", "VES-037", "a swap is paid with energy only on one's own turn", source=actor)
        if is_before_initiative(table):
            raise Refused("no_standard_action", "VES-G02", "a free round has standard actions only", source=actor)
        must_have_ep(table, actor, 1, "VES-037")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take 1 ep, or else the action or token."""
        if self.payment == "ep":
            yield change_pool(table, actor, "ep", -1, "VES-037")
        else:
            yield from spend(table, actor, manner, self.kind)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Put the held weapon away and take the other in hand."""
        yield move_item(table, find_weapon_in_hand(table, actor).id, "", "VES-036")
        yield move_item(table, self.weapon, "hand", "VES-036")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List every weapon that is not in hand, and both ways to pay."""
        if field == "weapon":
            return [item.id for item in table.items_of(actor) if item.kind == "weapon" and item.where != "hand"]
        return ("action", "ep") if field == "payment" else super().values(table, actor, manner, field, so_far)


@declared_as("reload", "load the bow or firearm in hand")
class Reload(Action, frozen=True, kw_only=True):
    """Load the bow or firearm in hand again."""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to a combatant that has a bow or firearm."""
        return any(map(can_be_loaded, table.items_of(actor)))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: budget, then a weapon that cannot or need not be loaded (VES-039)."""
        must_afford(table, actor, manner, self.kind)
        weapon = find_weapon_in_hand(table, actor)
        if not can_be_loaded(weapon):
            raise Refused("nothing_to_reload", "VES-T25", f"{weapon.quoted_name} needs no ammunition", source=weapon.id)
        if weapon.counters.get("loaded"):
            raise Refused("already_loaded", "VES-039", f"the {weapon.quoted_name} is loaded", source=weapon.id)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action or token."""
        yield from spend(table, actor, manner, self.kind)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Load the weapon. No other action loads it."""
        yield set_item_counter(table, find_weapon_in_hand(table, actor).id, "loaded", 1, "VES-039", "VES-030")
