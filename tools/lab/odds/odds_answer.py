"""Odds for programs, made from trials."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from affray.engine.analysis.odds import (
    LastingNumber,
    Plan,
    PlanComparison,
    Sample,
    Tally,
    estimate_share,
    find_counted_mean,
    find_counted_quantile,
    read_lasting_number,
)
from affray.engine.analysis.odds import ShareEstimate as Counted
from affray.engine.core.state import State
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.fight import Fight
from affray.events import Id
from affray.tools.api.schemas.odds import Affliction, Odds, Range, Remaining, Share, Thing


def tally_for_machines(fight: Fight, plan: Plan, found: Sample) -> Odds:
    """Build the forecast of a fight from a plan's starting point."""
    tally, state, before = found.tally, fight.state_at(plan.moment.position), plan.moment.state
    sides = {one.side for one in state.combatants.values()}
    return Odds(
        position=plan.moment.position,
        round=state.round,
        trials=tally.trials,
        enough=found.enough,
        policy=plan.policy,
        seed=plan.seed,
        wins={side: share_of(tally.wins[side], tally.trials) for side in sorted({*tally.wins, *sides})},
        unended=share_of(tally.unended, tally.trials),
        why_not=dict(sorted(tally.why_not.items())),
        rounds=measure_range(tally.rounds),
        falls={who: share_of(tally.fallen[who], tally.trials) for who in state.combatants},
        pools={
            who: {
                pool: Remaining(now, *_spread(tally.pools[who, pool]))
                for pool, now in one.pools.items()
                if (who, pool) in tally.pools
            }
            for who, one in state.combatants.items()
        },
        conditions=afflictions_for_machines(before, state, tally),
        things=things_for_machines(before, state, tally, fight.ruleset.vocabulary),
    )


def afflictions_for_machines(before: State, now: State, tally: Tally) -> dict[Id, dict[str, Affliction]]:
    """List the lasting conditions that some trials give or remove, by combatant.

    Args:
        before: The state at the start of the trials.
        now: The state that the forecast was requested for. It may lie within a command; the trials repeat that command.
    """
    found: dict[Id, dict[str, Affliction]] = {}
    for cost in sorted(one for one in tally.costs if one.kind == "condition"):
        left = tally.cost(cost, read_lasting_number(before, cost))
        many = share_of(tally.trials - left[0], tally.trials)
        found.setdefault(cost.of, {})[cost.name] = Affliction(
            now=read_lasting_number(now, cost), share=many, mean=find_counted_mean(left)
        )
    return found


def things_for_machines(before: State, now: State, tally: Tally, words: Vocabulary) -> dict[Id, Thing]:
    """Return the fates of things that the trials change; arguments as above."""
    lasting, found = words.lasting("counters"), {}
    for id in sorted({one.of for one in tally.costs if one.kind != "condition"}):
        item, gone = before.items[id], LastingNumber("gone", id)
        counters = {name: _remaining(LastingNumber("counter", id, name), before, now, tally) for name in item.counters}
        die = _remaining(LastingNumber("die", id), before, now, tally) if item.die else None
        away = tally.cost(LastingNumber("die", id), item.die)[0]
        found[id] = Thing(
            owner=item.owner,
            gone=share_of(tally.cost(gone, 0)[1], tally.trials),
            destroyed=share_of(away, tally.trials) if item.die else None,
            die=die,
            counters={name: one for name, one in counters.items() if name in lasting},
        )
    return found


def _remaining(cost: LastingNumber, before: State, now: State, tally: Tally) -> Remaining:
    return Remaining(read_lasting_number(now, cost), *_spread(tally.cost(cost, read_lasting_number(before, cost))))


def share_of(count: int, of: int) -> Share:
    """Return a share of the trials as machines read it."""
    return _share_of(estimate_share(count, of))


def measure_range(counted: Counter[int]) -> Range:
    """Return the range of numbers that are counted."""
    return Range(*_spread(counted))


def _share_of(one: Counted) -> Share:
    return Share(one.value, one.low, one.high, one.count)


def _spread(counted: Counter[int]) -> tuple[float, int, int, int]:
    return (
        find_counted_mean(counted),
        find_counted_quantile(counted, 0.1),
        find_counted_quantile(counted, 0.5),
        find_counted_quantile(counted, 0.9),
    )


def comparison_for_machines(plan: Plan, ifs: Sequence[str], found: PlanComparison) -> dict[str, Any]:
    """Return a comparison as JSON objects; differences are to the best, ``cut`` as in ``PlanDifference``."""
    chances = [found.chance(nth) for nth in range(len(ifs))]
    best = max(range(len(ifs)), key=lambda nth: chances[nth].value)
    rows = []
    for nth, words in enumerate(ifs):
        less = found.difference(nth, best)
        row = {"if": words, **msgspec.to_builtins(_share_of(chances[nth]))}
        row |= {"difference": less.value, "low_difference": less.low, "high_difference": less.high, "cut": less.cut}
        rows.append(row)
    return {
        "position": plan.moment.position,
        "side": found.side,
        "trials": len(found.won[0]),
        "enough": found.enough,
        "policy": plan.policy,
        "seed": plan.seed,
        "best": ifs[best],
        "ifs": rows,
    }
