"""The rulings that every system accepts. Each is recorded with the game master's reason and what was meant."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.events import (
    DiceSourceSet,
    DistanceSet,
    Dropped,
    Id,
    Left,
    Member,
    Moved,
    Noted,
    OrderSet,
    PlaceSet,
    RelationSet,
    SideChanged,
    Slot,
    StatChanged,
    TraitChanged,
    ViewSet,
    Withdrawn,
)

from .actions import Ruling
from .errors import Refused, Unusable
from .facts import condition_set, item_counted, item_moved, marked, pool_set
from .modifiers import PREFIX
from .rule import Rule
from .table import Table

Count = Annotated[int, Meta(ge=0)]
Word = Annotated[str, Meta(min_length=1, max_length=200)]


class Pool(Ruling, frozen=True, kw_only=True):
    """Set a counter (``to``) or move it (``by``): hit points, energy, morale, actions left."""

    kind: ClassVar[str] = "pool"
    says: ClassVar[str] = "set a counter (to) or move it (by)"
    words: ClassVar[tuple[str, ...]] = ("who", "pool")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    pool: Word
    to: Count | None = None
    by: int | None = None

    def check(self, table: Table) -> None:
        """Refuse a counter the combatant does not have, and neither or both of ``to`` and ``by``."""
        if self.pool not in table[self.who].pools:
            raise Unusable(f"{self.who} has the counters {', '.join(table[self.who].pools)}", "pool")
        if (self.to is None) == (self.by is None):
            raise Unusable("say either to or by", "to")

    def decide(self, table: Table) -> Rule[str]:
        """Change it, never below 0."""
        after = self.to if self.to is not None else table.pool(self.who, self.pool) + (self.by or 0)
        yield pool_set(table, self.who, self.pool, after)
        return ""


class Condition(Ruling, frozen=True, kw_only=True):
    """Give a condition, change its count, or take it away with count 0."""

    kind: ClassVar[str] = "condition"
    says: ClassVar[str] = "give a condition, or take it away with count 0"
    words: ClassVar[tuple[str, ...]] = ("who", "condition", "count")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    condition: Word
    count: Count = 1
    source: Id = ""

    def check(self, table: Table) -> None:
        """Refuse somebody who is not there, and taking away what is not there."""
        held = table[self.who].conditions.get(self.condition, {}).get(self.source, 0)
        if held == self.count:
            raise Refused("no_change", "", f"{self.who} has {self.condition} {held} already", source=self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Change it."""
        yield condition_set(table, self.who, self.condition, self.count, source=self.source)
        return ""


class Item(Ruling, frozen=True, kw_only=True):
    """Set a counter of an item, such as ``loaded``."""

    kind: ClassVar[str] = "item"
    says: ClassVar[str] = "set a counter of an item"
    words: ClassVar[tuple[str, ...]] = ("item", "counter", "to")

    item: Id
    counter: Word
    to: Count

    def check(self, table: Table) -> None:
        """Refuse a counter the item does not have."""
        if self.counter not in table.item(self.item).counters:
            raise Unusable(f"{self.item} has the counters {', '.join(table.item(self.item).counters)}", "counter")

    def decide(self, table: Table) -> Rule[str]:
        """Set it."""
        yield item_counted(table, self.item, self.counter, self.to)
        return ""


class Give(Ruling, frozen=True, kw_only=True):
    """Put an item into other hands, or elsewhere on the body."""

    kind: ClassVar[str] = "give"
    says: ClassVar[str] = "put an item into other hands, or elsewhere on the body"
    words: ClassVar[tuple[str, ...]] = ("item", "to")
    people: ClassVar[tuple[str, ...]] = ("to",)

    item: Id
    to: Id
    where: str = ""

    def check(self, table: Table) -> None:
        """Refuse an item or a combatant that is not there."""
        table.item(self.item)
        table[self.to]

    def decide(self, table: Table) -> Rule[str]:
        """Hand it over."""
        yield item_moved(table, self.item, self.where, owner=self.to)
        return ""


