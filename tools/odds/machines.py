"""Odds for machines: every chance is from 0 to 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from affray.engine.analysis.odds import Compared, Plan, Sampled, mean, quantile, share
from affray.engine.analysis.odds import Share as Counted
from affray.engine.fight import Fight
from affray.events import Id


class Share(Struct, frozen=True):
    """A share of the trials, the ends of its 95 % interval, and how many of the trials it is."""

    share: float
    low: float
    high: float
    count: int


class Range(Struct, frozen=True):
    """A mean, and what a tenth, half and nine tenths of the trials do not exceed."""

    mean: float
    p10: int
    p50: int
    p90: int


class Remaining(Struct, frozen=True):
    """What is in a pool now, and what is left in it at the end."""

    now: int
    mean: float
    p10: int
    p50: int
    p90: int


class Odds(Struct, frozen=True, kw_only=True):
    """How a fight is going to end.

    Attributes:
        position, round: From where on.
        trials: How many fights that was counted from.
        enough: Whether it is as certain as was wanted.
        policy: How everybody fought.
        seed: The word that the dice of the trials follow from.
        wins: How likely each side wins.
        unended: How likely it goes on for longer than a trial may.
        rounds: In which round it ends.
        falls: How likely each combatant is out of the fight in the end.
        pools: What everybody has left, by combatant and pool.
    """

    position: int
    round: int
    trials: int
    enough: bool
    policy: str
    seed: str
    wins: dict[str, Share]
    unended: Share
    rounds: Range
    falls: dict[Id, Share]
    pools: dict[Id, dict[str, Remaining]]


def tally_for_machines(fight: Fight, plan: Plan, found: Sampled) -> Odds:
    """Return what is known of a fight from the moment of a plan on."""
    tally, state = found.tally, fight.state_at(plan.moment.position)
    sides = {one.side for one in state.combatants.values()}
    return Odds(
        position=plan.moment.position,
        round=state.round,
        trials=tally.trials,
        enough=found.enough,
        policy=plan.policy,
        seed=plan.seed,
        wins={side: _told(tally.chance(side)) for side in sorted({*tally.wins, *sides})},
        unended=_told(share(tally.unended, tally.trials)),
        rounds=Range(*_spread(tally.rounds)),
        falls={who: _told(share(tally.fallen[who], tally.trials)) for who in state.combatants},
        pools={
            who: {
                pool: Remaining(now, *_spread(tally.pools[who, pool]))
                for pool, now in one.pools.items()
                if (who, pool) in tally.pools
            }
            for who, one in state.combatants.items()
        },
    )


def _told(one: Counted) -> Share:
    """Return a share as machines read it."""
    return Share(one.value, one.low, one.high, one.count)


def _spread(counted: Counter[int]) -> tuple[float, int, int, int]:
    return mean(counted), quantile(counted, 0.1), quantile(counted, 0.5), quantile(counted, 0.9)


def comparison_for_machines(plan: Plan, ifs: Sequence[str], found: Compared) -> dict[str, Any]:
    """Return a comparison as JSON objects; differences are to the best, ``cut`` as in ``Difference``."""
    chances = [found.chance(nth) for nth in range(len(ifs))]
    best = max(range(len(ifs)), key=lambda nth: chances[nth].value)
    rows = []
    for nth, words in enumerate(ifs):
        less = found.difference(nth, best)
        row = {"if": words, **msgspec.to_builtins(_told(chances[nth]))}
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
