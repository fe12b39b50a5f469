"""Combatants and items in the words of a scenario."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from affray.engine.core.state import Combatant, Item, State
from affray.engine.kit.distances import order_pair
from affray.events import ConditionChanged, Id, RelationSet, find_word
from affray.tools.parse.faults import join_shortly
from affray.tools.present.belongings import in_a_hand
from affray.tools.present.story.words import Names
from affray.tools.text.spelling_hints import nearest

from .notation import name_mark
from .state_now import Now, Part, Unknown, each_of, evaluate_part

AWAY = "away"
"""The word for no place."""


def combatant_named(now: Now, one: Combatant, said: Mapping[str, Any]) -> Iterator[Part]:
    """Yield a combatant's keys in a scenario, with expected and actual values."""
    for word, value in said.items():
        path = f"{one.id}.{word}"
        item = now.state.items.get(path)
        if word in PERSON:
            yield path, value, PERSON[word](now.state, one)
        elif word in NESTED:
            yield from each_of(path, value, NESTED[word], now, one)
        elif item is not None and isinstance(value, dict):
            yield from item_named(path, item, value)
        else:
            yield evaluate_part(path, value, _bears, now, one, word, value)


def _bears(now: Now, one: Combatant, word: str, said: Any) -> Any:
    """Return a counter's, condition's, thing's or relation's state in a given type."""
    own = [id.removeprefix(f"{one.id}.") for id in now.state.items if id.startswith(f"{one.id}.")]
    conditions, bonds = sorted(now.heard[ConditionChanged]), sorted(now.heard[RelationSet])
    counts = one.conditions.get(word, {})
    there = f"; of {one.id} there is {join_shortly((*PERSON, *NESTED, *one.pools, *own, *conditions, *bonds))}"
    if word in one.pools:
        return one.pools[word]
    if isinstance(said, bool):
        traits = [*map(find_word, one.traits)]
        present = bool(counts) or word in traits or word in own
        if not present:
            name = word if word in now.heard_of else f"{one.id}.{word}"
            write = f"; write {one.id}.conditions = {json.dumps([*one.conditions])}" if word in now.words else there
            now.must_be_known(name, word, (*conditions, *traits, *own), write)
        return present
    if isinstance(said, list):
        now.must_be_known(word, word, (*PERSON, *bonds), there)
        return _with(now, one.id, word)
    if not counts:
        now.must_be_known(word, word, (*NESTED, *one.pools, *own, *conditions), there)
    return dict(counts) if isinstance(said, dict) else sum(counts.values())


def _with(now: Now, who: Id, kind: str) -> frozenset[Id]:
    """Return the partners of a combatant in its relations of a kind."""
    members = [[one.who for one in held.members] for held in now.state.relations.values() if held.kind == kind]
    return frozenset(one for group in members if who in group for one in group if one != who)


def _in_hand(state: State, one: Combatant) -> frozenset[str]:
    """Return the items in hand."""
    names = Names(state.system)
    own = (item for item in state.items.values() if item.owner == one.id)
    return frozenset(item.id.removeprefix(f"{one.id}.") for item in own if in_a_hand(item, names))


PERSON: dict[str, Callable[[State, Combatant], Any]] = {
    "at": lambda _, one: one.place or AWAY,
    "side": lambda _, one: one.side,
    "conditions": lambda _, one: frozenset(one.conditions),
    "traits": lambda _, one: frozenset(one.traits),
    "in_hand": _in_hand,
}
"""The keys for each combatant."""


def _stat(_: Now, one: Combatant, name: str) -> int:
    if name not in one.stats:
        raise Unknown(f"the sheet has {', '.join(one.stats) or 'no numbers'}{nearest(name, one.stats)}")
    return one.stats[name]


def _distance(now: Now, one: Combatant, other: str) -> int:
    first, second = order_pair(one.id, other)
    far = now.state.distances.get(first, {}).get(second)
    if far is None:
        raise Unknown(f"nobody has said how far apart {one.id} and {other} are{nearest(other, now.state.combatants)}")
    return far


def _view(now: Now, one: Combatant, other: str) -> str:
    if other not in now.state.combatants:
        raise Unknown(f"there is no {other} in this fight{nearest(other, now.state.combatants)}")
    return now.state.views.get(one.id, {}).get(other, "clear")


def _mark(now: Now, one: Combatant, key: str) -> Any:
    """Return the value of a mark, a list as TOML has it, or the parts of one that is a struct; false without a mark."""
    held = [*now.state.mark_parts.get(one.id, {}).items(), *now.state.marks.get(one.id, {}).items()]
    values = {name_mark(name, about): value for name, by in held for about, value in by.items()}
    value = values.get(key, False)
    return list(value) if isinstance(value, tuple) else value


NESTED: dict[str, Callable[[Now, Combatant, str], Any]] = {
    "sheet": _stat,
    "distance": _distance,
    "view": _view,
    "marks": _mark,
}
"""The keys for each pair of a combatant and another subject."""


# --- things ---


def item_named(path: str, item: Item, said: Mapping[str, Any]) -> Iterator[Part]:
    """Yield a thing's keys in a scenario, with expected and actual values."""
    for word, value in said.items():
        if word == "sheet":
            yield from each_of(f"{path}.sheet", value, _number, item.stats)
        else:
            yield evaluate_part(f"{path}.{word}", value, _of, item, word)


def _of(item: Item, word: str) -> Any:
    return THING[word](item) if word in THING else _number(item.counters, word)


def _number(numbers: Mapping[str, int], name: str) -> int:
    if name not in numbers:
        known = (*THING, "sheet", *numbers)
        raise Unknown(f"can be said of it: {', '.join(known)}{nearest(name, known)}")
    return numbers[name]


THING: dict[str, Callable[[Item], Any]] = {
    "where": lambda item: item.where or AWAY,
    "owner": lambda item: item.owner or "nobody",
    "die": lambda item: item.die,
    "base": lambda item: item.base,
    "traits": lambda item: frozenset(item.traits),
}
"""The keys for each thing, besides its counters."""