class Place(Ruling, frozen=True, kw_only=True):
    """Put a combatant somewhere else."""

    kind: ClassVar[str] = "place"
    says: ClassVar[str] = "put a combatant somewhere else"
    words: ClassVar[tuple[str, ...]] = ("who", "to")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    to: Word

    def check(self, table: Table) -> None:
        """Refuse somebody who is not on a map."""
        if not table[self.who].place:
            raise Refused("no_map", "", "this fight has no map; rule a distance instead", source=self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Put them there."""
        yield Moved(who=self.who, before=table[self.who].place, after=self.to)
        return ""


class Distance(Ruling, frozen=True, kw_only=True):
    """Say how far apart two combatants are, in a fight without a map."""

    kind: ClassVar[str] = "distance"
    says: ClassVar[str] = "say how far apart two combatants are, without a map"
    words: ClassVar[tuple[str, ...]] = ("one", "other", "to")
    people: ClassVar[tuple[str, ...]] = ("one", "other")

    one: Id
    other: Id
    to: Count

    def check(self, table: Table) -> None:
        """Refuse a pair on a map, or somebody who is not there."""
        if self.one == self.other:
            raise Unusable("name two combatants", "other")
        if table[self.one].place and table[self.other].place:
            raise Refused("on_a_map", "", "this fight has a map; rule a place instead", source=self.one)

    def decide(self, table: Table) -> Rule[str]:
        """Set it."""
        one, other = sorted((self.one, self.other))
        yield DistanceSet(pair=(one, other), before=table.draft.distances.get(f"{one}|{other}"), after=self.to)
        return ""


class View(Ruling, frozen=True, kw_only=True):
    """Say how well one combatant sees another; both ways unless said otherwise."""

    kind: ClassVar[str] = "view"
    says: ClassVar[str] = "say whether one combatant sees another: clear or blocked, or a kind of cover"
    words: ClassVar[tuple[str, ...]] = ("viewer", "target", "view")
    people: ClassVar[tuple[str, ...]] = ("viewer", "target")

    viewer: Id
    target: Id
    view: Word
    both: bool = True

    def check(self, table: Table) -> None:
        """Refuse somebody who is not there."""
        table[self.viewer]
        table[self.target]

    def decide(self, table: Table) -> Rule[str]:
        """Set it."""
        pairs = ((self.viewer, self.target), (self.target, self.viewer))
        for viewer, target in pairs if self.both else pairs[:1]:
            before = table.draft.views.get(f"{viewer}>{target}", "clear")
            yield ViewSet(viewer=viewer, target=target, before=before, after=self.view)
        return ""


class Terrain(Ruling, frozen=True, kw_only=True):
    """Say what a place is like, such as ``difficult`` or ``blocked``; nothing makes it ordinary."""

    kind: ClassVar[str] = "terrain"
    says: ClassVar[str] = "say what a place is like: difficult, blocked; nothing makes it ordinary"
    words: ClassVar[tuple[str, ...]] = ("place", "traits")

    place: Word
    traits: tuple[Word, ...] = ()

    def decide(self, table: Table) -> Rule[str]:
        """Set it; a zone keeps its exits."""
        known = table.draft.places.get(self.place)
        yield PlaceSet(place=self.place, traits=self.traits, exits=known.exits if known else ())
        return ""


class Side(Ruling, frozen=True, kw_only=True):
    """Let a combatant fight for another side."""

    kind: ClassVar[str] = "side"
    says: ClassVar[str] = "let a combatant fight for another side"
    words: ClassVar[tuple[str, ...]] = ("who", "side")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    side: Word

    def check(self, table: Table) -> None:
        """Refuse somebody who is not there."""
        table[self.who]

    def decide(self, table: Table) -> Rule[str]:
        """Change it."""
        yield SideChanged(who=self.who, before=table[self.who].side, after=self.side)
        return ""


class Relate(Ruling, frozen=True, kw_only=True):
    """Let a relation hold between combatants, such as ``allies``; no members end it."""

    kind: ClassVar[str] = "relate"
    says: ClassVar[str] = "let a relation hold between combatants, such as allies; no members end it"
    words: ClassVar[tuple[str, ...]] = ("relation", "members")
    people: ClassVar[tuple[str, ...]] = ("members",)

    relation: Word
    members: tuple[Id, ...] = ()

    def check(self, table: Table) -> None:
        """Refuse somebody who is not there."""
        for who in self.members:
            table[who]

    def decide(self, table: Table) -> Rule[str]:
        """Set it; its kind is its name up to a dash and a number."""
        members = tuple(Member(who=who) for who in self.members)
        yield RelationSet(relation=self.relation, kind=self.relation.partition("-")[0], members=members)
        return ""


class Sheet(Ruling, frozen=True, kw_only=True):
    """Correct a number on a sheet."""

    kind: ClassVar[str] = "sheet"
    says: ClassVar[str] = "correct a number on a sheet"
    words: ClassVar[tuple[str, ...]] = ("who", "stat", "to")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    stat: Word
    to: int

    def check(self, table: Table) -> None:
        """Refuse a number the sheet does not have."""
        if self.stat not in table[self.who].stats:
            raise Unusable(f"the sheet has {', '.join(table[self.who].stats)}", "stat")

    def decide(self, table: Table) -> Rule[str]:
        """Correct it."""
        yield StatChanged(who=self.who, stat=self.stat, before=table[self.who].stats[self.stat], after=self.to)
        return ""


class Trait(Ruling, frozen=True, kw_only=True):
    """Add a word to a sheet, or strike it out."""

    kind: ClassVar[str] = "trait"
    says: ClassVar[str] = "add a word to a sheet, or strike it out"
    words: ClassVar[tuple[str, ...]] = ("who", "trait")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    trait: Word
    present: bool = True

    def check(self, table: Table) -> None:
        """Refuse somebody who is not there."""
        table[self.who]

    def decide(self, table: Table) -> Rule[str]:
        """Change it."""
        yield TraitChanged(who=self.who, trait=self.trait, present=self.present)
        return ""


class Reorder(Ruling, frozen=True, kw_only=True):
    """Set the turn order; every slot is named once."""

    kind: ClassVar[str] = "reorder"
    says: ClassVar[str] = "set the turn order, naming every slot once"
    words: ClassVar[tuple[str, ...]] = ("order",)

    order: tuple[Id, ...]

    def check(self, table: Table) -> None:
        """Refuse an order that leaves somebody out or names somebody twice."""
        slots = [slot.id for slot in table.draft.slots]
        if sorted(self.order) != sorted(slots):
            raise Unusable(f"name each of these once: {', '.join(slots) or 'nobody, there is no order yet'}", "order")

    def decide(self, table: Table) -> Rule[str]:
        """Set it."""
        slots: dict[Id, Slot] = {slot.id: slot for slot in table.draft.slots}
        yield OrderSet(slots=tuple(slots[id] for id in self.order))
        return ""


class Modify(Ruling, frozen=True, kw_only=True):
    """Add to a roll to come: that of a pending action, or somebody's next one."""

    kind: ClassVar[str] = "modify"
    says: ClassVar[str] = "add to the roll of a pending action (item), or to somebody's next roll (who)"
    words: ClassVar[tuple[str, ...]] = ("who", "by")
    people: ClassVar[tuple[str, ...]] = ("who",)

    by: int
    label: Word = "ruling"
    who: Id = ""
    item: Id = ""

    def check(self, table: Table) -> None:
        """Refuse an action that is not pending, and neither or both of ``who`` and ``item``."""
        if bool(self.who) == bool(self.item):
            raise Unusable("say either whose next roll (who) or which pending action (item)", "who")
        if self.who:
            table[self.who]
        elif all(pending.id != self.item for pending in table.draft.stack):
            raise not_pending(table, self.item)

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield marked(self.who or self.item, PREFIX + self.label, self.by, until="that roll")
        return ""


class Cancel(Ruling, frozen=True, kw_only=True):
    """Take a pending action off the stack."""

    kind: ClassVar[str] = "cancel"
    says: ClassVar[str] = "take a pending action off the stack"
    words: ClassVar[tuple[str, ...]] = ("item",)

    item: Id

    def check(self, table: Table) -> None:
        """Refuse an action that is not pending."""
        if all(pending.id != self.item for pending in table.draft.stack):
            raise not_pending(table, self.item)

    def decide(self, table: Table) -> Rule[str]:
        """Take back what it asked, and drop it."""
        draft = table.draft
        asked = draft.question.id if draft.question else draft.awaited.roll if draft.awaited else ""
        if asked.partition(":")[2].startswith(f"{self.item}/") or asked.startswith(f"{self.item}/"):
            yield Withdrawn(what=asked)
        yield Dropped(item=self.item, why="ruled")
        return ""


class DiceFrom(Ruling, frozen=True, kw_only=True):
    """Say whose dice are real ones, entered as faces; ``*`` is everybody not named."""

    kind: ClassVar[str] = "dice"
    says: ClassVar[str] = "say whose dice are entered, and whose are the engine's; * is everybody"
    words: ClassVar[tuple[str, ...]] = ("owner", "source")
    people: ClassVar[tuple[str, ...]] = ("owner",)

    owner: Id
    source: Literal["engine", "entered"]

    def check(self, table: Table) -> None:
        """Refuse somebody who is not there."""
        if self.owner != "*":
            table[self.owner]

    def decide(self, table: Table) -> Rule[str]:
        """Set it."""
        yield DiceSourceSet(owner=self.owner, source=self.source)
        return ""


class Leave(Ruling, frozen=True, kw_only=True):
    """Take a combatant out of the fight, body and all."""

    kind: ClassVar[str] = "leave"
    says: ClassVar[str] = "take a combatant out of the fight, body and all"
    words: ClassVar[tuple[str, ...]] = ("who",)
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id

    def check(self, table: Table) -> None:
        """Refuse somebody who is not there, or whom something pending or asked still needs."""
        table[self.who]
        draft = table.draft
        needed = {pending.actor for pending in draft.stack} | set(draft.question.of if draft.question else ())
        if self.who in needed or (draft.awaited and draft.awaited.by == self.who):
            raise Refused("action_pending", "", f"first cancel what is pending of {self.who}", source=self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Take them out of the order and the fight."""
        slots = []
        for slot in table.draft.slots:
            members = tuple(who for who in slot.members if who != self.who)
            if members:
                slots.append(Slot(id=slot.id, members=members, score=slot.score))
        if tuple(slots) != table.draft.slots:
            yield OrderSet(slots=tuple(slots))
        for relation in tuple(table.draft.relations.values()):
            left = tuple(member for member in relation.members if member.who != self.who)
            if left != relation.members:
                yield RelationSet(relation=relation.id, kind=relation.kind, members=left)
        yield Left(who=self.who)
        return ""


class Note(Ruling, frozen=True, kw_only=True):
    """Write a remark into the record."""

    kind: ClassVar[str] = "note"
    says: ClassVar[str] = "write a remark into the record"
    words: ClassVar[tuple[str, ...]] = ("text",)

    text: Word

    def decide(self, table: Table) -> Rule[str]:
        """Write it."""
        yield Noted(text=self.text)
        return ""


def not_pending(table: Table, item: Id) -> Refused:
    """Return the refusal for an action that is not on the stack."""
    pending = ", ".join(one.id for one in table.draft.stack) or "nothing"
    return Refused("not_pending", "", f"{item} is not pending; {pending} is", source=item)


EVERYWHERE: tuple[type[Ruling], ...] = (
    Cancel,
    Condition,
    DiceFrom,
    Distance,
    Give,
    Item,
    Leave,
    Modify,
    Note,
    Place,
    Pool,
    Relate,
    Reorder,
    Sheet,
    Side,
    Terrain,
    Trait,
    View,
)
"""What a ruleset adds its own to."""
