"""Differences between two end states of a fight as sentences."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from affray.engine.analysis.diff import Change
from affray.events import Id, owner_of

from .changes import traits_said
from .story import is_budget
from .words import (
    Names,
    becomes,
    borne,
    capital,
    change,
    counter_change,
    name_of,
    place_of_thing,
    possessive,
    series,
    side_said,
    won_by,
)


def list_differences(changes: Sequence[Change], names: Names) -> list[str]:
    """Return in sentences how two states differ; who may still act how often is left out."""
    lines = [*_fight([one for one in changes if one.about in ("fight", "order")], names)]
    people = [one for one in changes if one.about in _PEOPLE and not is_budget(names, one.name)]
    for who in dict.fromkeys(one.of for one in people):
        lines.append(_somebody(who, [one for one in people if one.of == who], names))
    things = [one for one in changes if one.about in _THINGS]
    for item in dict.fromkeys(one.of for one in things):
        lines.append(_something(item, [one for one in things if one.of == item], names))
    lines += [_ELSE[one.about](one, names) for one in changes if one.about in _ELSE]
    return [capital(line) for line in lines]


def _fight(changes: Iterable[Change], names: Names) -> Iterator[str]:
    """Yield lines on victory, round, phase and turn; the latter two only before the end."""
    told = {one.name or one.about: one for one in changes}
    if "victors" in told or "ended" in told:
        yield f"the end: {change(*_both(told, _outcome_text))}"
    if "round" in told:
        yield f"round {change(told['round'].one, told['round'].other)}"
    if "ended" not in told:
        if "up" in told:
            yield f"whose turn it is: {change(*(_people(value, names) for value in _values(told['up'])))}"
        if "phase" in told:
            yield f"phase: {change(*(names.label('phases', str(value)) for value in _values(told['phase'])))}"
    if "order" in told:
        yield f"turn order: {change(*(_people(value, names) for value in _values(told['order'])))}"


def _both(told: dict[str, Change], tell: Callable[[object, object], str]) -> tuple[str, str]:
    """Describe the outcome in both states from two changes; either may be missing."""
    ended, victors = told.get("ended"), told.get("victors")
    before = tell(ended.one if ended else True, victors.one if victors else "")
    return before, tell(ended.other if ended else True, victors.other if victors else "")


def _outcome_text(ended: object, victors: object) -> str:
    return won_by(*str(victors).split(", ")) if ended else "not over"


def _somebody(who: Id, changes: Sequence[Change], names: Names) -> str:
    """Return a combatant's changes as one sentence."""
    name = name_of(names, who)
    there = next((one for one in changes if one.about == "side"), None)
    if there is not None and there.one is None:
        return f"{name} is there"
    if there is not None and there.other is None:
        return f"{name} is gone"
    fate = next((one for one in changes if _is_fate(one, names)), None)
    parts = [_PEOPLE[one.about](one, names) for one in changes if one is not fate]
    if fate is None:
        return f"{name}: {', '.join(parts)}"
    said = f"{name} {becomes(names, fate.name, 1 if fate.other else 0)}"
    return f"{said}: {', '.join(parts)}" if parts else said


def _is_fate(one: Change, names: Names) -> bool:
    """Tell whether a change takes a combatant out of the fight or brings one back."""
    known = names.words.conditions.get(one.name) if one.about == "condition" else None
    return known is not None and known.role == "out"


def _condition(one: Change, names: Names) -> str:
    label = names.label("conditions", one.name)
    if isinstance(one.other, int) and one.one is None:
        return borne(names, one.name, one.other)
    return f"no longer {label}" if one.other is None else f"{label} {_arrow(one)}"


_PEOPLE: dict[str, Callable[[Change, Names], str]] = {
    "pool": lambda one, names: f"{names.label('pools', one.name)} {_arrow(one)}",
    "condition": _condition,
    "place": lambda one, names: f"at {change(*(names.place(str(value or 'none')) for value in _values(one)))}",
    "side": lambda one, _: (
        f"fights for {change(*(side_said(str(value)) if value else 'nobody' for value in _values(one)))}"
    ),
    "stat": lambda one, names: f"{names.label('stats', one.name)} {_arrow(one)}",
    "trait": lambda one, names: f"{'now' if one.other else 'no longer'} {names.label('traits', one.name)}",
}
"""The functions that tell a change of a combatant, by kind of change."""


def _something(item: Id, changes: Sequence[Change], names: Names) -> str:
    """Return a thing's changes as one sentence."""
    owner = owner_of(item)
    thing = f"{possessive(names[owner])} {name_of(names, item)}" if owner in names else name_of(names, item)
    there = next((one for one in changes if one.about == "item"), None)
    if there is not None and there.one is None:
        return f"{thing} is there"
    if there is not None and there.other is None:
        return f"{thing} is gone"
    return f"{thing}: {', '.join(_THINGS[one.about](one, names) for one in changes)}"


def _count(one: Change, names: Names) -> str:
    if isinstance(one.one, int) and isinstance(one.other, int):
        return counter_change(names, one.name, one.one, one.other)
    return f"{names.label('counters', one.name)} {_arrow(one)}"


_THINGS: dict[str, Callable[[Change, Names], str]] = {
    "item": lambda one, names: f"with {change(*(name_of(names, str(value)) for value in _values(one)))}",
    "where": lambda one, names: change(
        *(place_of_thing(names, str(value)) if value else "away" for value in _values(one))
    ),
    "die": lambda one, _: change(*(f"d{value}" if value else "destroyed" for value in _values(one))),
    "counter": _count,
}
"""The functions that tell a change of a thing, by kind of change."""

_ELSE: dict[str, Callable[[Change, Names], str]] = {
    "distance": lambda one, names: f"{_pair(one, names)} are {_arrow(one)} apart",
    "view": lambda one, names: f"{_pair(one, names)}: view {one.one or 'clear'} → {one.other or 'clear'}",
    "terrain": lambda one, names: f"{_ground(one, names)}: {_traits(one.one, names)} → {_traits(one.other, names)}",
    "relation": lambda one, names: (
        f"{names.label('relations', one.name)}: {_people(one.one, names)} → {_people(one.other, names)}"
    ),
    "clock": lambda one, names: f"clock {_name_clock(one, names)}: {_arrow(one)}",
}
"""The functions that tell any other change, by kind of change."""


def _arrow(one: Change) -> str:
    return change(*("none" if value is None or value == "" else value for value in _values(one)))


def _values(one: Change) -> tuple[object, object]:
    return one.one, one.other


def _ground(one: Change, names: Names) -> str:
    return f"{names.place(one.of)}, side {one.name}" if one.name else names.place(one.of)


def _traits(value: object, names: Names) -> str:
    return traits_said(names, value if isinstance(value, tuple) else ())


def _people(value: object, names: Names) -> str:
    return series(name_of(names, who) for who in value) if isinstance(value, tuple) else "nobody"


def _pair(one: Change, names: Names) -> str:
    return series(name_of(names, who) for who in (one.of, one.name))


def _name_clock(clock: Change, names: Names) -> str:
    said = names.label("clocks", clock.name)
    return f"{name_of(names, clock.of)}, {said}" if clock.of else said
