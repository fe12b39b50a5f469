"""Rulings on things: handed out from the tables, taken away, drawn and stowed."""

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import copy_item, item_counted
from affray.engine.core.effects import Rule
from affray.engine.core.ids import id_of
from affray.engine.core.ruleset import load
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.encounters import unknown
from affray.engine.kit.relations import numbered
from affray.events import Clause, CombatantId, Id, ItemAdded, ItemId, ItemMoved

from .words import Count, Word

BODY = frozenset({"ability"})
"""The kinds of what cannot be taken from a body."""


def amount_of(table: Table, item: Item) -> str:
    """Return the counter that says how many of a thing there are; nothing if it is a single one."""
    words = load(table.draft.system).vocabulary.counters
    return next((name for name in item.counters if name in words and words[name].role == "amount"), "")


def is_of_body(item: Item) -> bool:
    """Tell whether an item is part of its owner, as bare hands and abilities are."""
    return item.kind in BODY or "natural" in item.traits or item.id == f"{item.owner}.unarmed"


def must_hold_so_many(table: Table, item: Item, count: int) -> None:
    """Refuse a number of a thing that is a single one, and more than there are."""
    name = amount_of(table, item)
    if count and not name:
        raise Unusable(f"the {item.quoted_name} is a single thing; leave count out", "count")
    if count and count > item.counters[name]:
        raise Unusable(f"there are {item.counters[name]} of {item.quoted_name}", "count")


def split_off(table: Table, item: Id, count: int, owner: Id, where: str) -> Rule[None]:
    """Give so many of a stack to another owner: to a like stack that it has there, or as a stack of its own."""
    stack = table.item(item)
    name = amount_of(table, stack)
    yield item_counted(table, item, name, stack.counters[name] - count)
    for other in table.items_of(owner):
        if _are_alike(stack, other) and (not where or other.where == where):
            yield item_counted(table, other.id, name, other.counters[name] + count)
            return
    counters = {counter: count if counter == name else 0 for counter in stack.counters}
    id = numbered(f"{owner}.{stack.id.rpartition('.')[2]}", table.draft.items)
    yield copy_item(stack, id, stack.name, owner, where, **counters)


def _are_alike(one: Item, other: Item) -> bool:
    """Tell whether two stacks are of the same thing."""
    same = (one.name, one.kind, one.traits, one.die, one.base) == (
        other.name,
        other.kind,
        other.traits,
        other.die,
        other.base,
    )
    return same and one.id != other.id and one.stats == other.stats and one.counters.keys() == other.counters.keys()


@ruled_as("gear", "hand somebody a thing of the rules' tables or of the encounter", "who", "thing")
class Gear(Ruling, frozen=True, kw_only=True):
    """Hand a combatant a thing that a table of the rules or of the encounter describes.

    Class attributes:
        rule: The clause about things that are handed out.

    Attributes:
        thing: Its name or its key in the table.
    """

    rule: ClassVar[Clause]

    who: CombatantId
    thing: Word

    def lines(self, table: Table) -> Mapping[str, str]:
        """Return the names of the things that there are, by their keys."""
        raise NotImplementedError

    def made(self, table: Table, key: str) -> ItemAdded:
        """Return a thing as the combatant gets it."""
        raise NotImplementedError

    def wanted(self) -> str:
        """Return the name or the key of the line that is meant."""
        return self.thing

    def check(self, table: Table) -> None:
        """Refuse a thing that is in no table."""
        self._key(table)

    def _key(self, table: Table) -> str:
        lines, wanted = self.lines(table), id_of(self.wanted())
        found = next((key for key, name in lines.items() if wanted in (id_of(key), id_of(name))), None)
        if found is None:
            raise unknown("thing", self.thing, lines, "thing")
        return found

    def decide(self, table: Table) -> Rule[None]:
        """Add it to what the combatant has, under a name that no other thing has."""
        thing = self.made(table, self._key(table))
        yield replace(thing, item=numbered(thing.item, table.draft.items), rules=(*thing.rules, self.rule))


@ruled_as("take_away", "take a thing away, or so many of a stack", "item", "count")
class TakeAway(Ruling, frozen=True, kw_only=True):
    """Take a thing from its owner, or so many of a stack; what is taken is nobody's, and can be given again."""

    item: ItemId
    count: Count = 0

    def check(self, table: Table) -> None:
        """Refuse a part of a body, and what is nobody's."""
        item = table.item(self.item)
        if is_of_body(item):
            raise Unusable(
                f"the {item.quoted_name} cannot be taken from {table.called(item.owner)}; name a thing", "item"
            )
        if not item.owner:
            message = f"the {item.quoted_name} is nobody's; rule give {item.id} WHO gives it to somebody"
            raise Refused("no_change", "", message, source=item.id)
        must_hold_so_many(table, item, self.count)

    def decide(self, table: Table) -> Rule[None]:
        """Take it."""
        item = table.item(self.item)
        name = amount_of(table, item)
        if self.count and self.count < item.counters[name]:
            yield item_counted(table, self.item, name, item.counters[name] - self.count)
        else:
            yield ItemMoved(item=self.item, owner="", before=item.where, after="")


class _Handled(Ruling, frozen=True, kw_only=True):
    """A ruling that puts a thing elsewhere on its owner, by the ruling on giving."""

    item: ItemId

    def places(self, table: Table) -> tuple[str, ...]:
        """Return where it may go, the usual place first."""
        raise NotImplementedError

    def _give(self, table: Table) -> Ruling:
        """Return the ruling that puts it into the first place that has room for it.

        Raises:
            Refused: none has; the reason is that of the last one.
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
        """Refuse what nobody has, a part of a body, and what is there already."""
        item = table.item(self.item)
        if is_of_body(item):
            raise Unusable(f"the {item.quoted_name} cannot be put elsewhere; name a thing", "item")
        if not item.owner:
            raise Unusable(f"the {item.quoted_name} is nobody's; rule give {item.id} WHO gives it to somebody", "item")
        if item.where in self.places(table):
            raise Refused("no_change", "", f"the {item.quoted_name} is there already", source=item.id)
        self._give(table)

    def decide(self, table: Table) -> Rule[None]:
        """Put it there."""
        yield from self._give(table).decide(table)


@ruled_as("to_hand", "put a thing into its owner's hand, at no cost", "item")
class ToHand(_Handled, frozen=True, kw_only=True):
    """Put a thing into its owner's hand, at no cost."""

    def places(self, table: Table) -> tuple[str, ...]:
        """Return the hands."""
        positions = load(table.draft.system).vocabulary.positions
        return tuple(name for name, one in positions.items() if one.role == "hand")


@ruled_as("put_away", "put a thing away, at no cost", "item")
class PutAway(_Handled, frozen=True, kw_only=True):
    """Put a thing away, at no cost."""

    def places(self, table: Table) -> tuple[str, ...]:
        """Return where things are kept: the pack, or away where the system has none."""
        positions = load(table.draft.system).vocabulary.positions
        return (next((name for name in ("pack", "stowed") if name in positions), ""),)
