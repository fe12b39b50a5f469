"""What weapons do besides damage: crushing armour, ensnaring (VER-S18, VER-S20)."""

from __future__ import annotations

from functools import partial

from affray.engine.core.changes import condition_set, item_counted
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import Dice, Id, Judged

from .gear import armor_of, is_melee
from .sheet import stat


def crushes(table: Table, attacker: Id, weapon: Item) -> bool:
    """Tell whether a hit is a crushing one: by its weapon, or thrown by a heavy hand (VER-S18, table 5.7)."""
    if "crushing" in weapon.traits:
        return True
    return (
        weapon.traits[0] == "thrown" and attacker in table.draft.combatants and stat(table, attacker, "heavy-hand") > 0
    )


def crushed(table: Table, struck: Id) -> Rule[None]:
    """Lower the rating of worn armour by 1, even if the hit did no damage (VER-S18)."""
    armor = armor_of(table, struck) if struck in table.draft.combatants else None
    if armor is not None and armor.counters["rating"]:
        yield item_counted(table, armor.id, "rating", armor.counters["rating"] - 1, "VER-S18")


def ensnared(table: Table, attacker: Id, struck: Id, weapon: Item, net: int) -> Rule[None]:
    """Catch the one who is struck; a melee weapon brings it down as well with 2 net SL (VER-S20)."""
    if attacker not in table[struck].conditions.get("ensnared", {}):
        yield condition_set(table, struck, "ensnared", 1, "VER-S20", source=attacker)
    if is_melee(weapon) and net >= 2 and not table[struck].has("prone"):
        yield condition_set(table, struck, "prone", 1, "VER-S20")


def _spoils(table: Table, actor: Id) -> Roll | None:
    """Return the d6 that may spoil an action, as long as its doer is ensnared."""
    if not table[actor].has("ensnared"):
        return None
    dice = (Dice(count=1, sides=6, kind="ensnared"),)
    return Roll(dice=dice, purpose="ensnared", by=actor, against=4, rules=("VER-S20", "VER-T68"))


def hampered(table: Table, actor: Id) -> Rule[bool]:
    """Let somebody who is ensnared fail an action on a d6 of 1 to 3, before any other die of it (VER-S20)."""
    roll = yield from throw(partial(_spoils, table, actor))
    if roll is None:
        return False
    fails = roll.total <= 3
    outcome = "failed" if fails else "passed"
    yield Judged(roll=roll.roll, outcome=outcome, margin=roll.total - 4, rules=("VER-S20",))
    return bool(fails)
