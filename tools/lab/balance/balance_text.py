"""Text and JSON of the balance of an encounter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from affray.engine.analysis.odds import Precision, ShareEstimate, Tally, find_counted_mean
from affray.engine.core.state import State
from affray.engine.core.vocabulary import Vocabulary
from affray.tools.lab.odds.chance_text import stopped_early, why_not, wrap_parts
from affray.tools.lab.odds.cost_text import costs_of_side, people_said
from affray.tools.lab.odds.odds_answer import afflictions_for_machines, measure_range, share_of, things_for_machines
from affray.tools.present.story.words import Names, side_said

LONG = 30
"""Length of the longest bar, in columns."""


class VariantRow(NamedTuple):
    """A variant: its changes, the side, the state at the start, names, and its trials."""

    changed: tuple[tuple[str, Any], ...]
    side: str
    before: State
    names: Names
    tally: Tally
    enough: bool

    @property
    def name(self) -> str:
        """Name of the variant: its changes."""
        return ", ".join(f"{path}={value}" for path, value in self.changed) or "as it is"

    @property
    def chance(self) -> ShareEstimate:
        """Chance of the side to win."""
        return self.tally.chance(self.side)

    @property
    def members(self) -> list[str]:
        """Combatants of the side."""
        return [one.id for one in self.before.combatants.values() if one.side == self.side]

    @property
    def fallen(self) -> float:
        """Average number of combatants of the side that fall."""
        return sum(self.tally.fallen[who] for who in self.members) / self.tally.trials

    def left(self, pools: frozenset[str]) -> float | None:
        """Return the average share of pools that the side keeps; None if it had none."""
        people = self.before.combatants
        had = {
            (who, pool): people[who].pools[pool] for who in self.members for pool in pools & people[who].pools.keys()
        }
        if not sum(had.values()):
            return None
        return sum(find_counted_mean(self.tally.pools[key]) for key in had if key in self.tally.pools) / sum(
            had.values()
        )


class Found(NamedTuple):
    """The result for an encounter.

    Attributes:
        rows: Result of each variant that was tried.
        wanted: Precision that was asked for.
        aim: Chance that is aimed at, in per cent.
        untried: Number of variants that were not tried.
        interrupted: Whether the user interrupted the trials.
    """

    rows: list[VariantRow]
    wanted: Precision
    aim: float | None
    untried: int
    interrupted: bool

    @property
    def nearest(self) -> VariantRow | None:
        """The variant with the chance nearest to the aim; the first of equals."""
        if self.aim is None:
            return None
        aim = self.aim / 100
        return min(self.rows, key=lambda row: abs(row.chance.value - aim))


def found_said(found: Found) -> Iterator[str]:
    """Yield the lines of the result.

    Each variant has a line with chance, interval, rounds, falls and health left. The costs follow.
    """
    rows, aim, side = found.rows, found.aim, found.rows[0].side
    wide = max(len(row.name) for row in rows)
    yield f"The chance of {side_said(side)} to win"
    yield ""
    yield f"  {'':<{wide}}   wins  interval       rounds  falls of {len(rows[0].members)}  health left  fights"
    for row in rows:
        yield f"  {row.name:<{wide}}  {_row(row)}"
    if len(rows) > 1:
        yield ""
        yield from (f"  {row.name:<{wide}}  {_bar(row, aim)}" for row in rows)
    yield ""
    yield from _costs(rows, wide)
    if found.nearest is not None:
        yield ""
        yield f"Nearest to {aim:g} %: {found.nearest.name}, with {found.nearest.chance.value * 100:.0f} %"
    if any(row.tally.unended for row in rows):
        yield ""
        yield from _unended_lines(rows)
    yield ""
    yield from _unsure(found)
    same = " All variants meet the same dice." if len(rows) > 1 else ""
    yield f"Intervals hold the true chance in 95 of 100 cases (Wilson).{same}"


def _row(row: VariantRow) -> str:
    """Format the numbers of a variant."""
    chance = row.chance
    left = row.left(_health(row.names.words))
    rounds = f"{find_counted_mean(row.tally.rounds):.1f}"
    kept = "–" if left is None else f"{left * 100:.0f} %"
    interval = f"{chance.low * 100:.0f} to {chance.high * 100:.0f} %"
    many = f"{row.tally.trials:,}"
    return f"{chance.value * 100:>5.0f} %  {interval:<13} {rounds:>6}  {row.fallen:>10.1f}  {kept:>11}  {many:>6}"


def _health(words: Vocabulary) -> frozenset[str]:
    """Return the pools with the role of health, without those that rise."""
    return frozenset(name for name in words.with_role("health") & words.pools.keys() if not words.pools[name].rises)


def _bar(row: VariantRow, aim: float | None) -> str:
    """Draw a chance as a bar, with a mark at the aim."""
    long = round(row.chance.value * LONG)
    cells = list("█" * long + "·" * (LONG - long))
    if aim is not None:
        cells[min(LONG - 1, round(aim / 100 * LONG))] = "│"
    return "".join(cells)


def _costs(rows: Sequence[VariantRow], wide: int) -> Iterator[str]:
    """Yield the costs: of each combatant for one variant, of the side for several."""
    if len(rows) == 1:
        row = rows[0]
        yield from people_said(row.members, row.before, row.before, row.tally, row.names)
        return
    yield f"What it costs {side_said(rows[0].side)} on average"
    yield ""
    for row in rows:
        says = costs_of_side(row.members, row.before, row.tally, row.names)
        yield from wrap_parts(f"  {row.name:<{wide}}  ", says, ",", " " * (wide + 4))


def _unended_lines(rows: Sequence[VariantRow]) -> Iterator[str]:
    """Yield a line for each variant and reason why fights did not end."""
    for row in rows:
        for why, count in sorted(row.tally.why_not.items()):
            yield f"{row.name}: {count:,} of {row.tally.trials:,} fights {why_not(why)}"


def _unsure(found: Found) -> Iterator[str]:
    """Yield the results with less precision than requested."""
    widest = max((row.tally.widest for row in found.rows if not row.enough), default=0.0)
    if widest:
        yield stopped_early(widest, found.wanted, interrupted=found.interrupted)
    if found.untried:
        yield f"{found.untried} more {'variants were' if found.untried > 1 else 'variant was'} not tried."


def found_for_machines(found: Found, policy: str, seed: str) -> dict[str, Any]:
    """Build the JSON answer; chances are from 0 to 1."""
    known: dict[str, Any] = {
        "side": found.rows[0].side,
        "policy": policy,
        "seed": seed,
        "variants": [_for_machines(row) for row in found.rows],
        "untried": found.untried,
    }
    if found.aim is None or found.nearest is None:
        return known
    return known | {"aim": found.aim / 100, "nearest": found.rows.index(found.nearest)}


def _for_machines(row: VariantRow) -> dict[str, Any]:
    """Build the JSON form of a variant."""
    people, tally = row.before.combatants, row.tally
    return {
        "changed": dict(row.changed),
        "trials": tally.trials,
        "enough": row.enough,
        "wins": msgspec.to_builtins(share_of(tally.wins[row.side], tally.trials)),
        "unended": tally.unended,
        "why_not": dict(sorted(tally.why_not.items())),
        "rounds": msgspec.to_builtins(measure_range(tally.rounds)),
        "falls": {who: tally.fallen[who] / tally.trials for who in people},
        "pools": {
            who: {
                pool: {"had": had, "mean": find_counted_mean(tally.pools[who, pool])}
                for pool, had in one.pools.items()
                if (who, pool) in tally.pools
            }
            for who, one in people.items()
        },
        "conditions": msgspec.to_builtins(afflictions_for_machines(row.before, row.before, tally)),
        "things": msgspec.to_builtins(things_for_machines(row.before, row.before, tally, row.names.words)),
    }
