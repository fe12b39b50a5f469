"""Fold the events about combatants."""

from collections.abc import Mapping
from typing import TypeVar

from affray import events as facts
from affray.engine.core.draft import Draft
from affray.engine.core.state import Combatant
from affray.events import Id

from .fold import on

Held = TypeVar("Held")
Rows = Mapping[Id, Mapping[Id, Held]]


@on(facts.Joined)
def _(draft: Draft, event: facts.Joined) -> None:
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
    if event.who in draft.departed:
        del draft.own("departed")[event.who]
    draft.derived.clear()


@on(facts.Left)
def _(draft: Draft, event: facts.Left) -> None:
    draft.settle(event.who, draft.depart(event.who).place, "")
    draft.derived.clear()


@on(facts.SideChanged)
def _(draft: Draft, event: facts.SideChanged) -> None:
    draft.change(event.who, side=event.after)
    draft.derived.clear()


@on(facts.StatChanged)
def _(draft: Draft, event: facts.StatChanged) -> None:
    draft.change(event.who, stats={**draft.combatants[event.who].stats, event.stat: event.after})


@on(facts.TraitChanged)
def _(draft: Draft, event: facts.TraitChanged) -> None:
    rest = tuple(trait for trait in draft.combatants[event.who].traits if trait != event.trait)
    draft.change(event.who, traits=(*rest, event.trait) if event.present else rest)
    draft.derived.clear()


@on(facts.PoolChanged)
def _(draft: Draft, event: facts.PoolChanged) -> None:
    """Take the recorded value; the rule already bounded it."""
    draft.pools(event.who)[event.pool] = event.after


@on(facts.ConditionChanged)
def _(draft: Draft, event: facts.ConditionChanged) -> None:
    one, condition, source = draft.combatants[event.who], event.condition, event.source
    conditions = write_cell(one.conditions, condition, source, event.after or None)
    if event.ends is None and not one.endings:
        draft.change(event.who, conditions=conditions)
    else:
        ends = event.ends if event.after else None
        draft.change(event.who, conditions=conditions, endings=write_cell(one.endings, condition, source, ends))
    draft.derived.clear()


def write_cell(table: Rows[Held], row: Id, column: Id, value: Held | None) -> Rows[Held]:
    """Return a copy of nested tables with a value set; ``None`` removes it.

    An inner table that becomes empty is removed.
    """
    if value is not None:
        return {**table, row: {**table.get(row, {}), column: value}}
    rest = {key: held for key, held in table.get(row, {}).items() if key != column}
    return {key: rest if key == row else held for key, held in table.items() if rest or key != row}


@on(facts.Moved)
def _(draft: Draft, event: facts.Moved) -> None:
    draft.change(event.who, place=event.after)
    draft.settle(event.who, event.before, event.after)


@on(facts.Concealed)
def _(draft: Draft, event: facts.Concealed) -> None:
    others = tuple(who for who in draft.concealed if who != event.who)
    draft.concealed = (*others, event.who) if event.concealed else others
    draft.derived.clear()


@on(facts.FoesSet)
def _(draft: Draft, event: facts.FoesSet) -> None:
    draft.foes, draft.heroes = event.show, event.heroes


@on(facts.Veiled)
def _(draft: Draft, event: facts.Veiled) -> None:
    veiled = draft.own("veiled")
    if event.pools:
        veiled[event.who] = event.pools
    else:
        veiled.pop(event.who, None)
