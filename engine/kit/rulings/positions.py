"""Rulings on places, distances, views, terrain and items."""

from itertools import product
from typing import Annotated, ClassVar

from affray import events as facts
from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import move_item, set_item_counter
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.distances import set_view, stated_view
from affray.engine.kit.riding import cite_saddle, list_unit, must_not_be_together, state_distance
from affray.events import Id

from .items import find_amount_counter, must_hold_so_many, split_off
from .values import BRIEF, Count, Many


@ruled_as("place", "put a combatant somewhere else", "who", "to")
class PlaceRuling(Ruling, frozen=True, kw_only=True):
    """Move a combatant to another place, with its mount or rider.

    Class attributes:
        rules: The clauses by which the combatant is there.
    """

    rules: ClassVar[tuple[facts.Clause, ...]] = ()

    who: facts.CombatantId
    to: Annotated[facts.PlaceId, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse a combatant that is not on a map."""
        if not table[self.who].place:
            raise Refused("no_map", "", "this fight has no map; rule a distance instead", source=self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Move the combatant, and its mount or rider."""
        for who in list_unit(table, self.who):
            rules = self.rules if who == self.who else cite_saddle(table)
            yield facts.Moved(who=who, before=table[who].place, after=self.to, rules=rules)

    def already(self, table: Table) -> str:
        """Say the combatant's present place."""
        return f"{table.name_of(self.who)} is at {self.to} already"


@ruled_as(
    "distance", "say how far a combatant is from another, a side or all others, without a map", "one", "other", "to"
)
class Distance(Ruling, frozen=True, kw_only=True):
    """Set a combatant's distance to another, to all of a side, or to all (``*``).

    It needs a fight without a map. Rider and mount share a place.
    """

    one: facts.CombatantId
    other: facts.SeveralId
    to: Count

    def others(self, table: Table) -> tuple[Id, ...]:
        """Return the combatants at the other end of the distance."""
        people = table.draft.combatants
        if table.is_combatant(self.other):
            return (self.other,)
        return tuple([who for who, one in people.items() if who != self.one and self.other in ("*", one.side)])

    def check(self, table: Table) -> None:
        """Refuse combatants on a map, a distance to the combatant itself, and one of rider and mount."""
        others = self.others(table)
        if self.one in others or not others:
            raise Unusable("name two combatants", "other")
        if table[self.one].place and any(table[other].place for other in others):
            raise Refused("on_a_map", "", "this fight has a map; rule a place instead", source=self.one)
        must_not_be_together(table, self.one, self.other)

    def decide(self, table: Table) -> Rule[None]:
        """Set the distances."""
        for other in self.others(table):
            yield from state_distance(table, self.one, other, self.to)

    def already(self, table: Table) -> str:
        """Say the present distance."""
        return f"{table.name_of(self.one)} is {self.to} from {table.name_of(self.other)} already"


@ruled_as(
    "view", "say whether one combatant sees another: clear or blocked, or a kind of cover", "viewer", "target", "view"
)
class ViewRuling(Ruling, frozen=True, kw_only=True):
    """Set how well one combatant sees another, and their mounts and riders. By default it holds both ways."""

    viewer: facts.CombatantId
    target: facts.CombatantId
    view: Annotated[facts.ViewName, BRIEF]
    both: bool = True

    def check(self, table: Table) -> None:
        """Refuse a combatant's view of itself, and of the mount or rider with which it shares a place."""
        if self.viewer == self.target:
            raise Unusable("name two combatants", "target")
        must_not_be_together(table, self.viewer, self.target)

    def decide(self, table: Table) -> Rule[None]:
        """Set the view."""
        pairs = ((self.viewer, self.target), (self.target, self.viewer))
        for viewer, target in pairs if self.both else pairs[:1]:
            yield set_view(table, viewer, target, self.view)
            for one, other in product(list_unit(table, viewer), list_unit(table, target)):
                if (one, other) != (viewer, target) and stated_view(table, one, other) != self.view:
                    yield set_view(table, one, other, self.view, *cite_saddle(table))

    def already(self, table: Table) -> str:
        """Say the present view."""
        return f"{table.name_of(self.viewer)} sees {table.name_of(self.target)} so already: {self.view}"


@ruled_as("terrain", "say what a place is like: difficult, blocked; nothing makes it ordinary", "place", "traits")
class Terrain(Ruling, frozen=True, kw_only=True):
    """Set the traits of a place, such as ``difficult`` or ``blocked``.

    A place without traits is ordinary.
    """

    place: Annotated[facts.PlaceId, BRIEF]
    traits: tuple[Annotated[facts.TraitName, BRIEF], ...] = ()

    def decide(self, table: Table) -> Rule[None]:
        """Set the traits. A zone keeps its exits, and a hex the traits of its sides."""
        known = table.draft.places.get(self.place)
        if set(self.traits) != set(known.traits if known else ()):
            exits, sides = (known.exits, known.side_traits) if known else ((), ())
            yield facts.PlaceSet(place=self.place, traits=self.traits, exits=exits, side_traits=sides)

    def already(self, table: Table) -> str:
        """Say the present traits of the place."""
        return f"{self.place} is {', '.join(self.traits) or 'ordinary'} already"


@ruled_as("item", "set a counter of an item", "item", "counter", "to")
class ItemRuling(Ruling, frozen=True, kw_only=True):
    """Set a counter of an item, such as ``loaded``."""

    item: facts.ItemId
    counter: Annotated[facts.CounterName, BRIEF]
    to: Many

    def check(self, table: Table) -> None:
        """Refuse a counter that the item does not have."""
        if self.counter not in table.item(self.item).counters:
            there = table.item(self.item).counters
            said = f"the counters {', '.join(there)}" if there else "no counters"
            raise Unusable(f"{self.item} has {said}", "counter", known=there)

    def decide(self, table: Table) -> Rule[None]:
        """Set the counter."""
        yield set_item_counter(table, self.item, self.counter, self.to)

    def already(self, table: Table) -> str:
        """Say the counter's present value."""
        return f"{table.item(self.item).quoted_name} has {self.counter} {self.to} already"


@ruled_as("give", "put an item into other hands, or elsewhere on the body", "item", "to")
class Give(Ruling, frozen=True, kw_only=True):
    """Give an item to another combatant, or move it to another place on the body.

    Attributes:
        where: The place on the body; by default the system's usual place.
        count: The number to take from a stack; all of it by default.
    """

    item: facts.ItemId
    to: facts.CombatantId
    where: facts.PositionName = ""
    count: Count = 0

    def check(self, table: Table) -> None:
        """Refuse a count of a single item, and more of a stack than there are."""
        must_hold_so_many(table, table.item(self.item), self.count)

    def decide(self, table: Table) -> Rule[None]:
        """Hand over the item, or part of the stack."""
        item = table.item(self.item)
        if self.count and self.count < item.counters[find_amount_counter(table, item)]:
            yield from split_off(table, self.item, self.count, self.to, self.where)
        else:
            yield move_item(table, self.item, self.where or self.usual_place(table), owner=self.to)

    def usual_place(self, table: Table) -> facts.PositionName:
        """Return the place of an item that is handed over without naming a place."""
        return ""

    def already(self, table: Table) -> str:
        """Say that the combatant has the item there."""
        return f"{table.name_of(self.to)} has the {table.item(self.item).quoted_name} there already"
