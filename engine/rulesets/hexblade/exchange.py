"""Two rolls against each other: who is better, who is critical, and who rolled a 1 (HEX-017 to 021, HEX-034 to 038)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from affray.engine.core.effects import Roll, Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import Clause, Id, Judged, Rolled

from .cover import cover_levels
from .levels import Levels, a_test, attack_levels, both, hindrance, natural, thrown
from .sheet import blade, bonus, held, prowess, rolls

CRITICAL = 20
"""The natural roll that wins by itself (HEX-034)."""

FUMBLE = 1
"""The natural roll that wears the weapon (HEX-038)."""


class Swing(NamedTuple):
    """One side's roll in an exchange.

    Attributes:
        who: Whose it is.
        weapon: The weapon it was made with; nothing for an evade.
        roll: Its id; nothing if somebody could not roll at all.
        total, face: What it came to, and the face that counted.
        worn: Whether the weapon was damaged at that moment (HEX-042).
    """

    who: Id
    weapon: Id
    roll: Id = ""
    total: int = 0
    face: int = 0
    worn: bool = False

    @property
    def critical(self) -> bool:
        """Whether it wins by itself."""
        return self.face == CRITICAL


def swing(table: Table, who: Id, weapon: Id, roll: Rolled | None) -> Swing:
    """Note what an exchange needs to remember of a roll, or of somebody who could not roll."""
    if roll is None:
        return Swing(who, weapon)
    worn = bool(weapon and table.item(weapon).counters.get("damaged"))
    return Swing(who, weapon, roll.roll, roll.total, natural(roll), worn)


def none(_: Item) -> Levels:
    """Give no levels for a weapon."""
    return ()


def attack(
    table: Table,
    who: Id,
    victim: Id,
    weapon: Callable[[], Item],
    *rules: Clause,
    extra: Callable[[Item], Levels] = none,
) -> Rule[Swing]:
    """Roll an attack with the weapon that somebody has for it, and its own levels (HEX-017 to HEX-020, HEX-027)."""
    used: list[Item] = []

    def wanted() -> Roll:
        item = weapon()
        used[:] = [item]
        levels = (*attack_levels(table, who, victim), *extra(item))
        why = (*rules, "HEX-T09", *chosen(item), *unarmed(table, who, item), *both(levels))
        return a_test(table, who, "attack", "attack", levels, prowess(table, who, item), *why)

    roll = yield from thrown(table, wanted)
    return swing(table, who, used[0].id, roll)


def answer(table: Table, first: Swing, who: Id, *rules: Clause, extra: Callable[[Item], Levels] = none) -> Rule[Swing]:
    """Roll the attack that answers another, with whatever is in hand; it costs nothing (HEX-017, HEX-020)."""
    used: list[Item] = []

    def wanted() -> Roll | None:
        item = blade(table, who)
        used[:] = [item]
        if not rolls(table, who):
            return None
        levels = (*attack_levels(table, who, first.who, counter=True), *extra(item))
        why = (*rules, "HEX-T09", *chosen(item), *unarmed(table, who, item), *both(levels))
        return a_test(table, who, "answer", "attack", levels, prowess(table, who, item), *why, against=first.total)

    roll = yield from thrown(table, wanted)
    return swing(table, who, used[0].id, roll)


def chosen(item: Item) -> tuple[Clause, ...]:
    """Return the clause that lets a wielder choose the better attribute, for a weapon that leaves it open (HEX-019)."""
    return ("HEX-019",) if item.traits[0] == "either" else ()


def unarmed(table: Table, who: Id, item: Item) -> tuple[Clause, ...]:
    """Return the clause that makes bare hands of what is in hand, where it is broken or shoots (HEX-T40)."""
    return ("HEX-T40",) if "natural" in item.traits and any(one.kind == "weapon" for one in held(table, who)) else ()


def evade(table: Table, by: Id, who: Id, against: Callable[[], int], *rules: Clause, extra: Levels = ()) -> Rule[Swing]:
    """Roll to evade an attack, with whatever cover lies between (HEX-027, HEX-033, HEX-055, HEX-079, HEX-080)."""

    def wanted() -> Roll | None:
        if not rolls(table, who):
            return None
        cover, why = cover_levels(table, by, who)
        levels = (*hindrance(table, who), *cover, *extra)
        terms = bonus(table, who, "evade", "HEX-T11")
        return a_test(table, who, "evade", "evade", levels, terms, *rules, "HEX-T11", *why, against=against())

    roll = yield from thrown(table, wanted)
    return swing(table, who, "", roll)


def lead(one: Swing, other: Swing) -> int:
    """Return by how much one is better: above 0 it wins, 0 is a tie.

    A critical beats whatever is none (HEX-034), and anything beats somebody who could not roll (HEX-017).
    """
    if not other.roll or one.critical != other.critical:
        return 1 if not other.roll or one.critical else -1
    return one.total - other.total


def judged(first: Swing, second: Swing, outcome: str, *rules: Clause) -> Judged:
    """Return what the first of two rolls came to."""
    if second.roll and first.critical != second.critical:
        rules = (*rules, "HEX-034", "HEX-T06", "HEX-T07")
    elif not second.roll:
        rules = (*rules, "HEX-017", "HEX-G03")
    margin = first.total - second.total if second.roll else 0
    return Judged(roll=first.roll, outcome=outcome, margin=margin, rules=rules)
