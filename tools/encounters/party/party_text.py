"""A party as text: each member's counters, conditions and lost things."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from affray.engine.core.state import Item, State
from affray.engine.texts import name_said
from affray.events import Id
from affray.tools.present.story.words import Names, becomes

from .members import ids_of, ruleset_of, state_of, whole_of


def lines_about(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield a party, a few lines for each member."""
    ruleset = ruleset_of(content)
    state, whole, names = state_of(content), whole_of(content), Names(ruleset.name)
    names.update({item.id: item.quoted_name for item in (*whole.items.values(), *state.items.values())})
    yield f"{name_said(content.get('name', 'party'))} ({ruleset.title})"
    for who in ids_of(content):
        one = state.combatants[who]
        pools = ", ".join(_pools(state, who, names))
        yield f"  {one.quoted_name}: {pools or 'as ever'}"
        for condition, sources in one.conditions.items():
            many = sum(sources.values())
            from_what = ", ".join(source for source in sources if source)
            yield f"    {becomes(names, condition, many)}{f' ({from_what})' if from_what else ''}"
        yield from (f"    {line}" for line in _things(whole, state, who, names))
    taken = content.get("taken", [])
    if taken:
        yield f"after {', '.join(dict.fromkeys(str(one.get('fight')) for one in taken))}"


def _pools(state: State, who: Id, names: Names) -> Iterator[str]:
    one = state.combatants[who]
    for pool in one.pools:
        word = names.words.pools.get(pool)
        if word is not None and word.lasts:
            most = f"/{one.stats[word.most]}" if word.most in one.stats else ""
            yield f"{names.label('pools', pool)} {one.pools[pool]}{most}"


def otherwise(whole: Item, now: Item, names: Names) -> Iterator[str]:
    """Yield a thing's differences from its full state: ``d4 of d6``, ``left 8 of 12``."""
    if now.die != whole.die:
        yield f"d{now.die} of d{whole.base}" if now.die else "destroyed"
    for counter, value in now.counters.items():
        before = whole.counters.get(counter, 0)
        if value != before:
            said = names.label("counters", counter)
            yield f"{said} {value} of {before}" if not is_flag(counter, names) else said if value else f"not {said}"


def is_flag(counter: str, names: Names) -> bool:
    """Tell whether a counter of things is a flag, 0 or 1."""
    word = names.words.counters.get(counter)
    return word is not None and word.role == "flag"


def _things(whole: State, now: State, who: Id, names: Names) -> Iterator[str]:
    """Yield how a member's things differ from their whole state."""
    for id, item in whole.items.items():
        if item.owner != who:
            continue
        thing = now.items.get(id)
        if thing is None:
            yield f"no longer has {item.quoted_name}"
            continue
        yield from (f"{item.quoted_name}: {told}" for told in otherwise(item, thing, names))
    for id, item in now.items.items():
        if item.owner == who and id not in whole.items:
            yield f"has {item.quoted_name} besides"
