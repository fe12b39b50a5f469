"""Items in hands, on the belt and in the pack."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Literal, Self

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import EACH, Among, Target
from affray.engine.core.changes import change_pool, move_item
from affray.engine.core.effects import Rule, choice
from affray.engine.core.state import Item
from affray.engine.errors import Unusable
from affray.engine.rulesets.verdigris.attack.attacks import begin_action
from affray.engine.rulesets.verdigris.chapters.actions import apply_outcome, build_outcome_question
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.harm.conditions import drop
from affray.engine.rulesets.verdigris.sheet import is_enemy, is_in_play, must_be_allowed, refusal_by
from affray.engine.rulesets.verdigris.tables import inventory
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for
from affray.events import Id, ItemId, ItemRemoved, Noted

from .things import count_free_hands, count_hands_for

USED_UP = frozenset({"potion", "rations"})
"""Kinds of items that are used up by one use."""


def must_own(table: Table, actor: Id, item: Id, *where: str) -> Item:
    """Refuse an item that the actor does not own, or has elsewhere; return it."""
    thing = table.item(item)
    rule = "VER-101" if where == ("pack",) else "VER-100"
    if thing.owner != actor or thing.where not in where:
        raise table.refuse(actor, f"has no {thing.quoted_name} there: {' or '.join(where)}", rule, source=thing.id)
    return thing


def list_carried(table: Table, actor: Id, *where: str) -> list[Id]:
    """Return the ids of a combatant's items in these places: hand, belt or pack."""
    return [item.id for item in table.items_of(actor) if item.where in where]


def must_have_hand_free(table: Table, actor: Id, thing: Item) -> None:
    """Refuse an item that the free hands cannot take."""
    if count_free_hands(table, actor) < count_hands_for(thing):
        raise refusal_by("VER-102", f"{table.name_of(actor)} has no hand free for the {thing.quoted_name}", thing.id)


