"""Changes that a continued fight makes to a member that was charged for it before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from msgspec.structs import replace

from affray.engine.core.state import Combatant
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.core.words import PoolWord
from affray.engine.kit.carry_over import CarriedState

V = TypeVar("V")


def with_difference(
    mine: CarriedState, then: CarriedState, now: CarriedState, whole: Combatant, words: Vocabulary
) -> CarriedState:
    """Merge a fight's later costs into a member's carry-over.

    Counters and conditions that also changed outside the fight, such as by a rest, change by the difference.

    Args:
        mine: The member's present carry-over.
        then: The carry-over after the fight when it was charged.
        now: The carry-over after the fight at its present end.
        whole: The member without anything carried over.
        words: The rules' vocabulary, with the maximum of each counter.
    """
    if mine == then:
        return now
    conditions = {**_merge(mine.conditions, then.conditions, now.conditions)}
    for name in conditions:
        counts = [one.conditions.get(name, 0) for one in (mine, then, now)]
        if all(isinstance(count, int) for count in counts):
            conditions[name] = max(0, counts[0] + counts[2] - counts[1])  # type: ignore[operator]
    return replace(
        mine,
        stats=_merge(mine.stats, then.stats, now.stats),
        pools=_move_counters(mine.pools, then.pools, now.pools, whole, words),
        conditions={name: count for name, count in conditions.items() if count},
        things=_merge(mine.things, then.things, now.things),
        marks=_merge(mine.marks, then.marks, now.marks),
        clocks=_merge(mine.clocks, then.clocks, now.clocks),
        company=_merge(mine.company, then.company, now.company),
    )


def _move_counters(
    mine: Mapping[str, int], then: Mapping[str, int], now: Mapping[str, int], whole: Combatant, words: Vocabulary
) -> dict[str, int]:
    """Return counters, each moved by what changed since, but not below zero or above its most."""
    found = {}
    for name in {**mine, **then, **now}:
        usual = whole.pools.get(name, 0)
        has, was, left = (one.get(name, usual) for one in (mine, then, now))
        moved = max(min(has, 0), has + left - was)
        most = whole.stats.get(words.pools.get(name, PoolWord()).most, moved)
        value = has if was == left else min(moved, max(has, most))
        if value != usual:
            found[name] = value
    return found


def _merge(mine: Mapping[str, V], then: Mapping[str, V], now: Mapping[str, V]) -> dict[str, V]:
    """Return a table with what another changed since."""
    found = {key: value for key, value in mine.items() if key not in then or then[key] == now.get(key)}
    found |= {key: value for key, value in now.items() if then.get(key) != value}
    return {key: found[key] for key in {**mine, **now} if key in found}
