"""Two rolls against each other: who is better, who is critical, and who rolled a 1 (HEX-017 to 021, HEX-034 to 038)."""

from __future__ import annotations

from typing import NamedTuple

from affray.engine.rule import Rule
from affray.engine.state import Item
from affray.engine.table import Table
from affray.events import Clause, Id, Judged, Rolled

from .levels import Levels, attack_levels, both, hindrance, natural, thrown
from .sheet import blade, bonus, prowess, rolls

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


def swing(table: Table, who: Id, weapon: Id, roll: Rolled) -> Swing:
    """Note what an exchange needs to remember of a roll."""
    worn = bool(weapon and table.item(weapon).counters.get("damaged"))
    return Swing(who, weapon, roll.roll, roll.total, natural(roll), worn)


def attack(table: Table, who: Id, victim: Id, weapon: Id, *rules: Clause, extra: Levels = ()) -> Rule[Swing]:
    """Roll an attack with a weapon (HEX-017 to HEX-020, HEX-027)."""
    item = table.item(weapon)
    levels = (*attack_levels(table, who, victim), *extra)
    why = (*rules, *chosen(item), *both(levels))
    roll = yield from thrown(table, who, "attack", "attack", levels, prowess(table, who, item), *why)
    return swing(table, who, weapon, roll)


def answer(table: Table, first: Swing, who: Id, *rules: Clause, extra: Levels = ()) -> Rule[Swing]:
    """Roll the attack that answers another, with whatever is in hand; it costs nothing (HEX-017, HEX-020)."""
    item = blade(table, who)
    if not rolls(table, who):
        return Swing(who, item.id)
    levels = (*attack_levels(table, who, first.who, counter=True), *extra)
    why = (*rules, *chosen(item), *both(levels))
    terms = prowess(table, who, item)
    roll = yield from thrown(table, who, "answer", "attack", levels, terms, *why, against=first.total)
    return swing(table, who, item.id, roll)


def chosen(item: Item) -> tuple[Clause, ...]:
    """Return the clause that lets a wielder choose the better attribute, for a weapon that leaves it open (HEX-019)."""
    return ("HEX-019",) if item.traits[0] == "either" else ()


def evade(table: Table, first: Swing, who: Id, *rules: Clause, extra: Levels = ()) -> Rule[Swing]:
    """Roll to evade an attack (HEX-027, HEX-033, HEX-055)."""
    if not rolls(table, who):
        return Swing(who, "")
    levels = (*hindrance(table, who), *extra)
    terms = bonus(table, who, "evade", rules[0])
    roll = yield from thrown(table, who, "evade", "evade", levels, terms, *rules, against=first.total)
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
        rules = (*rules, "HEX-034")
    elif not second.roll:
        rules = (*rules, "HEX-017", "HEX-G03")
    margin = first.total - second.total if second.roll else 0
    return Judged(roll=first.roll, outcome=outcome, margin=margin, rules=rules)
