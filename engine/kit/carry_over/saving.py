"""Read the state that a combatant carries over off the end of a fight."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from affray.engine.core.recovery import RecoveryRules
from affray.engine.core.state import Combatant, Item, State
from affray.engine.core.vocabulary import Vocabulary
from affray.events import Id

from .form import CarriedFeature, CarriedItem, CarriedState


def find_carried_state(
    whole: State, now: State, who: Id, company: Sequence[Id], words: Vocabulary, between: RecoveryRules
) -> CarriedState:
    """Return the state that a combatant carries over.

    Args:
        whole: The state that the entries alone lead to.
        now: The state after the fight, and after recovery between fights.
        company: The combatants that come along without an entry.
    """
    fresh, one = whole.combatants[who], now.combatants[who]
    clocks = {
        clock: {about: value for about, value in by.items() if value}
        for clock, by in (now.clocks.get(who, {}) if between.clocks else {}).items()
    }
    marks = {key: held.get("") for key, held in now.marks.get(who, {}).items() if key in between.marks}
    theirs = {id: find_carried_state(whole, now, id, (), words, between) for id in company if id in now.combatants}
    return CarriedState(
        stats={name: value for name, value in one.stats.items() if value != fresh.stats.get(name, 0)},
        pools=_list_pools(fresh, one, words),
        conditions=_list_conditions(fresh, one, words.lasting("conditions") | between.conditions),
        things=_list_items(whole, now, who, words, between),
        marks={key: value for key, value in marks.items() if isinstance(value, bool | int | str)},
        clocks={clock: by for clock, by in clocks.items() if by},
        company={id: carries for id, carries in theirs.items() if carries != CarriedState()},
    )


def _list_pools(fresh: Combatant, one: Combatant, words: Vocabulary) -> dict[str, int]:
    lasting = words.lasting("pools")
    return {pool: value for pool, value in one.pools.items() if pool in lasting and value != fresh.pools.get(pool)}


def _list_conditions(fresh: Combatant, one: Combatant, lasting: frozenset[str]) -> dict[str, int | dict[str, int]]:
    found: dict[str, int | dict[str, int]] = {}
    for condition, sources in one.conditions.items():
        if condition in lasting and sources != fresh.conditions.get(condition):
            found[condition] = sources[""] if tuple(sources) == ("",) else dict(sources)
    return found


def _list_items(whole: State, now: State, who: Id, words: Vocabulary, between: RecoveryRules) -> dict[str, CarriedItem]:
    lasting = words.lasting("counters")
    fresh = {id: item for id, item in whole.items.items() if item.owner == who}
    held = {id: item for id, item in now.items.items() if item.owner == who}
    found: dict[str, CarriedItem] = {}
    for id, item in fresh.items():
        key = id.removeprefix(f"{who}.")
        if id not in held:
            found[key] = CarriedItem(lost=True)
        elif (changed := _find_changes(item, held[id], lasting)) != CarriedItem():
            found[key] = changed
    for id, item in held.items():
        if id not in fresh:
            key = _find_free_key(id, who, {*found, *(one.removeprefix(f"{who}.") for one in fresh)})
            found[key] = _describe_item(item, words, between)
    return found


def _find_changes(fresh: Item, now: Item, lasting: frozenset[str]) -> CarriedItem:
    counters = {
        name: value for name, value in now.counters.items() if name in lasting and value != fresh.counters.get(name, 0)
    }
    return CarriedItem(counters=counters, die=now.die if now.die != fresh.die else None)


def _describe_item(item: Item, words: Vocabulary, between: RecoveryRules) -> CarriedItem:
    position = words.positions.get(item.where)
    is_worn = position is not None and position.role == "worn"
    return CarriedItem(
        name=item.name,
        kind=item.kind,
        where=item.where if is_worn else between.stowed,
        stats=dict(item.stats),
        traits=item.traits,
        features=msgspec.convert(item.features, tuple[CarriedFeature, ...], from_attributes=True),
        counters=dict(item.counters),
        die=item.die if item.die != item.base else None,
        base=item.base,
    )


def _find_free_key(id: Id, who: Id, taken: set[str]) -> str:
    """Return an unused key for an item: its own, or with a number added."""
    key = id.removeprefix(f"{who}.").rpartition(".")[2]
    nth, found = 1, key
    while found in taken:
        nth += 1
        found = f"{key}-{nth}"
    return found
