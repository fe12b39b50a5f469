"""The fold: each fact changes the draft in its own way, whatever the rule system. It never refuses and never rolls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from affray.events import (
    Answered,
    Asked,
    ClockSet,
    ConditionChanged,
    Damaged,
    Declared,
    DiceAwaited,
    DiceEntered,
    DiceRenewed,
    DiceSourceSet,
    DieStepped,
    DistanceSet,
    Dropped,
    Event,
    FightEnded,
    FightOpened,
    Fizzled,
    ItemAdded,
    ItemCounted,
    ItemMoved,
    ItemRemoved,
    Joined,
    Judged,
    Left,
    MarkSet,
    MemberDone,
    Moved,
    Noted,
    OfferDeclined,
    OrderSet,
    Passed,
    PassStanding,
    PhaseEntered,
    PlaceSet,
    PoolChanged,
    Recorded,
    RelationSet,
    Resolved,
    Restored,
    Rewound,
    Rolled,
    RoundBegan,
    Ruled,
    SideChanged,
    Stacked,
    StatChanged,
    TraitChanged,
    TurnBegan,
    TurnEnded,
    ViewSet,
    WindowClosed,
    WindowOpened,
    Withdrawn,
)

from .draft import Draft
from .state import Awaited, Combatant, Item, Pending, Place, Question, Relation, State, Window

Handler = Callable[[Draft, Any], None]

HANDLERS: dict[type[Event], Handler] = {}
"""What each type of event does to the draft."""


def on(*types: type[Event]) -> Callable[[Handler], Handler]:
    """Register the decorated function as the handler of these types."""

    def register(handler: Handler) -> Handler:
        for type_ in types:
            HANDLERS[type_] = handler
        return handler

    return register


def evolve(draft: Draft, event: Event) -> None:
    """Apply one fact to the draft."""
    HANDLERS[type(event)](draft, event)


def fold(recorded: Iterable[Recorded], onto: State | None = None) -> State:
    """Return the state after these events, which must be effective ones in order.

    Args:
        recorded: What happened; a log with taken-back lanes goes through ``history.effective`` first.
        onto: The state before them; the empty state if not given.
    """
    draft = Draft(onto or State())
    handlers = HANDLERS
    for one in recorded:
        event = one.event
        handlers[type(event)](draft, event)
    return draft.freeze()


@on(Rolled, Judged, Damaged, Passed, Noted, Rewound, Restored)
def _(draft: Draft, event: Event) -> None:
    """Change nothing: what follows from it is recorded as facts of their own."""


# --- the record and its dice ---


@on(FightOpened)
def _(draft: Draft, event: FightOpened) -> None:
    draft.fight, draft.system, draft.version = event.fight, event.system, event.version
    draft.config = event.config


@on(DiceRenewed)
def _(draft: Draft, event: DiceRenewed) -> None:
    draft.dice_generation = event.generation


@on(DiceSourceSet)
def _(draft: Draft, event: DiceSourceSet) -> None:
    draft.own("dice_sources")[event.owner] = event.source


@on(DiceAwaited)
def _(draft: Draft, event: DiceAwaited) -> None:
    draft.awaited = Awaited(roll=event.roll, by=event.by, purpose=event.purpose, dice=event.dice)


@on(DiceEntered)
def _(draft: Draft, event: DiceEntered) -> None:
    draft.awaited = None


# --- the course of the fight ---


@on(PhaseEntered)
def _(draft: Draft, event: PhaseEntered) -> None:
    draft.own("phases")[event.item] = event.phase


@on(RoundBegan)
def _(draft: Draft, event: RoundBegan) -> None:
    draft.round = event.round
    draft.own("counts").clear()


@on(OrderSet)
def _(draft: Draft, event: OrderSet) -> None:
    draft.slots = event.slots


@on(TurnBegan)
def _(draft: Draft, event: TurnBegan) -> None:
    draft.up, draft.acting = event.slot, event.members
    counts = draft.own("counts")
    counts[f"{event.slot}/turn"] = counts.get(f"{event.slot}/turn", 0) + 1


@on(MemberDone)
def _(draft: Draft, event: MemberDone) -> None:
    draft.acting = tuple(who for who in draft.acting if who != event.who)


@on(TurnEnded)
def _(draft: Draft, event: TurnEnded) -> None:
    draft.acting = ()


@on(WindowOpened)
def _(draft: Draft, event: WindowOpened) -> None:
    draft.window = Window(id=event.window, to=event.to, what=event.what)
    draft.own("counts")[f"{event.about}/window"] = event.nth


@on(OfferDeclined)
def _(draft: Draft, event: OfferDeclined) -> None:
    if draft.window is not None and draft.window.id == event.window:
        left = tuple(who for who in draft.window.to if who != event.who)
        draft.window = Window(id=event.window, to=left, what=draft.window.what)


@on(WindowClosed)
def _(draft: Draft, event: WindowClosed) -> None:
    draft.window = None


@on(FightEnded)
def _(draft: Draft, event: FightEnded) -> None:
    draft.ended, draft.victors = True, event.victors


# --- the stack and its questions ---


@on(Declared)
def _(draft: Draft, event: Declared) -> None:
    counts = draft.own("counts")
    counts[event.actor] = counts.get(event.actor, 0) + 1


@on(Ruled)
def _(draft: Draft, event: Ruled) -> None:
    counts = draft.own("counts")
    counts["gm"] = counts.get("gm", 0) + 1


@on(Stacked)
def _(draft: Draft, event: Stacked) -> None:
    item = Pending(
        id=event.item,
        actor=event.actor,
        kind=event.kind,
        params=event.params,
        manner=event.manner,
        tags=event.tags,
        targets=event.targets,
    )
    draft.stack.insert(event.at, item)
    draft.own("counts")[event.actor] = event.nth


@on(Resolved, Fizzled, Dropped)
def _(draft: Draft, event: Resolved | Fizzled | Dropped) -> None:
    draft.stack = [item for item in draft.stack if item.id != event.item]
    draft.own("phases").pop(event.item, None)


@on(Asked)
def _(draft: Draft, event: Asked) -> None:
    draft.question = Question(id=event.question, of=event.of, about=event.about, options=event.options)


@on(Answered)
def _(draft: Draft, event: Answered) -> None:
    draft.question = None


@on(Withdrawn)
def _(draft: Draft, event: Withdrawn) -> None:
    draft.question = draft.awaited = None


@on(PassStanding)
def _(draft: Draft, event: PassStanding) -> None:
    standing = draft.own("standing")
    if event.unless == "asked":
        standing.pop(event.who, None)
    else:
        standing[event.who] = event.unless


# --- combatants ---


@on(Joined)
def _(draft: Draft, event: Joined) -> None:
    draft.own("combatants")[event.who] = Combatant(
        id=event.who,
        name=event.name,
        side=event.side,
        stats=event.stats,
        traits=event.traits,
        pools=event.pools,
        place=event.place,
    )
    draft.settle(event.who, "", event.place)
    draft.roster += 1


@on(Left)
def _(draft: Draft, event: Left) -> None:
    gone = draft.own("combatants").pop(event.who)
    draft.settle(event.who, gone.place, "")
    draft.roster += 1


@on(SideChanged)
def _(draft: Draft, event: SideChanged) -> None:
    draft.change(event.who, side=event.after)
    draft.roster += 1


@on(StatChanged)
def _(draft: Draft, event: StatChanged) -> None:
    draft.change(event.who, stats={**draft.combatants[event.who].stats, event.stat: event.after})


@on(TraitChanged)
def _(draft: Draft, event: TraitChanged) -> None:
    rest = tuple(trait for trait in draft.combatants[event.who].traits if trait != event.trait)
    draft.change(event.who, traits=(*rest, event.trait) if event.present else rest)


@on(PoolChanged)
def _(draft: Draft, event: PoolChanged) -> None:
    """Take the recorded value; the rule already bounded it."""
    draft.pools(event.who)[event.pool] = event.after


@on(ConditionChanged)
def _(draft: Draft, event: ConditionChanged) -> None:
    conditions = dict(draft.combatants[event.who].conditions)
    sources = {**conditions.get(event.condition, {}), event.source: event.after}
    if not event.after:
        del sources[event.source]
    if sources:
        conditions[event.condition] = sources
    else:
        conditions.pop(event.condition, None)
    draft.change(event.who, conditions=conditions)
    draft.roster += 1


@on(Moved)
def _(draft: Draft, event: Moved) -> None:
    draft.change(event.who, place=event.after)
    draft.settle(event.who, event.before, event.after)


# --- items ---


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


# --- places, relations, marks, clocks ---


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
    marks = draft.own("marks")
    of_owner = {**marks.get(event.owner, {}), event.key: event.value}
    if event.value is None:
        del of_owner[event.key]
    if of_owner:
        marks[event.owner] = of_owner
    else:
        marks.pop(event.owner, None)


@on(ClockSet)
def _(draft: Draft, event: ClockSet) -> None:
    draft.own("clocks")[event.clock] = event.after
