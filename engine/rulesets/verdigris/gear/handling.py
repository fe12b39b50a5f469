"""Hands, belt and pack."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Literal, Self

from affray.engine.core.actions import declared_as
from affray.engine.core.changes import item_moved, pool_moved
from affray.engine.core.domains import EACH, Among, Target
from affray.engine.core.effects import Rule, choice
from affray.engine.core.state import Item
from affray.engine.errors import Unusable
from affray.engine.rulesets.verdigris.attack.attacks import begin_action
from affray.engine.rulesets.verdigris.chapters.actions import settle, settlement
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.harm.conditions import drop
from affray.engine.rulesets.verdigris.sheet import is_enemy, is_in_play, must_be_allowed, no
from affray.engine.rulesets.verdigris.tables import inventory
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for
from affray.events import Id, ItemId, ItemRemoved

from .things import free_hands, hands_for

USED_UP = frozenset({"potion", "rations"})
"""Kinds of things that are gone once they are used."""


def must_own(table: Table, actor: Id, item: Id, *where: str) -> Item:
    """Refuse a thing that is not somebody's, or not where it must be; return it."""
    thing = table.item(item)
    rule = "VER-101" if where == ("pack",) else "VER-100"
    if thing.owner != actor or thing.where not in where:
        raise no(rule, f"{table.called(actor)} has no {thing.quoted_name} there: {' or '.join(where)}", thing.id)
    return thing


def carried(table: Table, actor: Id, *where: str) -> list[Id]:
    """Return what somebody has in hand, on the belt or in the pack, as asked."""
    return [item.id for item in table.items_of(actor) if item.where in where]


def must_have_hand_free(table: Table, actor: Id, thing: Item) -> None:
    """Refuse what the free hands cannot take."""
    if free_hands(table, actor) < hands_for(thing):
        raise no("VER-102", f"{table.called(actor)} has no hand free for the {thing.quoted_name}", thing.id)


