"""How two ends of a fight differ, in a game master's words: each line from the first one to the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from affray.engine.analysis.diff import Change
from affray.events import Id

from .story import BUDGETS
from .words import Names, called, capital, change, counted, owns, said, series

FINAL = "dead"
"""The condition that is told before all others."""


def differences(changes: Sequence[Change], names: Names) -> list[str]:
    """Return in sentences how two states differ; who may still act how often is left out.

    Args:
        changes: From one state to the other.
        names: Of everybody and everything in either.
    """
    lines = [*_fight([one for one in changes if one.about in ("fight", "order")], names)]
    people = [one for one in changes if one.about in _PEOPLE and one.name not in BUDGETS]
    for who in dict.fromkeys(one.of for one in people):
        lines.append(_somebody(who, [one for one in people if one.of == who], names))
    things = [one for one in changes if one.about in _THINGS]
    for item in dict.fromkeys(one.of for one in things):
        lines.append(_something(item, [one for one in things if one.of == item], names))
    lines += [_ELSE[one.about](one, names) for one in changes if one.about in _ELSE]
    return [capital(line) for line in lines]


def _fight(changes: Iterable[Change], names: Names) -> Iterator[str]:
    """Tell who wins and how far it goes; whose turn it is only where nobody has won."""
    told = {one.name or one.about: one for one in changes}
    if "victors" in told or "ended" in told:
        yield f"the end: {change(*_both(told, _won))}"
    if "round" in told:
        yield f"round {change(told['round'].one, told['round'].other)}"
    if "ended" not in told:
        if "up" in told:
            yield f"whose turn it is: {change(*(_people(value, names) for value in _values(told['up'])))}"
        if "phase" in told:
            yield f"phase: {change(*(said(str(value)) for value in _values(told['phase'])))}"
    if "order" in told:
        yield f"turn order: {change(*(_people(value, names) for value in _values(told['order'])))}"


def _both(told: dict[str, Change], tell: Callable[[object, object], str]) -> tuple[str, str]:
    """Tell of both states from two changes, of which one may be missing for being none."""
    ended, victors = told.get("ended"), told.get("victors")
    return (
        tell(ended.one if ended else True, victors.one if victors else ""),
        tell(ended.other if ended else True, victors.other if victors else ""),
    )


def _won(ended: object, victors: object) -> str:
    return (f"the {victors} win" if victors else "nobody wins") if ended else "not over"


def _somebody(who: Id, changes: Sequence[Change], names: Names) -> str:
    """Return what became of a combatant in one sentence."""
    name = called(names, who)
    there = next((one for one in changes if one.about == "side"), None)
    if there is not None and there.one is None:
        return f"{name} is there"
    if there is not None and there.other is None:
        return f"{name} is gone"
    final = next((one for one in changes if one.about == "condition" and one.name == FINAL), None)
    parts = [_PEOPLE[one.about](one) for one in changes if one is not final]
    if final is None:
        return f"{name}: {', '.join(parts)}"
    fate = f"{name} is dead" if final.other else f"{name} lives; it was dead"
    return f"{fate}: {', '.join(parts)}" if parts else fate


def _pool(one: Change) -> str:
    return f"{said(one.name)} {_arrow(one)}"


def _condition(one: Change) -> str:
    if one.one is None:
        return f"{said(one.name)}{'' if one.other == 1 else f' {one.other}'}"
    return f"no longer {said(one.name)}" if one.other is None else _pool(one)


def _trait(one: Change) -> str:
    return f"{'now' if one.other else 'no longer'} {said(one.name)}"


_PEOPLE: dict[str, Callable[[Change], str]] = {
    "pool": _pool,
    "condition": _condition,
    "place": lambda one: f"at {_arrow(one)}",
    "side": lambda one: f"fights for the {_arrow(one)}",
    "stat": _pool,
    "trait": _trait,
}
"""Per kind of change how it is said of a combatant."""


def _something(item: Id, changes: Sequence[Change], names: Names) -> str:
    """Return what became of a thing in one sentence."""
    owner = item.partition(".")[0]
    thing = f"{owns(names[owner])} {called(names, item)}" if owner in names else called(names, item)
    there = next((one for one in changes if one.about == "item"), None)
    if there is not None and there.one is None:
        return f"{thing} is there"
    if there is not None and there.other is None:
        return f"{thing} is gone"
    return f"{thing}: {', '.join(_THINGS[one.about](one, names) for one in changes)}"


def _count(one: Change, _: Names) -> str:
    if isinstance(one.one, int) and isinstance(one.other, int):
        return counted(one.name, one.one, one.other)
    return f"{said(one.name)} {_arrow(one)}"


_THINGS: dict[str, Callable[[Change, Names], str]] = {
    "item": lambda one, names: f"with {change(*(called(names, str(value)) for value in _values(one)))}",
    "where": lambda one, _: change(*(value or "away" for value in _values(one))),
    "die": lambda one, _: change(*(f"d{value}" if value else "destroyed" for value in _values(one))),
    "counter": _count,
}
"""Per kind of change how it is said of a thing."""

_ELSE: dict[str, Callable[[Change, Names], str]] = {
    "distance": lambda one, names: f"{_pair(one.of, '|', names)} are {_arrow(one)} apart",
    "view": lambda one, names: f"{_pair(one.of, '>', names)}: view {one.one or 'clear'} → {one.other or 'clear'}",
    "terrain": lambda one, names: f"{one.of}: {_words(one.one) or 'ordinary'} → {_words(one.other) or 'ordinary'}",
    "relation": lambda one, names: f"{said(one.name)}: {_people(one.one, names)} → {_people(one.other, names)}",
    "clock": lambda one, names: f"clock {said(one.of)}: {_arrow(one)}",
}
"""Per kind of change how it is said of anything else."""


def _arrow(one: Change) -> str:
    return change(*("none" if value is None or value == "" else value for value in _values(one)))


def _values(one: Change) -> tuple[object, object]:
    return one.one, one.other


def _words(value: object) -> str:
    return series(map(said, value)) if isinstance(value, tuple) and value else ""


def _people(value: object, names: Names) -> str:
    return series(called(names, who) for who in value) if isinstance(value, tuple) else "nobody"


def _pair(pair: str, mark: str, names: Names) -> str:
    return series(called(names, who) for who in pair.split(mark))


__all__ = ["differences"]
