"""Fold what happens to combatants."""

from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant
from affray.events import ConditionChanged, Joined, Left, Moved, PoolChanged, SideChanged, StatChanged, TraitChanged

from .registry import on


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
    draft.roster += 1


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
