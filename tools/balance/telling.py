"""How the balance of an encounter is told: a table with a bar a variant, and for machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from affray.engine.analysis.odds import Tally, mean, quantile
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.fight import Fight

WIDE = 30
"""The longest bar in columns."""


class Row(NamedTuple):
    """What became of a variant: what it changes, for whom, from where, and the trials."""

    changed: tuple[tuple[str, Any], ...]
    side: str
    fight: Fight
    tally: Tally
    enough: bool

    @property
    def members(self) -> list[str]:
        """Who is on the side."""
        return [one.id for one in self.fight.state.combatants.values() if one.side == self.side]

    @property
    def fallen(self) -> float:
        """How many of the side are out of the fight on average."""
        return sum(self.tally.fallen[who] for who in self.members) / self.tally.trials if self.tally.trials else 0.0

    def left(self, pools: frozenset[str]) -> float | None:
        """Which part of some pools of the side is left on average; nothing where it had none."""
        people = self.fight.state.combatants
        had = {
            (who, pool): people[who].pools[pool] for who in self.members for pool in pools & people[who].pools.keys()
        }
        if not sum(had.values()):
            return None
        return sum(mean(self.tally.pools[key]) for key in had if key in self.tally.pools) / sum(had.values())


def rows_said(rows: Sequence[Row], words: Vocabulary, aim: float | None) -> Iterator[str]:
    """Yield a line a variant: the chance to win, with its interval, rounds, who falls, what is left."""
    side = rows[0].side
    named = [_named(row) for row in rows]
    wide = max(map(len, named))
    health = words.with_role("health")
    yield f"The chance of {side} to win"
    yield ""
    yield f"  {'':<{wide}}   wins  interval       rounds  falls of {len(rows[0].members)}  health left  fights"
    for row, name in zip(rows, named, strict=True):
        yield f"  {name:<{wide}}  {_row(row, health)}"
    if len(rows) > 1:
        yield ""
        yield from (f"  {name:<{wide}}  {_bar(row, aim)}" for row, name in zip(rows, named, strict=True))
    if aim is not None:
        best = nearest(rows, aim)
        yield ""
        yield f"Nearest to {aim:g} %: {_named(rows[best])}, with {rows[best].tally.chance(side).value * 100:.0f} %"
    if any(row.tally.unended for row in rows):
        yield ""
        yield from _unended(rows, named)
    yield ""
    yield "Intervals hold the true chance in 95 of 100 cases (Wilson). All variants meet the same dice."


def _named(row: Row) -> str:
    return ", ".join(f"{path}={value}" for path, value in row.changed) or "as it is"


def _row(row: Row, health: frozenset[str]) -> str:
    chance = row.tally.chance(row.side)
    left = row.left(health)
    rounds = f"{mean(row.tally.rounds):.1f}"
    kept = "–" if left is None else f"{left * 100:.0f} %"
    interval = f"{chance.low * 100:.0f} to {chance.high * 100:.0f} %"
    many = f"{row.tally.trials:,}"
    return f"{chance.value * 100:>5.0f} %  {interval:<13} {rounds:>6}  {row.fallen:>10.1f}  {kept:>11}  {many:>6}"


def _bar(row: Row, aim: float | None) -> str:
    """Return the chance as a bar, with a mark where it is wished to be."""
    long = round(row.tally.chance(row.side).value * WIDE)
    cells = list("█" * long + "·" * (WIDE - long))
    if aim is not None:
        cells[min(WIDE - 1, round(aim / 100 * WIDE))] = "│"
    return "".join(cells)


def _unended(rows: Sequence[Row], named: Sequence[str]) -> Iterator[str]:
    """Yield of which variants some fights did not end."""
    for row, name in zip(rows, named, strict=True):
        if row.tally.unended:
            yield f"{name}: {row.tally.unended:,} of {row.tally.trials:,} fights did not end; nobody could win them"


def nearest(rows: Sequence[Row], aim: float) -> int:
    """Return which variant comes nearest to a chance in per cent, the first of equals."""
    return min(range(len(rows)), key=lambda nth: abs(rows[nth].tally.chance(rows[nth].side).value * 100 - aim))


def rows_for_machines(rows: Sequence[Row], policy: str, seed: str, aim: float | None) -> dict[str, Any]:
    """Return what is known as JSON objects; chances are from 0 to 1."""
    found: dict[str, Any] = {
        "side": rows[0].side,
        "policy": policy,
        "seed": seed,
        "variants": [_for_machines(row) for row in rows],
    }
    return found if aim is None else found | {"aim": aim / 100, "nearest": nearest(rows, aim)}


def _for_machines(row: Row) -> dict[str, Any]:
    chance, people = row.tally.chance(row.side), row.fight.state.combatants
    return {
        "changed": dict(row.changed),
        "trials": row.tally.trials,
        "enough": row.enough,
        "wins": {"share": chance.value, "low": chance.low, "high": chance.high, "count": chance.count},
        "unended": row.tally.unended,
        "rounds": {
            "mean": mean(row.tally.rounds),
            "p10": quantile(row.tally.rounds, 0.1),
            "p90": quantile(row.tally.rounds, 0.9),
        },
        "falls": {who: row.tally.fallen[who] / row.tally.trials for who in people},
        "pools": {
            who: {
                pool: {"had": had, "mean": mean(row.tally.pools[who, pool])} for pool, had in people[who].pools.items()
            }
            for who in people
        },
    }
