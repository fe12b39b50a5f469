"""Fold the events about items, places, relations, marks and clocks."""

from affray import events as facts
from affray.engine.core.draft import Draft
from affray.engine.core.state import Item, Place, Relation

from .combatants import write_cell
from .fold import on


@on(facts.ItemAdded)
def _(draft: Draft, event: facts.ItemAdded) -> None:
    draft.own("items")[event.item] = Item(
        id=event.item,
        name=event.name,
        kind=event.kind,
        owner=event.owner,
        where=event.where,
        stats=event.stats,
        traits=event.traits,
        features=event.features,
        counters=event.counters,
        die=event.die,
        base=event.base,
    )
    draft.hand_over(event.item, "", event.owner)


@on(facts.ItemCounted)
def _(draft: Draft, event: facts.ItemCounted) -> None:
    draft.change_item(event.item, counters={**draft.items[event.item].counters, event.counter: event.after})


@on(facts.ItemMoved)
def _(draft: Draft, event: facts.ItemMoved) -> None:
    before = draft.items[event.item].owner
    draft.change_item(event.item, owner=event.owner, where=event.after)
    draft.hand_over(event.item, before, event.owner)


@on(facts.DieStepped)
def _(draft: Draft, event: facts.DieStepped) -> None:
    draft.change_item(event.item, die=event.after)


@on(facts.ItemRemoved)
def _(draft: Draft, event: facts.ItemRemoved) -> None:
    gone = draft.own("items").pop(event.item)
    draft.hand_over(event.item, gone.owner, "")


@on(facts.DistanceSet)
def _(draft: Draft, event: facts.DistanceSet) -> None:
    one, other = event.pair
    draft.own("distances")[one] = {**draft.distances.get(one, {}), other: event.after}


@on(facts.ViewSet)
def _(draft: Draft, event: facts.ViewSet) -> None:
    draft.own("views")[event.viewer] = {**draft.views.get(event.viewer, {}), event.target: event.after}


@on(facts.PlaceSet)
def _(draft: Draft, event: facts.PlaceSet) -> None:
    draft.own("places")[event.place] = Place(
        id=event.place, traits=event.traits, exits=event.exits, side_traits=event.side_traits
    )


@on(facts.RelationSet)
def _(draft: Draft, event: facts.RelationSet) -> None:
    relations = draft.own("relations")
    if event.members:
        relations[event.relation] = Relation(id=event.relation, kind=event.kind, members=event.members)
    else:
        relations.pop(event.relation, None)
    draft.derived.clear()


@on(facts.MarkSet)
def _(draft: Draft, event: facts.MarkSet) -> None:
    owner, key, about = event.owner, event.key, event.about
    is_struct = event.parts or (event.value is None and about in draft.mark_parts.get(owner, {}).get(key, ()))
    marks = draft.own("mark_parts" if is_struct else "marks")
    held = write_cell(marks.get(owner, {}), key, about, (event.parts or None) if is_struct else event.value)
    if held:
        marks[owner] = held
    else:
        marks.pop(owner, None)


@on(facts.ClockSet)
def _(draft: Draft, event: facts.ClockSet) -> None:
    held = draft.clocks.get(event.owner, {})
    draft.own("clocks")[event.owner] = write_cell(held, event.clock, event.about, event.after)