def count_slots(item: Item) -> int:
    """Return the slots of an item; ammunition takes one per bundle begun (table 5.6)."""
    if item.kind == "ammunition":
        return -(-item.counters["count"] // inventory().bundle["ammunition"])
    return item.stats.get("slots", 1)


def has_room_on_belt(table: Table, who: Id, thing: Item) -> bool:
    """Tell whether the belt has slots for an item besides the others on it (table 5.6).

    A shield never fits on the belt.
    """
    taken = sum(count_slots(item) for item in table.items_of(who) if item.where == "belt" and item.id != thing.id)
    return thing.kind != "shield" and taken + count_slots(thing) <= inventory().room.belt


def must_have_belt(table: Table, actor: Id) -> None:
    """Refuse a second item from the belt in one turn (VER-100)."""
    if not table.pool(actor, "belt"):
        must_be_allowed("VER-100", table, actor, f"{table.name_of(actor)} has used the belt this turn", f"{actor}.belt")


def spend_belt(table: Table, actor: Id) -> Rule[None]:
    """Use up this turn's reach to the belt."""
    if table.pool(actor, "belt"):
        yield change_pool(table, actor, "belt", -1, "VER-100")


class ItemDeed(Deed, frozen=True, kw_only=True):
    """An action with an item that the actor carries."""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants who carry an item."""
        return bool(list_carried(table, actor, "belt", "hand", "pack"))


@declared_as(
    "use",
    "use an item from the belt, on a friend too, or take it",
    "item",
    "target",
    own_trigger="manage",
    stacks=False,
)
@done_for("free", "VER-100")
class Use(ItemDeed, frozen=True, kw_only=True):
    """Use an item from the belt or in hand, or take it from the belt; once a turn.

    Attributes:
        target: The friend in the same zone that it is used on, such as with a potion; by default the actor.
        take: Whether the item is only taken in hand.
    """

    item: Annotated[ItemId, Among(list_carried, "belt", "hand")]
    target: Target = ""
    take: bool = False

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: the turn's reach, the item, a free hand, the friend."""
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
            raise Unusable("an item that is only taken in hand has no target; leave target out", "target")
        who = table.name_of(self.target)
        if is_enemy(table, actor, self.target):
            raise refusal_by("VER-100", f"{who} is an enemy of {table.name_of(actor)}", self.target)
        if not is_in_play(table, self.target):
            raise refusal_by("VER-T32", f"{who} is out of play", self.target)
        if table[self.target].place != table[actor].place:
            raise refusal_by("VER-100", f"{who} is in another zone", self.target)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the item, or use it and ask the game master for the outcome."""
        thing = table.item(self.item)
        if thing.where == "belt":
            yield from spend_belt(table, actor)
        if self.take:
            yield move_item(table, self.item, "hand", "VER-100")
            return
        whom = self.target or actor
        on = f" on {table[whom].name}" if whom != actor else ""
        says = f"{table[actor].name} uses {thing.name}{on}"
        answer = yield from choice(partial(build_outcome_question, table, whom, says, "VER-100"))
        if answer is None:
            return
        if thing.kind in USED_UP and self.item in table.draft.items:
            yield ItemRemoved(item=self.item, rules=("VER-100",))
        parts = {"who": actor, "what": self.item} | ({"on": whom} if whom != actor else {})
        note = Noted(kind="used", parts=parts)
        yield from apply_outcome(table, whom, note, answer, potion=thing.kind == "potion")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return taking for an item on the belt; as targets the actor and friends nearby."""
        if field == "take" and table.item(so_far.item).where == "belt" and not so_far.target:
            return (True, False)
        if field == "target":
            near = table.at(table[actor].place) if table.item(so_far.item).kind == "potion" else ()
            return ("", *(who for who in table.list_known(near) if who != actor and not is_enemy(table, actor, who)))
        return super().values(table, actor, manner, field, so_far)


@declared_as("draw", "draw a weapon from the belt", "item", own_trigger="manage", stacks=False)
@done_for("free", "VER-100")
class Draw(ItemDeed, frozen=True, kw_only=True):
    """Draw a weapon or shield from the belt; it uses this turn's reach to the belt."""

    item: Annotated[ItemId, Among(list_carried, "belt")]

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: the turn's reach, the item, a free hand."""
        must_have_belt(table, actor)
        must_have_hand_free(table, actor, must_own(table, actor, self.item, "belt"))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the item in hand."""
        yield from spend_belt(table, actor)
        yield move_item(table, self.item, "hand", "VER-100")


@declared_as("drop", "drop an item", "item", own_trigger="manage", stacks=False)
@done_for("free", "VER-102")
class Drop(ItemDeed, frozen=True, kw_only=True):
    """Drop an item, for free."""

    item: ItemId

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an item that the actor does not carry."""
        thing = table.item(self.item)
        if thing.owner != actor or thing.where not in ("hand", "belt", "pack"):
            raise refusal_by("VER-102", f"{table.name_of(actor)} does not carry {thing.quoted_name}", thing.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Drop the item."""
        yield from drop(table, self.item, "VER-102")


@declared_as("take_pack_item", "get an item out of the pack", "item", "to")
@done_for("action", "VER-101")
class TakePackItem(Deed, frozen=True, kw_only=True):
    """Get an item out of the pack, into the hand or onto the belt, for the action."""

    item: Annotated[ItemId, Among(list_carried, "pack")]
    to: Annotated[Literal["hand", "belt"], EACH] = "hand"

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants with an item in their pack."""
        return bool(list_carried(table, actor, "pack"))

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: the item, room for it (VER-101)."""
        thing = must_own(table, actor, self.item, "pack")
        if self.to == "hand":
            must_have_hand_free(table, actor, thing)
        elif not has_room_on_belt(table, actor, thing):
            raise refusal_by(
                "VER-102", f"the belt of {table.name_of(actor)} has no room for the {thing.quoted_name}", thing.id
            )

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the item out."""
        if (yield from begin_action(table, self, actor)):
            yield move_item(table, self.item, self.to, "VER-101")
