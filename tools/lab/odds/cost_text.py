"""Costs of a fight in words: of each combatant, and of a side on average."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator

from affray.engine.analysis.odds import LastingNumber, Tally, estimate_share, find_counted_mean, read_lasting_number
from affray.engine.core.state import Combatant, Item, State
from affray.engine.core.words import CounterWord, PoolWord
from affray.events import Id
from affray.tools.present.story.words import Names, capital

from .chance_text import format_share, spread, wrap_parts

RARE = 0.02
"""An outcome in a smaller share of the trials is left out of the text."""

LITTLE = 0.05
"""A smaller change of a mean is left out of the text."""


def people_said(people: Collection[Id], before: State, now: State, tally: Tally, names: Names) -> Iterator[str]:
    """Yield the lines of each combatant: chance to fall, pools, items, conditions.

    Args:
        before: State at the start of the trials.
        now: State at the requested moment. It may be within a command, which the trials repeat from its start.
    """
    wide = max((len(names.get(who, who)) for who in people), default=0)
    for who in people:
        words = names.words.conditions
        out = [one for one in now.combatants[who].conditions if one in words and words[one].role == "out"]
        falls = f"falls in {format_share(estimate_share(tally.fallen[who], tally.trials))}"
        fate = f"out of the fight: {', '.join(names.label('conditions', one) for one in out)}" if out else falls
        yield f"  {capital(names.get(who, who)):<{wide}}  {fate}"
        pools = dict(_pools(now.combatants[who], tally, names))
        suffered = [text for pool, text in pools.items() if _pool(names, pool).rises]
        told = {
            "left": [text for text in pools.values() if text not in suffered]
            + _amounts(who, before, now, tally, names),
            "worn": _worn_items(who, before, tally, names),
            "then": suffered + _final_conditions(who, before, tally, names),
        }
        indent = " " * (wide + 4)
        for head, parts in told.items():
            yield from wrap_parts(f"{indent}{head}: ", parts, ";", f"{indent}      ") if parts else ()


def _pools(one: Combatant, tally: Tally, names: Names) -> Iterator[tuple[str, str]]:
    """Yield the lasting pools of a combatant that change, with text."""
    for pool, had in one.pools.items():
        left = tally.pools.get((one.id, pool), Counter())
        if _pool(names, pool).lasts and set(left) - {had}:
            yield pool, f"{names.label('pools', pool)} {spread(left)} (now {had})"


def _amounts(who: Id, before: State, now: State, tally: Tally, names: Names) -> list[str]:
    """Describe what is left of items that are counted, such as arrows."""
    counters = [one for one in _of(who, before, tally) if one.kind == "counter" and _word(names, one).role == "amount"]
    return [
        f"{before.items[cost.of].quoted_name}: {spread(tally.cost(cost, read_lasting_number(before, cost)))}"
        f" (now {read_lasting_number(now, cost)})"
        for cost in counters
    ]


def _worn_items(who: Id, before: State, tally: Tally, names: Names) -> list[str]:
    """Describe the items that are worn, broken or gone, with how often."""
    found: dict[str, list[str]] = defaultdict(list)
    for cost in _of(who, before, tally):
        if cost.kind == "condition":
            continue
        had, things = read_lasting_number(before, cost), found[before.items[cost.of].quoted_name]
        left = tally.cost(cost, had)
        if cost.kind == "gone":
            things += _often(left, 1, "gone")
        elif cost.kind == "die":
            things += _often(left, 0, "destroyed")
            smaller = sum(many for size, many in left.items() if 0 < size < had)
            things += _often(Counter({1: smaller, 0: left.total() - smaller}), 1, f"smaller than d{had}")
        elif _word(names, cost).role == "flag":
            label = names.label("counters", cost.name)
            things += _often(left, 1, label) if not had else _often(left, 0, f"no longer {label}")
        elif _word(names, cost).role == "number":
            things.append(f"{names.label('counters', cost.name)} {spread(left)} (now {had})")
    return [f"{thing} {', '.join(parts)}" for thing, parts in found.items() if parts]


def _often(counted: Counter[int], value: int, says: str) -> list[str]:
    """Describe how often a number reaches a value, unless that is rare."""
    part = counted[value] / counted.total()
    return [f"{says} in {part * 100:.0f} %"] if part >= RARE else []


def _final_conditions(who: Id, before: State, tally: Tally, names: Names) -> list[str]:
    """Describe the conditions of a combatant at the end, the likeliest first."""
    found = []
    for cost in _of(who, before, tally):
        if cost.kind == "condition":
            had = read_lasting_number(before, cost)
            left, label = tally.cost(cost, had), names.label("conditions", cost.name)
            found.append((1 - left[0] / left.total(), f"{label}{' as now' if had else ''}"))
    return [f"{says} in {part * 100:.0f} %" for part, says in sorted(found, reverse=True) if part >= RARE]


def costs_of_side(members: Collection[Id], before: State, tally: Tally, names: Names) -> list[str]:
    """Return the average costs of a side: ``arrow: 24 → 17.3``, ``0.8 injured``.

    Health is left out.
    """
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0])
    counts: dict[str, float] = defaultdict(float)
    for who in members:
        for pool, had in before.combatants[who].pools.items():
            if _is_a_cost(_pool(names, pool)) and (who, pool) in tally.pools:
                _sum(sums, names.label("pools", pool), had, find_counted_mean(tally.pools[who, pool]))
        for item in before.items.values():
            if item.owner == who:
                _sum_counters(sums, item, before, tally, names)
        for cost in _of(who, before, tally):
            _count(counts, cost, before, tally, names)
    moved = [f"{what}: {had:g} → {left:.1f}" for what, (had, left) in sums.items() if abs(left - had) >= LITTLE]
    told = sorted(counts.items(), key=lambda one: -one[1])
    return moved + [f"{many:.1f} {what}" for what, many in told if many >= LITTLE] or ["nothing that lasts"]


def _sum(sums: dict[str, list[float]], what: str, had: float, left: float) -> None:
    """Add the numbers before and after to the sums of a kind."""
    sums[what][0] += had
    sums[what][1] += left


def _sum_counters(sums: dict[str, list[float]], item: Item, before: State, tally: Tally, names: Names) -> None:
    """Add the counters of an item.

    The amount of an item is added under the item's name, other counters under their own.
    """
    for name, had in item.counters.items():
        cost = LastingNumber("counter", item.id, name)
        role = _word(names, cost).role
        if _word(names, cost).lasts and role != "flag":
            what = item.quoted_name if role == "amount" else names.label("counters", name)
            _sum(sums, what, had, find_counted_mean(tally.cost(cost, had)))


def _count(counts: dict[str, float], cost: LastingNumber, before: State, tally: Tally, names: Names) -> None:
    """Count combatants and items with a new condition, loss or flag."""
    had = read_lasting_number(before, cost)
    left = tally.cost(cost, had)
    if cost.kind == "condition" and not had:
        counts[names.label("conditions", cost.name)] += 1 - left[0] / tally.trials
    elif cost.kind == "gone":
        counts[f"{before.items[cost.of].quoted_name} gone"] += left[1] / tally.trials
    elif cost.kind == "die":
        counts["things destroyed"] += left[0] / tally.trials
        counts["dice smaller"] += sum(many for size, many in left.items() if 0 < size < had) / tally.trials
    elif cost.kind == "counter" and not had and _word(names, cost).role == "flag":
        counts[f"things {names.label('counters', cost.name)}"] += left[1] / tally.trials


def _of(who: Id, before: State, tally: Tally) -> Iterable[LastingNumber]:
    """Return the costs of a combatant and of its items, in joining order."""
    theirs = {item.id: nth for nth, item in enumerate(before.items.values()) if item.owner == who}
    found = [cost for cost in tally.costs if cost.of == who or cost.of in theirs]
    return sorted(found, key=lambda cost: (theirs.get(cost.of, -1), cost))


def _is_a_cost(pool: PoolWord) -> bool:
    """Tell whether a pool outlasts a fight and is not the remaining health."""
    return pool.lasts and (pool.role != "health" or pool.rises)


def _pool(names: Names, pool: str) -> PoolWord:
    """Return the vocabulary of a pool."""
    return names.words.pools.get(pool, PoolWord())


def _word(names: Names, cost: LastingNumber) -> CounterWord:
    """Return the vocabulary of a counter."""
    return names.words.counters.get(cost.name, CounterWord())
