"""The standing of a side: its combatants still fighting, their health and fitness.

The roles in a system's vocabulary say which conditions mean out or helpless, and which pools are health. The system's
``fitness`` says how fit a combatant is.
"""

from __future__ import annotations

from collections import defaultdict

from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.events import Id

THERE = 0.5
"""The value of a combatant who can still fight, with no health left. Unhurt it is 1."""

DOWN = 0.15
"""The value of a combatant who is helpless, and soon out of the fight unless helped."""


class StandingJudge:
    """Judges the standing of sides, compared with a starting point.

    Args:
        table: The starting point.
    """

    def __init__(self, ruleset: Ruleset, table: Table) -> None:
        words, people = ruleset.vocabulary, table.draft.combatants
        self._out, self._down = words.with_role("out"), words.with_role("helpless")
        self._fitness_of = ruleset.fighter.fitness
        self._fitness = {who: ruleset.fighter.fitness(table, who) for who in people}
        self._health = {
            who: {
                pool: most
                for pool, word in words.pools.items()
                if word.role == "health" and (most := max(one.pools.get(pool, 0), one.stats.get(word.most, 0)))
            }
            for who, one in people.items()
        }
        self._at_first = self._sum_strengths(table)

    def judge(self, side: str, table: Table) -> float:
        """Return the standing of a side, from 0 to 1.

        1 means that it has won. 0.5 means that both sides have kept the same part of their strength. In between it is
        the side's share of the squares of the
        strengths kept. Twice the number is worth more than double, since they strike twice as often and last twice as
        long (Lanchester, 1916).
        """
        draft = table.draft
        if draft.ended:
            return float(draft.victors == side) if draft.victors else 0.5
        left = self._sum_strengths(table)
        own, others = 0.0, 0.0
        first_own = first_others = 0.0
        for name, strength in self._at_first.items():
            if name == side:
                own, first_own = left[name], strength
            else:
                others, first_others = others + left[name], first_others + strength
        kept, theirs = (own / (first_own or 1)) ** 2, (others / (first_others or 1)) ** 2
        return kept / (kept + theirs) if kept or theirs else 0.5

    def _sum_strengths(self, table: Table) -> dict[str, float]:
        """Return the total strength of each side's fighters."""
        strengths: dict[str, float] = defaultdict(float)
        for who, one in table.draft.combatants.items():
            strengths[one.side] += self._measure_strength(table, who)
        return strengths

    def _measure_strength(self, table: Table, who: Id) -> float:
        """Return the strength of a combatant: at most 1, unless its fitness has grown."""
        one, whole = table.draft.combatants[who], self._health.get(who, {})
        if not self._out.isdisjoint(one.conditions):
            return 0.0
        parts = [min(1.0, one.pools.get(pool, 0) / most) for pool, most in whole.items()]
        part = sum(parts) / len(parts) if parts else 1.0
        if not self._down.isdisjoint(one.conditions):
            return DOWN * (1 + part)
        at_first = self._fitness.get(who)
        fitness = self._fitness_of(table, who) / at_first if at_first else 1.0
        return (THERE + (1 - THERE) * part) * (1 + fitness) / 2
