"""Wounds, and who falls by them (WYR-060 to WYR-066)."""

from __future__ import annotations

from affray.engine.core.changes import condition_set, pool_moved
from affray.engine.core.effects import Go, Rule
from affray.engine.core.table import Table
from affray.events import Clause, Id, Judged, MemberDone, Rolled

from . import melee, morale
from .sheet import ability
from .sizes import smaller
from .throwing import stepped


def wounded(table: Table, who: Id, remaining: int, power: Rolled, rule: Clause) -> Rule[None]:
    """Read the Power die against what remains: above it the wound is incidental, a tie is bad (WYR-062 to 066)."""
    face, sides = power.total, power.dice[0].sides
    outcome, why = _grade(face, remaining, smaller(table.config, sides) == 0)
    yield Judged(roll=power.roll, outcome=outcome, margin=face - remaining, rules=why)
    yield pool_moved(table, who, "wounds", 1, rule, *why)
    if outcome == "mortal":
        yield from fallen(table, who, "dead", "WYR-066")
    elif outcome != "incidental":
        if not table[who].has("incapacitated"):
            yield from fallen(table, who, "incapacitated", "WYR-063")
        elif "" not in table[who].conditions["incapacitated"]:
            yield condition_set(table, who, "incapacitated", 1, "WYR-063")
        if outcome == "severe" and smaller(table.config, ability(table, who, "power").die):
            yield stepped(table, f"{who}.power", "WYR-064", "WYR-065")
    yield from morale.shaken(table, table[who].side, wounded=True)


def _grade(face: int, remaining: int, last: bool) -> tuple[str, tuple[Clause, ...]]:
    """Return the kind of wound and its clauses; a severe one debilitates too."""
    if face > remaining:
        return "incidental", ("WYR-062",)
    if face == 1:
        return ("mortal", ("WYR-066",)) if last else ("severe", ("WYR-063", "WYR-064", "WYR-073"))
    return "debilitating", ("WYR-063",)


def fallen(table: Table, who: Id, condition: str, *rules: Clause) -> Rule[None]:
    """Fall in the middle of an action: out of the turn and the melee at once (WYR-063, WYR-066)."""
    yield Go("felled", rules=rules)
    yield condition_set(table, who, condition, 1, *rules)
    yield from dropped_out(table, who)
    yield Go("settled", rules=rules)


def dropped_out(table: Table, who: Id) -> Rule[None]:
    """Have no more turn, and be engaged with nobody."""
    if who in table.draft.acting:
        yield MemberDone(who=who)
    yield from melee.leave(table, who)
