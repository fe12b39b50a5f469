"""Describe how an example begins: who is where, with which items and numbers that matter to it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from affray.engine.core.state import Combatant, Item, State
from affray.events import Damaged, Event, Id, Modifier, PoolChanged, Recorded, Rolled, Stacked
from affray.tools.present.belongings import in_a_hand
from affray.tools.present.names import names_in
from affray.tools.present.story.changes import traits_said
from affray.tools.present.story.story import is_budget
from affray.tools.present.story.words import Names, borne, series, stowed

MOST = 5
"""So many are told of with all they have; more than these would be a roster."""


def sides(state: State, told: Sequence[Recorded]) -> tuple[str, ...]:
    """Return who is there, a side each: with the numbers and things that count in what is told."""
    said = names_in(state)
    known = numbers(state, [one.event for one in told], said)
    detailed = [who for who in state.combatants if who in known][:MOST]
    found: dict[str, list[str]] = {}
    for who, one in state.combatants.items():
        details = _details(state, one, known[who], said) if who in detailed else ""
        found.setdefault(one.side, []).append(f"{one.name}{details}")
    return tuple(f"{side}: {series(people)}" for side, people in found.items())


def ground(state: State, encounter: Mapping[str, object], told: Sequence[Recorded]) -> tuple[str, ...]:
    """Return how those who count stand to each other: how far apart, in which melee, how well seen."""
    said = names_in(state)
    here = set(numbers(state, [one.event for one in told], said)) or set(state.combatants)
    parts = [
        *_apart(state, here, _unit(encounter)),
        *_together(state, here, said),
        *_seen(state, here, said),
        *_terrain(state, here, said),
    ]
    return ("; ".join(parts),) if parts else ()


def numbers(state: State, events: Sequence[Event], said: Names) -> dict[Id, list[str]]:
    """Return whom events concern, and which numbers of theirs went into what they tell."""
    found: dict[Id, list[str]] = {}
    acting = ""
    for event in events:
        if isinstance(event, Stacked):
            acting = event.actor
            _note(found, state, event.actor)
            for target in event.targets:
                _note(found, state, target)
        elif isinstance(event, Rolled):
            who = event.purpose.partition(":")[2] or event.by
            _note(found, state, who, *_rolled(state, who, event, said))
        elif isinstance(event, Damaged):
            _note(
                found, state, event.who, *_stats(state, event.who, (one for one in event.terms if one.value < 0), said)
            )
            _note(found, state, acting, *_stats(state, acting, (one for one in event.terms if one.value > 0), said))
        elif isinstance(event, PoolChanged) and not is_budget(said, event.pool):
            value = state.combatants[event.who].pools.get(event.pool) if event.who in state.combatants else None
            _note(found, state, event.who, *([f"{said.label('pools', event.pool)} {value}"] if value else []))
    return found


def _note(found: dict[Id, list[str]], state: State, who: Id, *numbers: str) -> None:
    if who in state.combatants:
        known = found.setdefault(who, [])
        known += [one for one in dict.fromkeys(numbers) if one not in known]


def _rolled(state: State, who: Id, event: Rolled, said: Names) -> Iterator[str]:
    """Yield the numbers of the sheet, and the dice of things, that went into a roll."""
    for group in event.dice:
        item = state.items.get(group.item)
        if item is not None and item.die and not _carried(item, said):
            yield f"{item.name} (d{item.die})"
    yield from _stats(state, who, (*event.pool, *event.modifiers), said)


def _stats(state: State, who: Id, terms: Iterable[Modifier], said: Names) -> Iterator[str]:
    stats = state.combatants[who].stats if who in state.combatants else {}
    for term in terms:
        if term.source in stats:
            yield f"{said.label('stats', term.source)} {stats[term.source]}"


def _details(state: State, one: Combatant, numbers: Sequence[str], said: Names) -> str:
    items = [_thing(item, said) for item in state.items.values() if item.owner == one.id and _carried(item, said)]
    conditions = [borne(said, name, sum(counts.values())) for name, counts in one.conditions.items()]
    place = f" at {said.at(one.place)}" if one.place else ""
    told = ", ".join([*numbers, *items, *conditions])
    return f"{f' ({told})' if told else ''}{place}"


def _carried(item: Item, said: Names) -> bool:
    known = said.words.positions.get(item.where)
    return known is not None and known.role != "elsewhere"


def _thing(item: Item, said: Names) -> str:
    die = f" (d{item.die})" if item.die else ""
    return f"{item.name}{die} {'in hand' if in_a_hand(item, said) else stowed(said, item.where)}"


def _unit(encounter: Mapping[str, object]) -> str:
    """Return in what an encounter measures: as its own distances say it."""
    distances = encounter.get("distance")
    first = distances[0] if isinstance(distances, list) and distances else {}
    return next((str(key) for key in first if key != "between"), "")


def _apart(state: State, here: Collection[Id], unit: str) -> Iterator[str]:
    for pair, far in state.distances.items():
        one, _, other = pair.partition("|")
        if {one, other} <= set(here):
            yield f"{_name(state, one)} and {_name(state, other)} are {f'{far} {unit}'.strip()} apart"


def _together(state: State, here: Collection[Id], said: Names) -> Iterator[str]:
    for relation in state.relations.values():
        who = [one.who for one in relation.members]
        if len(who) > 1 and set(who) & set(here):
            yield f"{said.label('relations', relation.kind)}: {series(_name(state, one) for one in who)}"


def _seen(state: State, here: Collection[Id], said: Names) -> Iterator[str]:
    for pair, view in state.views.items():
        viewer, _, target = pair.partition(">")
        if view != "clear" and {viewer, target} <= set(here):
            yield f"{_name(state, target)} is {said.label('views', view)} from {_name(state, viewer)}"


def _terrain(state: State, here: Collection[Id], said: Names) -> Iterator[str]:
    used = {one.place for who, one in state.combatants.items() if who in here}
    for place in state.places.values():
        if place.traits and place.id in used:
            yield f"{said.at(place.id)} is {traits_said(said, place.traits)}"


def _name(state: State, who: Id) -> str:
    return state.combatants[who].name if who in state.combatants else who
