"""Downtime: gathering missiles and repairing items."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from itertools import chain, count
from typing import Any, Self

from msgspec.structs import replace

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import copy_item, move_item, set_item_counter
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.rulesets.hexblade.attack.rolls import build_d20_roll, throw_test
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.gear import is_broken, is_ownerless, mend
from affray.engine.rulesets.hexblade.marks import DC, FAILED, SEEKERS
from affray.engine.rulesets.hexblade.sheet import is_active, list_modifiers, must_be_active, refusal
from affray.engine.rulesets.hexblade.tables import difficulties
from affray.engine.rulesets.hexblade.turns.order import use_waivers
from affray.events import Clause, Dice, Id, ItemId, Judged

FOUND = 5
"""The lowest face that finds a missile (HEX-044)."""


@declared_as("recover_ammo", "gather missiles after the fight", "item", own_trigger="recover", stacks=False)
class RecoverAmmo(Action, frozen=True, kw_only=True):
    """Gather the missiles that the game master marked as recoverable (HEX-043 to HEX-045).

    Attributes:
        item: Item id of one kind of missile; all kinds if left out.
    """

    item: ItemId = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants that have missiles, or may look for others'."""
        return bool(list_recoverable(table, actor)) or any(item.kind == "ammunition" for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an actor that is not able, or has no marked missiles to look for."""
        must_be_active(table, actor)
        if not self._list_kinds(table, actor):
            raise refusal("HEX-043", f"there is nothing to recover for {table.name_of(actor)}", self.item or actor)

    def _list_kinds(self, table: Table, actor: Id) -> tuple[Id, ...]:
        named = (table.item(self.item),) if self.item else list_recoverable(table, actor)
        return tuple(one.id for one in named if one in list_recoverable(table, actor))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll one d6 for each piece; a missile that is not found is lost."""
        if table.draft.phase != "fight_over":
            yield from use_waivers(table, actor, "HEX-043")
        for item in self._list_kinds(table, actor):
            yield from gather(table, actor, item)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the choice of all kinds, and each kind."""
        return ["", *(item.id for item in list_recoverable(table, actor))]


def list_recoverable(table: Table, actor: Id) -> tuple[Item, ...]:
    """Return the missiles that a combatant may look for (HEX-043)."""
    items = table.draft.items.values()
    return tuple(one for one in items if one.counters.get("recoverable") and _may_look_for(table, actor, one))


def _may_look_for(table: Table, actor: Id, item: Item) -> bool:
    """Return whether a combatant may look for these missiles (HEX-T46).

    They are its own, or permitted by the game master, or their owner is slain, down or gone.
    """
    allowed = actor in SEEKERS.of(table, item.id)
    return item.owner == actor or allowed or not is_active(table, item.owner)


def gather(table: Table, actor: Id, item: Id) -> Rule[None]:
    """Look for every recoverable piece of one kind (HEX-044, HEX-045)."""
    sought = found = 0

    def find_roll() -> Roll | None:
        dice = (Dice(count=1, sides=6, kind="recover", item=item),)
        more = is_active(table, actor) and table.item(item).counters["recoverable"] > sought
        rules = ("HEX-044", "HEX-045")
        return Roll(dice=dice, purpose="recover", by=actor, against=FOUND, rules=rules) if more else None

    while (roll := (yield from throw(find_roll))) is not None:
        sought += 1
        found += roll.total >= FOUND
        outcome = "found" if roll.total >= FOUND else "lost"
        yield Judged(roll=roll.roll, outcome=outcome, margin=roll.total - FOUND, rules=("HEX-044",))
    counters, owner = table.item(item).counters, table.item(item).owner
    for counter, after in (
        ("recoverable", max(0, counters["recoverable"] - sought)),
        ("spent", max(0, counters["spent"] - sought)),
        ("left", counters["left"] + found * (owner == actor)),
    ):
        if after != counters[counter] or owner == actor:
            yield set_item_counter(table, item, counter, after, "HEX-043", "HEX-044")
    yield from SEEKERS.end_on(table, item, "HEX-043")
    if owner != actor:
        yield from _keep_found(table, actor, item, found)
    elif found and "thrown" in table.item(item).traits and not table.item(item).where:
        yield move_item(table, item, "belt", "HEX-043")


def _keep_found(table: Table, actor: Id, item: Id, found: int) -> Rule[None]:
    """Give found missiles of another to the finder, with its own of that kind if any."""
    stack = table.item(item)
    own = next((one for one in table.items_of(actor) if _is_alike(one, stack)), None)
    if own is not None and found:
        yield set_item_counter(table, own.id, "left", own.counters["left"] + found, "HEX-043", "HEX-T46")
        if "thrown" in own.traits and not own.where:
            yield move_item(table, own.id, "belt", "HEX-043")
    elif found:
        key = f"{actor}.{item.rpartition('.')[2]}"
        free = chain((key,), (f"{key}-{nth}" for nth in count(2)))
        id = next(id for id in free if id not in table.draft.items)
        where = "belt" if "thrown" in stack.traits else ""
        state = {key: 1 for key in ("damaged", "broken") if stack.counters.get(key)}
        kept = copy_item(stack, id, stack.name, actor, where, left=found, spent=0, recoverable=0, **state)
        yield replace(kept, rules=("HEX-043", "HEX-T46"))


def _is_alike(one: Item, other: Item) -> bool:
    """Return whether two stacks of missiles are of one kind and in the same state."""
    same = ("damaged", "broken")
    kind = one.kind == other.kind and one.traits == other.traits and one.base == other.base
    return kind and "left" in one.counters and all(one.counters.get(key) == other.counters.get(key) for key in same)


@declared_as("repair", "try to repair a damaged thing after the fight", "item", own_trigger="repair", stacks=False)
class Repair(Action, frozen=True, kw_only=True):
    """Try once to repair a damaged item by a crafting test (HEX-039 to HEX-042)."""

    item: ItemId

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an item that is broken, another's, tried already or whole (HEX-041)."""
        must_be_active(table, actor)
        item = table.item(self.item)
        if is_broken(item):
            raise refusal("HEX-042", f"the {item.quoted_name} is broken for good", item.id)
        if table.config.repair_by == "owner" and item.owner != actor and not is_ownerless(table, item):
            owner = table.name_of(item.owner)
            raise refusal("HEX-039", f"the {item.quoted_name} is {owner}'s, and its owner repairs it", item.id)
        if has_failed(table, actor, item):
            raise refusal("HEX-041", f"only a professional can repair the {item.quoted_name} now", item.id)
        if not item.counters.get("damaged"):
            raise refusal("HEX-039", f"the {item.quoted_name} is not damaged", item.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll crafting against 12, or against 16 for a complex item (HEX-039)."""
        roll = yield from throw_test(table, partial(self._build_crafting_roll, table, actor))
        if roll is None:
            return
        number, rules = self._find_difficulty(table, actor)
        yield from DC.end_on(table, actor, "HEX-039")
        success = roll.total >= number
        outcome = "success" if success else "failure"
        yield Judged(roll=roll.roll, outcome=outcome, margin=roll.total - number, rules=rules)
        if success:
            yield from mend(table, self.item, "HEX-039")
        else:
            yield FAILED.note_list(self.item, (*FAILED.of(table, self.item), actor), "HEX-041")
            if table.is_known(actor):
                yield set_item_counter(table, self.item, "needs_professional", 1, "HEX-041")

    def _build_crafting_roll(self, table: Table, actor: Id) -> Roll | None:
        """Return the crafting test, as long as it may be made (HEX-T13)."""
        try:
            self.check(table, actor, "standard")
        except Refused:
            return None
        number, rules = self._find_difficulty(table, actor)
        terms = list_modifiers(table, actor, "crafting", "HEX-T13")
        return build_d20_roll(table, actor, "craft", "test", (), terms, *rules, against=number)

    def _find_difficulty(self, table: Table, actor: Id) -> tuple[int, tuple[Clause, ...]]:
        """Return the number to reach, which a ruling may set, and its clauses (HEX-040, HEX-T20)."""
        item: Item = table.item(self.item)
        hard = "complex" in item.traits
        usual = difficulties()["hard" if hard else "standard"]
        return DC.of(table, actor) if DC.is_on(table, actor) else usual, (
            ("HEX-039", "HEX-T13", "HEX-040", "HEX-T20") if hard else ("HEX-039", "HEX-T13")
        )

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List every damaged item, of all owners."""
        return [item.id for item in table.draft.items.values() if item.counters.get("damaged")]


def has_failed(table: Table, who: Id, item: Item) -> bool:
    """Return whether a combatant has failed to repair an item.

    Without a note of the combatants, all have.
    """
    if FAILED.is_on(table, item.id):
        return who in FAILED.of(table, item.id)
    return bool(item.counters.get("needs_professional"))
