"""How well a side stands: who is still in the fight, how much health is left, and how fit they are beside that.

Who is out or helpless, and what health is, the roles of a system's words say; how fit somebody is, its ``fitness``.
"""

from __future__ import annotations

from collections import defaultdict

from affray.engine.core.ruleset import Ruleset
from affray.engine.core.table import Table
from affray.events import Id

THERE = 0.5
"""What somebody counts for who can still fight, whatever health is left; unhurt it is 1."""

DOWN = 0.15
"""What somebody counts for who is helpless and out of the fight soon, unless a friend helps."""


class Standing:
    """Judges how sides stand, beside how they stood at a moment.

    Args:
        table: The moment.
    """

    def __init__(self, ruleset: Ruleset, table: Table) -> None:
        words, people = ruleset.vocabulary, table.draft.combatants
        self._out, self._down = words.with_role("out"), words.with_role("helpless")
        self._fitness_of = ruleset.fitness
        self._fitness = {who: ruleset.fitness(table, who) for who in people}
        self._health = {
            who: {
                pool: most
                for pool, word in words.pools.items()
                if word.role == "health" and (most := max(one.pools.get(pool, 0), one.stats.get(word.most, 0)))
            }
            for who, one in people.items()
        }
        self._at_first = self._strengths(table)

    def of(self, side: str, table: Table) -> float:
        """Return how a side stands, from 0 to 1: 1 where it has won, 0.5 where both sides have kept as much.

        In between it is a side's part of the squares of what is left: twice as many are worth more than twice as much,
        since they strike twice as often and last twice as long (Lanchester, 1916).
        """
        draft = table.draft
        if draft.ended:
            return float(draft.victors == side) if draft.victors else 0.5
        left = self._strengths(table)
        own, others = 0.0, 0.0
        first_own = first_others = 0.0
        for name, strength in self._at_first.items():
            if name == side:
                own, first_own = left[name], strength
            else:
                others, first_others = others + left[name], first_others + strength
        kept, theirs = (own / (first_own or 1)) ** 2, (others / (first_others or 1)) ** 2
        return kept / (kept + theirs) if kept or theirs else 0.5

    def _strengths(self, table: Table) -> dict[str, float]:
        """Return what the fighters of each side count for together."""
        strengths: dict[str, float] = defaultdict(float)
        for who, one in table.draft.combatants.items():
            strengths[one.side] += self._strength(table, who)
        return strengths

    def _strength(self, table: Table, who: Id) -> float:
        """Return what somebody counts for: at most 1, unless they are fitter than at first."""
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