def slots_of(item: Item) -> int:
    """Return how many slots a thing takes; ammunition takes one for every bundle begun (table 5.6)."""
    if item.kind == "ammunition":
        return -(-item.counters["count"] // inventory().bundle["ammunition"])
    return item.stats.get("slots", 1)


def has_room_on_belt(table: Table, who: Id, thing: Item) -> bool:
    """Tell whether the belt has slots for a thing, that thing aside; no shield is worn there (table 5.6)."""
    taken = sum(slots_of(item) for item in table.items_of(who) if item.where == "belt" and item.id != thing.id)
    return thing.kind != "shield" and taken + slots_of(thing) <= inventory().room.belt


def must_have_belt(table: Table, actor: Id) -> None:
    """Refuse a second thing from the belt in one turn (VER-100)."""
    if not table.pool(actor, "belt"):
        must_be_allowed("VER-100", table, actor, f"{table.called(actor)} has used the belt this turn", f"{actor}.belt")


def spend_belt(table: Table, actor: Id) -> Rule[None]:
    """Use up this turn's reach to the belt."""
    if table.pool(actor, "belt"):
        yield pool_moved(table, actor, "belt", -1, "VER-100")


class Carried(Deed, frozen=True, kw_only=True):
    """What is done with something that one carries."""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Show it to whoever carries something."""
        return bool(carried(table, actor, "belt", "hand", "pack"))


@declared_as(
    "use",
    "use something from the belt, on a friend too, or take it",
    "item",
    "target",
    own_trigger="manage",
    stacks=False,
)
@done_for("free", "VER-100")
class Use(Carried, frozen=True, kw_only=True):
    """Use something from the belt or in hand, or take it from the belt, once a turn for nothing.

    Attributes:
        target: A friend in the same zone on whom it is used, such as one who drinks a potion; oneself if left out.
        take: Whether it is only taken in hand.
    """

    item: Annotated[ItemId, Among(carried, "belt", "hand")]
    target: Target = ""
    take: bool = False

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: the turn's reach, the thing, a free hand, the friend."""
        if table.item(self.item).where != "hand":
            must_have_belt(table, actor)
        thing = must_own(table, actor, self.item, *(("belt",) if self.take else ("belt", "hand")))
        if self.take:
            must_have_hand_free(table, actor, thing)
        if self.target:
            self._check_target(table, actor)

    def _check_target(self, table: Table, actor: Id) -> None:
        """Refuse an enemy, and a friend who is out of play or in another zone."""
        if self.take:
            raise Unusable("what is only taken in hand is used on nobody; leave target out", "target")
        who = table.called(self.target)
        if is_enemy(table, actor, self.target):
            raise no("VER-100", f"{who} is an enemy of {table.called(actor)}", self.target)
        if not is_in_play(table, self.target):
            raise no("VER-T32", f"{who} is out of play", self.target)
        if table[self.target].place != table[actor].place:
            raise no("VER-100", f"{who} is in another zone", self.target)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take it, or use it and let the game master say what it does."""
        thing = table.item(self.item)
        if thing.where == "belt":
            yield from spend_belt(table, actor)
        if self.take:
            yield item_moved(table, self.item, "hand", "VER-100")
            return
        whom = self.target or actor
        on = f" on {table[whom].name}" if whom != actor else ""
        said = f"{table[actor].name} uses {thing.name}{on}"
        answer = yield from choice(partial(settlement, table, whom, said, "VER-100"))
        if answer is None:
            return
        if thing.kind in USED_UP and self.item in table.draft.items:
            yield ItemRemoved(item=self.item, rules=("VER-100",))
        on = f" on {whom}" if whom != actor else ""
        yield from settle(table, whom, f"{actor} uses {thing.name}{on}", answer, potion=thing.kind == "potion")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return for what is on the belt that it is taken, too; oneself, and for a potion each friend in the zone."""
        if field == "take" and table.item(so_far.item).where == "belt" and not so_far.target:
            return (True, False)
        if field == "target":
            near = table.at(table[actor].place) if table.item(so_far.item).kind == "potion" else ()
            return ("", *(who for who in table.list_known(near) if who != actor and not is_enemy(table, actor, who)))
        return super().values(table, actor, manner, field, so_far)


@declared_as("draw", "draw a weapon from the belt", "item", own_trigger="manage", stacks=False)
@done_for("free", "VER-100")
class Draw(Carried, frozen=True, kw_only=True):
    """Draw a weapon or shield from the belt; this turn's reach to it."""

    item: Annotated[ItemId, Among(carried, "belt")]

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: the turn's reach, the thing, a free hand."""
        must_have_belt(table, actor)
        must_have_hand_free(table, actor, must_own(table, actor, self.item, "belt"))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take it in hand."""
        yield from spend_belt(table, actor)
        yield item_moved(table, self.item, "hand", "VER-100")


@declared_as("drop", "let something fall", "item", own_trigger="manage", stacks=False)
@done_for("free", "VER-102")
class Drop(Carried, frozen=True, kw_only=True):
    """Let something fall, for nothing."""

    item: ItemId

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse what is not carried."""
        thing = table.item(self.item)
        if thing.owner != actor or thing.where not in ("hand", "belt", "pack"):
            raise no("VER-102", f"{table.called(actor)} does not carry {thing.quoted_name}", thing.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let it fall."""
        yield from drop(table, self.item, "VER-102")


@declared_as("take_pack_item", "get something out of the pack", "item", "to")
@done_for("action", "VER-101")
class TakePackItem(Deed, frozen=True, kw_only=True):
    """Get something out of the pack, into the hand or onto the belt, for the action."""

    item: Annotated[ItemId, Among(carried, "pack")]
    to: Annotated[Literal["hand", "belt"], EACH] = "hand"

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Show it to whoever has something in a pack."""
        return bool(carried(table, actor, "pack"))

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: the thing, room for it (VER-101)."""
        thing = must_own(table, actor, self.item, "pack")
        if self.to == "hand":
            must_have_hand_free(table, actor, thing)
        elif not has_room_on_belt(table, actor, thing):
            raise no("VER-102", f"the belt of {table.called(actor)} has no room for the {thing.quoted_name}", thing.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take it out."""
        if (yield from begin_action(table, self, actor)):
            yield item_moved(table, self.item, self.to, "VER-101")
