"""Hands, belt and pack: using things and taking them out (HEX-013, HEX-062 to HEX-065, HEX-G05)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta

from affray.engine.core.actions import Action
from affray.engine.core.changes import item_moved, marked, pool_set
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import CombatantId, Id, ItemId, MemberDone, ThingName

from .attempts import attempt, check_attempt
from .hexes import apart
from .maneuver import Remark
from .play import acts, has_acted, not_just_drawn, paid, playable, used, waived
from .sheet import held, is_broken, must_be_able, ranged, refusal

HANDS = 2
HANDY = frozenset({"weapon", "shield", "goods"})
"""The kinds of things that hands take."""


class Use(Action, frozen=True, kw_only=True):
    """Use a thing from hand or belt, or something that is there: a lock, a potion, a door (HEX-013, HEX-063, HEX-065).

    Attributes:
        item: Item id, or in plain words something of the place that nobody carries.
        what: What is done with it, in plain words.
        target: On whom, if anybody.
    """

    kind: ClassVar[str] = "use"
    says: ClassVar[str] = "use a thing from hand or belt, or something that is there"
    words: ClassVar[tuple[str, ...]] = ("item", "what", "target")
    own_trigger: ClassVar[str] = "attempt"

    item: Annotated[ThingName, Meta(min_length=1, max_length=200)]
    what: Remark = ""
    target: CombatantId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: able, budget, not at hand, in the pack, just taken out, broken."""
        playable(table, actor, manner)
        if self.item in table.draft.items:
            _usable(table, actor, table.item(self.item))
        if self.target:
            table[self.target]

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (HEX-013)."""
        yield from paid(table, actor, manner, "HEX-013", *(("HEX-063",) if self.item in table.draft.items else ()))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let the game master say what it does, or which test it takes."""
        thing = self.item if self.item in table.draft.items else ""
        yield from attempt(table, actor, self.target, "HEX-013", item=thing)
        yield from used(table, actor, "HEX-065")

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on without the thing, or without the two it is between; see ``check_attempt``."""
        check_attempt(table, actor, self.target, partial(self.check, table, actor, "pending"))

    def targets(self) -> tuple[Id, ...]:
        """Return the one it is used on, if anybody."""
        return (self.target,) if self.target else ()

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return everything that is carried; what is done with it, and on whom, is for words to say."""
        if field == "item":
            carried = table.items_of(actor)
            return [item.id for item in carried if item.kind in HANDY and "natural" not in item.traits]
        return super().values(table, actor, manner, field, so_far)


def _usable(table: Table, actor: Id, item: Item) -> None:
    """Refuse what is not carried, is in the pack, was taken out this turn, or is broken."""
    if item.owner != actor or item.kind not in HANDY or "natural" in item.traits:
        raise refusal("HEX-062", f"{actor} does not carry {item.name}", item.id)
    if item.where not in ("hand", "belt"):
        raise refusal("HEX-063", f"the {item.name} is neither in hand nor on the belt", item.id)
    not_just_drawn(table, actor, item)
    if is_broken(item):
        raise refusal("HEX-042", f"the {item.name} is broken", item.id)


