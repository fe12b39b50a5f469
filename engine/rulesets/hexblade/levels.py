"""Levels of advantage: where they come from, and how many d20s they make of one."""

from __future__ import annotations

from collections.abc import Callable

from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.table import Table
from affray.engine.kit.modifiers import granted, used_up
from affray.engine.kit.sides import enemies
from affray.events import Clause, Dice, Id, Modifier, Rolled

from .formation import opposite
from .sheet import able
from .tables import conditions

HINDRANCES: dict[str, tuple[int, Clause]] = {
    key: (one.disadvantage, one.rule) for key, one in conditions().items() if one.disadvantage
}
"""Conditions that hinder the bearer's own attack and evade rolls, with levels and clause (HEX-G01, HEX-G04)."""

PLAIN: dict[str, tuple[Dice, ...]] = {}
"""One d20 of each kind."""

Levels = tuple[Modifier, ...]


def d20s(levels: Levels, kind: str) -> tuple[Dice, ...]:
    """Return one d20, and one more for each level that is left when the two kinds have cancelled out."""
    net = sum(level.value for level in levels) if levels else 0
    if net:
        return (Dice(count=1 + abs(net), sides=20, kind=kind, keep="highest" if net > 0 else "lowest"),)
    plain = PLAIN.get(kind)
    if plain is None:
        plain = PLAIN[kind] = (Dice(count=1, sides=20, kind=kind),)
    return plain


def a_test(
    table: Table,
    who: Id,
    purpose: str,
    kind: str,
    levels: Levels,
    terms: tuple[Modifier, ...],
    *rules: Clause,
    against: int | None = None,
) -> Roll:
    """Return a test: one d20 or more by the levels, and what the game master grants, with the terms added."""
    situation = granted(table, who, "HEX-T05") if table.draft.marks else ()
    if situation:
        levels = (*levels, *situation)
    if levels:
        rules = (*rules, "HEX-T05")
    return Roll(
        dice=d20s(levels, kind), purpose=purpose, by=who, pool=levels, modifiers=terms, against=against, rules=rules
    )


def thrown(table: Table, wanted: Callable[[], Roll | None]) -> Rule[Rolled | None]:
    """Make a test as the present has it, and use up what was granted for it; nothing if none is made."""
    roll = yield from throw(wanted)
    if roll is not None and roll.pool and table.draft.marks:
        yield from used_up(table, roll.by)
    return roll


def natural(roll: Rolled) -> int:
    """Return the face that counted."""
    return roll.dice[0].counted[0]


def hindrance(table: Table, who: Id) -> Levels:
    """Return what hinders somebody's own attack and evade rolls: lying prone, being blinded (HEX-G01, HEX-G04)."""
    borne = table[who].conditions
    if not borne:
        return ()
    return tuple(
        [
            Modifier(value=-levels, label=key, source=f"{who}.{key}", rule=rule)
            for key, (levels, rule) in HINDRANCES.items()
            if key in borne
        ]
    )


def position(table: Table, who: Id, victim: Id) -> Levels:
    """Return what the victim's position gives to an attack roll against it (HEX-073, HEX-076).

    Somebody who is half of a pair of opposite enemies has one level, and everybody has one against the overrun.
    """
    borne = table[victim].conditions
    if not borne:
        return ()
    levels: Levels = ()
    if "flanked" in borne and flanks(table, who, victim):
        levels = (Modifier(value=1, label="flanking", source=f"{victim}.flanked", rule="HEX-073"),)
    if "overrun" in borne:
        levels = (*levels, Modifier(value=1, label="overrun", source=f"{victim}.overrun", rule="HEX-076"))
    return levels


def flanks(table: Table, who: Id, victim: Id) -> bool:
    """Tell whether somebody is half of a pair of opposite enemies of a victim (HEX-073)."""
    if not enemies(table, who, victim):
        return False
    behind = opposite(table[victim].place, table[who].place)
    return any(able(table, one) and enemies(table, one, victim) for one in table.at(behind))


def attack_levels(table: Table, who: Id, victim: Id, *, counter: bool = False) -> Levels:
    """Return what counts in an attack roll: the roller's own state, and where the victim stands."""
    if counter and not table.config.positional_advantage_on_counter_roll:
        return hindrance(table, who)
    return (*hindrance(table, who), *position(table, who, victim))


def both(levels: Levels) -> tuple[Clause, ...]:
    """Return the clause that lets flanking and overrun count together, where they do (HEX-077)."""
    labels = {level.label for level in levels}
    return ("HEX-077",) if {"flanking", "overrun"} <= labels else ()
