"""Fold what happens to items, places, relations, marks and clocks."""

from affray.engine.core.draft import Draft
from affray.engine.core.state import Item, Place, Relation
from affray.events import (
    ClockSet,
    DieStepped,
    DistanceSet,
    ItemAdded,
    ItemCounted,
    ItemMoved,
    ItemRemoved,
    MarkSet,
    PlaceSet,
    RelationSet,
    ViewSet,
)

from .registry import on


@on(ItemAdded)
def _(draft: Draft, event: ItemAdded) -> None:
    draft.own("items")[event.item] = Item(
        id=event.item,
        name=event.name,
        kind=event.kind,
        owner=event.owner,
        where=event.where,
        stats=event.stats,
        traits=event.traits,
        counters=event.counters,
        die=event.die,
        base=event.base,
    )
    draft.hand_over(event.item, "", event.owner)


@on(ItemCounted)
def _(draft: Draft, event: ItemCounted) -> None:
    draft.change_item(event.item, counters={**draft.items[event.item].counters, event.counter: event.after})


@on(ItemMoved)
def _(draft: Draft, event: ItemMoved) -> None:
    before = draft.items[event.item].owner
    draft.change_item(event.item, owner=event.owner, where=event.after)
    if before != event.owner:
        draft.hand_over(event.item, before, event.owner)


@on(DieStepped)
def _(draft: Draft, event: DieStepped) -> None:
    draft.change_item(event.item, die=event.after)


@on(ItemRemoved)
def _(draft: Draft, event: ItemRemoved) -> None:
    gone = draft.own("items").pop(event.item)
    draft.hand_over(event.item, gone.owner, "")


@on(DistanceSet)
def _(draft: Draft, event: DistanceSet) -> None:
    draft.own("distances")["|".join(event.pair)] = event.after


@on(ViewSet)
def _(draft: Draft, event: ViewSet) -> None:
    draft.own("views")[f"{event.viewer}>{event.target}"] = event.after


@on(PlaceSet)
def _(draft: Draft, event: PlaceSet) -> None:
    draft.own("places")[event.place] = Place(id=event.place, traits=event.traits, exits=event.exits)


@on(RelationSet)
def _(draft: Draft, event: RelationSet) -> None:
    relations = draft.own("relations")
    if event.members:
        relations[event.relation] = Relation(id=event.relation, kind=event.kind, members=event.members)
    else:
        relations.pop(event.relation, None)
    draft.roster += 1


@on(MarkSet)
def _(draft: Draft, event: MarkSet) -> None:
    if event.value is not None:
        draft.marks_of(event.owner)[event.key] = event.value
    elif event.key in draft.marks.get(event.owner, {}):
        marks = draft.marks_of(event.owner)
        del marks[event.key]
        if not marks:
            draft.drop_marks(event.owner)


@on(ClockSet)
def _(draft: Draft, event: ClockSet) -> None:
    draft.own("clocks")[event.clock] = event.after
