"""Rulings on items: handed out from tables, taken away, drawn and stowed."""

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import copy_item, set_item_counter
from affray.engine.core.effects import Rule
from affray.engine.core.ids import id_of
from affray.engine.core.loading import load
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.encounters import make_unknown_name
from affray.engine.kit.relations import find_free_id
from affray.events import Clause, CombatantId, Id, ItemAdded, ItemId, ItemMoved

from .values import Count, Word

BODY = frozenset({"ability"})
"""The kinds of items that cannot be taken from a body."""


def find_amount_counter(table: Table, item: Item) -> str:
    """Return the counter with the size of a stack; empty for a single item."""
    words = load(table.draft.system).vocabulary.counters
    return next((name for name in item.counters if name in words and words[name].role == "amount"), "")


def is_of_body(item: Item) -> bool:
    """Tell whether an item is part of its owner, such as bare hands and abilities."""
    return item.kind in BODY or "natural" in item.traits or item.id == f"{item.owner}.unarmed"


def must_hold_so_many(table: Table, item: Item, count: int) -> None:
    """Refuse a count of a single item, and more of a stack than there are."""
    name = find_amount_counter(table, item)
    if count and not name:
        raise Unusable(f"the {item.quoted_name} is a single thing; leave count out", "count")
    if count and count > item.counters[name]:
        raise Unusable(f"there are {item.counters[name]} of {item.quoted_name}", "count")


def split_off(table: Table, item: Id, count: int, owner: Id, where: str) -> Rule[None]:
    """Move part of a stack to another owner.

    It joins a stack of the same kind that the owner has there, or becomes a separate stack.
    """
    stack = table.item(item)
    name = find_amount_counter(table, stack)
    yield set_item_counter(table, item, name, stack.counters[name] - count)
    for other in table.items_of(owner):
        if _are_alike(stack, other) and (not where or other.where == where):
            yield set_item_counter(table, other.id, name, other.counters[name] + count)
            return
    counters = {counter: count if counter == name else 0 for counter in stack.counters}
    id = find_free_id(f"{owner}.{stack.id.rpartition('.')[2]}", table.draft.items)
    yield copy_item(stack, id, stack.name, owner, where, **counters)


def _are_alike(one: Item, other: Item) -> bool:
    """Tell whether two stacks hold the same kind of item."""
    same = (one.name, one.kind, one.traits, one.features, one.die, one.base) == (
        other.name,
        other.kind,
        other.traits,
        other.features,
        other.die,
        other.base,
    )
    return same and one.id != other.id and one.stats == other.stats and one.counters.keys() == other.counters.keys()


@ruled_as("gear", "hand a combatant a thing from the tables of the rules or the encounter", "who", "thing")
class Gear(Ruling, frozen=True, kw_only=True):
    """Give a combatant an item from the tables of the rules or of the encounter.

    Class attributes:
        rule: The clause about items that are handed out.

    Attributes:
        thing: The item's name or its key in the table.
    """

    rule: ClassVar[Clause]

    who: CombatantId
    thing: Word

    def lines(self, table: Table) -> Mapping[str, str]:
        """Return the names of the available items, by their keys."""
        raise NotImplementedError

    def make_item(self, table: Table, key: str) -> ItemAdded:
        """Return the event that gives the item to the combatant."""
        raise NotImplementedError

    def check(self, table: Table) -> None:
        """Refuse an item that is in no table."""
        self._key(table)

    def _key(self, table: Table) -> str:
        lines, wanted = self.lines(table), id_of(self.thing)
        found = next((key for key, name in lines.items() if wanted in (id_of(key), id_of(name))), None)
        if found is None:
            raise make_unknown_name("thing", self.thing, lines, "thing")
        return found

    def decide(self, table: Table) -> Rule[None]:
        """Give the item to the combatant under a free id."""
        thing = self.make_item(table, self._key(table))
        yield replace(thing, item=find_free_id(thing.item, table.draft.items), rules=(*thing.rules, self.rule))


@ruled_as("take_away", "take a thing away, or so many of a stack", "item", "count")
class TakeAway(Ruling, frozen=True, kw_only=True):
    """Take an item, or part of a stack, from its owner.

    The item then has no owner, and can be given again.
    """

    item: ItemId
    count: Count = 0

    def check(self, table: Table) -> None:
        """Refuse a part of a body, and an item without an owner."""
        item = table.item(self.item)
        if is_of_body(item):
            raise Unusable(
                f"the {item.quoted_name} cannot be taken from {table.name_of(item.owner)}; name a thing", "item"
            )
        if not item.owner:
            message = f"the {item.quoted_name} has no owner; rule give {item.id} WHO gives it to a combatant"
            raise Refused("no_change", "", message, source=item.id)
        must_hold_so_many(table, item, self.count)

    def decide(self, table: Table) -> Rule[None]:
        """Take the item."""
        item = table.item(self.item)
        name = find_amount_counter(table, item)
        if self.count and self.count < item.counters[name]:
            yield set_item_counter(table, self.item, name, item.counters[name] - self.count)
        else:
            yield ItemMoved(item=self.item, owner="", before=item.where, after="")


class _MoveOnBody(Ruling, frozen=True, kw_only=True):
    """A ruling that moves an item on its owner's body, by the ruling ``give``."""

    item: ItemId

    def places(self, table: Table) -> tuple[str, ...]:
        """Return the possible places, the usual one first."""
        raise NotImplementedError

    def _give(self, table: Table) -> Ruling:
        """Return the ruling that puts the item into the first place with room.

        Raises:
            Refused: no place has room. The refusal is that of the first place.
        """
        item, form = table.item(self.item), load(table.draft.system).rulings["give"]
        refused: Refused | Unusable | None = None
        for where in self.places(table):
            give = form(item=item.id, to=item.owner, where=where)
            try:
                give.check(table)
            except (Refused, Unusable) as error:
                refused = refused or error
            else:
                return give
        assert refused is not None
        raise refused

    def check(self, table: Table) -> None:
        """Refuse an item without an owner, a part of a body, and an item already there."""
        item = table.item(self.item)
        if is_of_body(item):
            raise Unusable(f"the {item.quoted_name} cannot be put elsewhere; name a thing", "item")
        if not item.owner:
            message = f"the {item.quoted_name} has no owner; rule give {item.id} WHO gives it to a combatant"
            raise Unusable(message, "item")
        if item.where in self.places(table):
            raise Refused("no_change", "", f"the {item.quoted_name} is there already", source=item.id)
        self._give(table)

    def decide(self, table: Table) -> Rule[None]:
        """Move the item."""
        yield from self._give(table).decide(table)


@ruled_as("to_hand", "put a thing into its owner's hand, at no cost", "item")
class ToHand(_MoveOnBody, frozen=True, kw_only=True):
    """Put an item into its owner's hand, at no cost."""

    def places(self, table: Table) -> tuple[str, ...]:
        """Return the hands."""
        positions = load(table.draft.system).vocabulary.positions
        return tuple(name for name, one in positions.items() if one.role == "hand")


@ruled_as("put_away", "put a thing away, at no cost", "item")
class PutAway(_MoveOnBody, frozen=True, kw_only=True):
    """Put an item away, at no cost."""

    def places(self, table: Table) -> tuple[str, ...]:
        """Return the place for stowed items: the pack, or away if the system has none."""
        positions = load(table.draft.system).vocabulary.positions
        return (next((name for name in ("pack", "stowed") if name in positions), ""),)
