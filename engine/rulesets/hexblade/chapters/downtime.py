"""After the fight: gathering missiles and repairing things."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Self

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import item_counted, item_moved
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.rulesets.hexblade.attack.rolls import d20_roll, throw_test
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.gear import is_broken, mend
from affray.engine.rulesets.hexblade.marks import DC
from affray.engine.rulesets.hexblade.sheet import is_active, modifiers_of, must_be_active, refusal
from affray.engine.rulesets.hexblade.tables import difficulties
from affray.events import Clause, Dice, Id, ItemId, Judged

FOUND = 5
"""The face from which on a missile is found again (HEX-044)."""


@declared_as("recover_ammo", "gather missiles after the fight", "item", own_trigger="recover", stacks=False)
class RecoverAmmo(Action, frozen=True, kw_only=True):
    """Gather the missiles that the game master marked as recoverable (HEX-043 to HEX-045).

    Attributes:
        item: Item id of one kind of missile; all kinds if left out.
    """

    item: ItemId = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Show it to whoever had missiles, and where nobody has some any more."""
        return bool(recoverable_by(table, actor)) or any(item.kind == "ammunition" for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse somebody who is not able, and where nothing of theirs, or of nobody's any more, is marked."""
        must_be_active(table, actor)
        if not self._kinds(table, actor):
            raise refusal("HEX-043", f"there is nothing to recover for {table.called(actor)}", self.item or actor)

    def _kinds(self, table: Table, actor: Id) -> tuple[Id, ...]:
        named = (table.item(self.item),) if self.item else recoverable_by(table, actor)
        return tuple(one.id for one in named if one in recoverable_by(table, actor))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll one d6 for each piece; what is not found is lost."""
        for item in self._kinds(table, actor):
            yield from gather(table, actor, item)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return all kinds together, and each one."""
        return ["", *(item.id for item in recoverable_by(table, actor))]


def recoverable_by(table: Table, actor: Id) -> tuple[Item, ...]:
    """Return the missiles somebody may look for: what they carry the rest of, or nobody does any more (HEX-043)."""
    others = table.draft.combatants.keys() - {actor}
    items = table.draft.items.values()
    return tuple(one for one in items if one.owner not in others and one.counters.get("recoverable"))


def gather(table: Table, actor: Id, item: Id) -> Rule[None]:
    """Look for every recoverable piece of one kind (HEX-044, HEX-045)."""
    sought = found = 0

    def wanted() -> Roll | None:
        dice = (Dice(count=1, sides=6, kind="recover", item=item),)
        more = is_active(table, actor) and table.item(item).counters["recoverable"] > sought
        rules = ("HEX-044", "HEX-045")
        return Roll(dice=dice, purpose="recover", by=actor, against=FOUND, rules=rules) if more else None

    while (roll := (yield from throw(wanted))) is not None:
        sought += 1
        found += roll.total >= FOUND
        said = "found" if roll.total >= FOUND else "lost"
        yield Judged(roll=roll.roll, outcome=said, margin=roll.total - FOUND, rules=("HEX-044",))
    counters = table.item(item).counters
    for counter, after in (
        ("recoverable", max(0, counters["recoverable"] - sought)),
        ("spent", max(0, counters["spent"] - sought)),
        ("left", counters["left"] + found),
    ):
        yield item_counted(table, item, counter, after, "HEX-043", "HEX-044")
    if found and "thrown" in table.item(item).traits and not table.item(item).where:
        yield item_moved(table, item, "belt", "HEX-043")


@declared_as("repair", "try to repair a damaged thing after the fight", "item", own_trigger="repair", stacks=False)
class Repair(Action, frozen=True, kw_only=True):
    """Try to repair a damaged thing by a crafting test; a failure leaves it to a professional (HEX-039 to HEX-042)."""

    item: ItemId

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse somebody who is not able, and what is broken, beyond amateurs, or whole (HEX-041)."""
        must_be_active(table, actor)
        item = table.item(self.item)
        if is_broken(item):
            raise refusal("HEX-042", f"the {item.name} is broken for good", item.id)
        if item.counters.get("needs_professional"):
            raise refusal("HEX-041", f"only a professional can repair the {item.name} now", item.id)
        if not item.counters.get("damaged"):
            raise refusal("HEX-039", f"the {item.name} is not damaged", item.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll crafting against 12, or against 16 if it is complex (HEX-039)."""
        roll = yield from throw_test(table, partial(self._craft, table, actor))
        if roll is None:
            return
        wanted, rules = self._difficulty(table, actor)
        if DC.is_on(table, actor):
            yield DC.struck(actor, "HEX-039")
        success = roll.total >= wanted
        said = "success" if success else "failure"
        yield Judged(roll=roll.roll, outcome=said, margin=roll.total - wanted, rules=rules)
        if success:
            yield from mend(table, self.item, "HEX-039")
        else:
            yield item_counted(table, self.item, "needs_professional", 1, "HEX-041")

    def _craft(self, table: Table, actor: Id) -> Roll | None:
        """Return the crafting test, as long as it may be made (HEX-T13)."""
        try:
            self.check(table, actor, "standard")
        except Refused:
            return None
        wanted, rules = self._difficulty(table, actor)
        terms = modifiers_of(table, actor, "crafting", "HEX-T13")
        return d20_roll(table, actor, "craft", "test", (), terms, *rules, against=wanted)

    def _difficulty(self, table: Table, actor: Id) -> tuple[int, tuple[Clause, ...]]:
        """Return what the test must reach, unless the game master ruled it, and by which clauses (HEX-040, HEX-T20)."""
        item: Item = table.item(self.item)
        hard = "complex" in item.traits
        usual = difficulties()["hard" if hard else "standard"]
        return DC.of(table, actor) if DC.is_on(table, actor) else usual, (
            ("HEX-039", "HEX-T13", "HEX-040", "HEX-T20") if hard else ("HEX-039", "HEX-T13")
        )

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return everything that is damaged, whoever carries it."""
        return [item.id for item in table.draft.items.values() if item.counters.get("damaged")]
