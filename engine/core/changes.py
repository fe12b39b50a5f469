"""Functions that read the present state and return the event that changes it."""

from collections.abc import Iterator

from affray import events as facts
from affray.events import Clause, Ending, Id, ItemId, Scalar

from .state import Item
from .table import Table


def set_pool(table: Table, who: Id, pool: str, after: int, *rules: Clause) -> facts.PoolChanged:
    """Build the event that sets a combatant's counter, at least to 0."""
    return facts.PoolChanged(who=who, pool=pool, before=table.pool(who, pool), after=max(0, after), rules=rules)


def change_pool(table: Table, who: Id, pool: str, by: int, *rules: Clause) -> facts.PoolChanged:
    """Build the event that changes a combatant's counter by a number, not below 0."""
    before = table.pool(who, pool)
    return facts.PoolChanged(who=who, pool=pool, before=before, after=max(0, before + by), rules=rules)


def set_condition(
    table: Table, who: Id, condition: str, count: int, *rules: Clause, source: Id = "", ends: Ending | None = None
) -> facts.ConditionChanged:
    """Build the event that sets a condition's count and end; count 0 removes it."""
    before = table[who].conditions.get(condition, {}).get(source, 0)
    return facts.ConditionChanged(
        who=who, condition=condition, before=before, after=count, source=source, ends=ends, rules=rules
    )


def end_condition(table: Table, who: Id, condition: str, *rules: Clause) -> Iterator[facts.ConditionChanged]:
    """Yield the events that end a combatant's condition, for all its sources."""
    for source in tuple(table[who].conditions.get(condition, ())):
        yield set_condition(table, who, condition, 0, *rules, source=source)


def set_item_counter(table: Table, item: Id, counter: str, after: int, *rules: Clause) -> facts.ItemCounted:
    """Build the event that sets a counter of an item."""
    before = table.item(item).counters.get(counter, 0)
    return facts.ItemCounted(item=item, counter=counter, before=before, after=after, rules=rules)


def copy_item(item: Item, id: ItemId, name: str, owner: Id, where: str, **counters: int) -> facts.ItemAdded:
    """Build the event that adds a copy of an item, with its own counters."""
    return facts.ItemAdded(
        item=id,
        name=name,
        kind=item.kind,
        owner=owner,
        where=where,
        stats=dict(item.stats),
        traits=item.traits,
        features=item.features,
        counters=counters,
        die=item.die,
        base=item.base,
    )


def move_item(table: Table, item: Id, to: str, *rules: Clause, owner: Id | None = None) -> facts.ItemMoved:
    """Build the event that moves an item on the body, or to another owner."""
    thing = table.item(item)
    new_owner = thing.owner if owner is None else owner
    return facts.ItemMoved(item=item, owner=new_owner, before=thing.where, after=to, rules=rules)


def set_mark(owner: Id, key: str, value: Scalar, *rules: Clause, about: str = "", until: str = "") -> facts.MarkSet:
    """Build the event that sets a mark of a subject; ``None`` removes it."""
    return facts.MarkSet(owner=owner, key=key, about=about, value=value, until=until, rules=rules)


def set_clock(table: Table, clock: str, after: int, *rules: Clause, owner: Id = "", about: str = "") -> facts.ClockSet:
    """Build the event that sets a clock."""
    before = table.draft.clock(owner, clock, about)
    return facts.ClockSet(clock=clock, owner=owner, about=about, before=before, after=after, rules=rules)
