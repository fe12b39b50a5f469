"""Description of the start of an example: combatants, items, numbers and places."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from affray.engine.core.state import Combatant, Item, State
from affray.events import Damaged, Event, Id, Modifier, PoolChanged, Recorded, Rolled, Stacked
from affray.tools.present.belongings import in_a_hand
from affray.tools.present.names import names_of_state
from affray.tools.present.story.changes import traits_said
from affray.tools.present.story.story import is_budget
from affray.tools.present.story.words import Names, borne, place_of_thing, series

MOST = 5
"""Most combatants that are described in detail."""


def describe_sides(state: State, told: Sequence[Recorded]) -> tuple[str, ...]:
    """Describe the combatants of each side, with the numbers and items that matter."""
    said = names_of_state(state)
    known = find_numbers(state, [one.event for one in told], said)
    detailed = [who for who in state.combatants if who in known][:MOST]
    found: dict[str, list[str]] = {}
    for who, one in state.combatants.items():
        details = _details(state, one, known[who], said) if who in detailed else ""
        found.setdefault(one.side, []).append(f"{one.name}{details}")
    return tuple(f"{side}: {series(people)}" for side, people in found.items())


def ground(state: State, encounter: Mapping[str, object], told: Sequence[Recorded]) -> tuple[str, ...]:
    """Describe distances, melees, views and terrain of the combatants involved."""
    said = names_of_state(state)
    here = set(find_numbers(state, [one.event for one in told], said)) or set(state.combatants)
    parts = [
        *_apart(state, here, _unit(encounter)),
        *_together(state, here, said),
        *_list_views(state, here, said),
        *_terrain(state, here, said),
    ]
    return ("; ".join(parts),) if parts else ()


def find_numbers(state: State, events: Sequence[Event], said: Names) -> dict[Id, list[str]]:
    """Return the combatants that events concern, each with the numbers that mattered."""
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
            _note(found, state, who, *_list_inputs_of_roll(state, who, event, said))
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
    """Add numbers of a combatant, each once."""
    if who in state.combatants:
        known = found.setdefault(who, [])
        known += [one for one in dict.fromkeys(numbers) if one not in known]


def _list_inputs_of_roll(state: State, who: Id, event: Rolled, said: Names) -> Iterator[str]:
    """Yield the stats, and the dice of items, that went into a roll."""
    for group in event.dice:
        item = state.items.get(group.item)
        if item is not None and item.die and not _is_carried(item, said):
            yield f"{item.name} (d{item.die})"
    yield from _stats(state, who, (*event.pool, *event.modifiers), said)


def _stats(state: State, who: Id, terms: Iterable[Modifier], said: Names) -> Iterator[str]:
    """Yield the stats of a combatant that are among the terms of a roll."""
    stats = state.combatants[who].stats if who in state.combatants else {}
    for term in terms:
        if isinstance(term.source, str) and term.source in stats:
            yield f"{said.label('stats', term.source)} {stats[term.source]}"


def _details(state: State, one: Combatant, numbers: Sequence[str], said: Names) -> str:
    """Format numbers, carried items, conditions and place of a combatant."""
    items = [_thing(item, said) for item in state.items.values() if item.owner == one.id and _is_carried(item, said)]
    conditions = [borne(said, name, sum(counts.values())) for name, counts in one.conditions.items()]
    place = f" at {said.at(one.place)}" if one.place else ""
    told = ", ".join([*numbers, *items, *conditions])
    return f"{f' ({told})' if told else ''}{place}"


def _is_carried(item: Item, said: Names) -> bool:
    """Tell whether an item is with its owner."""
    known = said.words.positions.get(item.where)
    return known is not None and known.role != "elsewhere"


def _thing(item: Item, said: Names) -> str:
    """Format an item with its die and position."""
    die = f" (d{item.die})" if item.die else ""
    return f"{item.name}{die} {'in hand' if in_a_hand(item, said) else place_of_thing(said, item.where)}"


def _unit(encounter: Mapping[str, object]) -> str:
    """Return the unit of an encounter's distances."""
    distances = encounter.get("distance")
    first = distances[0] if isinstance(distances, list) and distances else {}
    return next((str(key) for key in first if key != "between"), "")


def _apart(state: State, here: Collection[Id], unit: str) -> Iterator[str]:
    """Yield the distances between combatants involved."""
    for one in [one for one in state.distances if one in here]:
        for other, far in state.distances[one].items():
            if other in here:
                yield f"{_name(state, one)} and {_name(state, other)} are {f'{far} {unit}'.strip()} apart"


def _together(state: State, here: Collection[Id], said: Names) -> Iterator[str]:
    """Yield the relations of combatants involved, such as a melee."""
    for relation in state.relations.values():
        who = [one.who for one in relation.members]
        if len(who) > 1 and set(who) & set(here):
            yield f"{said.label('relations', relation.kind)}: {series(_name(state, one) for one in who)}"


def _list_views(state: State, here: Collection[Id], said: Names) -> Iterator[str]:
    """Yield the views between combatants involved that are not clear."""
    for viewer in [one for one in state.views if one in here]:
        for target, view in state.views[viewer].items():
            if view != "clear" and target in here:
                yield f"{_name(state, target)} is {said.label('views', view)} from {_name(state, viewer)}"


def _terrain(state: State, here: Collection[Id], said: Names) -> Iterator[str]:
    """Yield the traits of places where combatants involved stand."""
    used = {one.place for who, one in state.combatants.items() if who in here}
    for place in state.places.values():
        if (place.traits or place.side_traits) and place.id in used:
            yield f"{said.at(place.id)} is {traits_said(said, place.traits, place.side_traits)}"


def _name(state: State, who: Id) -> str:
    """Return the name of a combatant, or the id if it is unknown."""
    return state.combatants[who].name if who in state.combatants else who