class Draw(Action, frozen=True, kw_only=True):
    """Take a thing in hand: from the belt or the ground (HEX-G05), or out of the pack (HEX-064).

    Attributes:
        item: Item id.
    """

    kind: ClassVar[str] = "draw"
    says: ClassVar[str] = "take a thing in hand; out of the pack it takes the whole turn"
    words: ClassVar[tuple[str, ...]] = ("item",)
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "draw"

    item: ItemId

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: able, budget, then a thing that is not to be had or needs no drawing."""
        must_be_able(table, actor)
        item = table.item(self.item)
        packed = item.owner == actor and item.where == "pack"
        if packed and whole_turn(table, actor):
            if has_acted(table, actor) or table.pool(actor, "actions") < 1:
                raise refusal("HEX-064", "a pack is opened as the first thing in a turn, and takes all of it", actor)
        else:
            playable(table, actor, "standard")
        if item.kind not in HANDY or "natural" in item.traits:
            raise refusal("HEX-062", f"nobody takes {item.name} in hand", item.id)
        if item.owner == actor:
            _at_hand(actor, item)
        elif item.owner:
            raise refusal("HEX-062", f"{actor} does not carry {item.name}", item.id)
        elif not _within_reach(table, actor, item):
            raise refusal("HEX-G05", f"the {item.name} does not lie within reach of {actor}", item.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take it out of the pack, or into the hand."""
        item = table.item(self.item)
        if item.owner == actor and item.where == "pack":
            yield from unpacked(table, actor, item.id)
        else:
            yield from paid(table, actor, "standard", "HEX-013", "HEX-G05")
            yield from hands_cleared(table, actor, item.id)
            yield item_moved(table, item.id, "hand", "HEX-G05", owner=actor)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return everything that is carried or lies about."""
        return [item.id for item in table.draft.items.values() if item.owner in (actor, "")]


def whole_turn(table: Table, actor: Id) -> bool:
    """Tell whether opening the pack takes the whole turn."""
    return table.config.pack_cost == "whole_turn" and not waived(table, actor, "HEX-064")


def _at_hand(actor: Id, item: Item) -> None:
    """Refuse what is in hand already, or was thrown away to the last piece."""
    if item.where == "hand":
        raise refusal("HEX-062", f"{actor} has the {item.name} in hand", item.id)
    if "thrown" in item.traits and not item.counters.get("left"):
        raise refusal("HEX-062", f"{actor} has no {item.name} left", item.id)


def _within_reach(table: Table, actor: Id, item: Item) -> bool:
    """Tell whether a thing lies in somebody's own or a neighbouring hex."""
    far = apart(table[actor].place, item.where)
    return far is not None and far <= 1


def unpacked(table: Table, actor: Id, item: Id) -> Rule[None]:
    """Take something out of the pack: in hand if it finds room there, else on the belt (HEX-064, HEX-065)."""
    whole = whole_turn(table, actor)
    if whole:
        for pool in ("movement", "actions"):
            yield pool_set(table, actor, pool, 0, "HEX-064")
        yield from acts(table, actor)
    else:
        freely = ("HEX-T33",) if table.config.pack_cost == "action" else ()
        yield from paid(table, actor, "standard", "HEX-064", *freely)
        yield from used(table, actor, "HEX-064")
    room = HANDS - sum(hands_for(one) for one in held(table, actor))
    where = "hand" if hands_for(table.item(item)) <= room else "belt"
    held_fast = ("HEX-T39",) if table[actor].has("grappled") else ()
    yield item_moved(table, item, where, "HEX-064", "HEX-T34", *held_fast)
    yield marked(item, "drawn", table.draft.round, "HEX-065", until="the next turn")
    if whole:
        yield MemberDone(who=actor, rules=("HEX-064",))


def hands_for(item: Item) -> int:
    """Return how many hands a thing takes."""
    return item.stats.get("hands", 1)


def hands_cleared(table: Table, actor: Id, item: Id) -> Rule[None]:
    """Put on the belt what the hands let go of for a thing: a weapon of its kind, then what leaves no room for it.

    Of two weapons to strike with, or two to shoot with, one is in hand; a shield goes last.
    """
    wanted = table.item(item)

    def alike(one: Item) -> bool:
        return one.kind == wanted.kind == "weapon" and ranged(one) == ranged(wanted)

    full = sorted(held(table, actor), key=lambda one: (not alike(one), one.kind == "shield"))
    room = HANDS - sum(hands_for(one) for one in full)
    for one in full:
        if alike(one) or room < hands_for(wanted):
            yield item_moved(table, one.id, "belt", "HEX-G05", "HEX-T21")
            room += hands_for(one)
