"""What wears out: armour that a weapon breaks its edge on, natural 1s, and what breaks for good (HEX-024, 038, 042)."""

from __future__ import annotations

from collections.abc import Iterable

from affray.engine.core.changes import item_counted
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import Clause, DieStepped, Id

from .blows import Landed
from .exchange import FUMBLE, Swing
from .play import used, waived
from .sheet import armor, is_broken, is_pc, ranged, smaller


def worn_by(table: Table, landed: Iterable[Landed]) -> Rule[None]:
    """Damage what struck, or what it struck, where the armour roll reaches the weapon's durability (HEX-024)."""
    wears = table.config.durability_damages
    for one in landed:
        weapon = table.item(one.blow.weapon)
        durability = weapon.stats["durability"]
        counts = not ranged(weapon) or table.config.durability_applies_to_ranged
        if not (one.tested and durability and counts and one.guard >= durability):
            continue
        if waived(table, one.blow.by, "HEX-024"):
            yield from used(table, one.blow.by, "HEX-024")
            continue
        if wears in ("weapon", "both"):
            yield from damaged(table, weapon.id, "HEX-024", "HEX-T17")
        hit = armor(table, one.blow.on) if one.blow.on in table.draft.combatants else None
        if wears in ("armour", "both") and hit is not None:
            yield from damaged(table, hit.id, "HEX-024", "HEX-T17", "HEX-T43")


def fumbled(table: Table, *swings: Swing) -> Rule[None]:
    """Damage the weapon of each natural 1, and break it if it was damaged when the die fell (HEX-038, HEX-042)."""
    everybody = table.config.nat1_applies_to == "everybody"
    for one in swings:
        if one.face != FUMBLE or not one.weapon or one.who not in table.draft.combatants:
            continue
        weapon = table.item(one.weapon)
        if "natural" in weapon.traits or not (everybody or is_pc(table, one.who)):
            continue
        if one.worn and not is_broken(weapon):
            yield item_counted(table, weapon.id, "broken", 1, "HEX-042", "HEX-T08", "HEX-T19", "HEX-T29")
        elif not one.worn:
            yield from damaged(table, weapon.id, "HEX-038", "HEX-T08")


def damaged(table: Table, item: Id, *rules: Clause) -> Rule[None]:
    """Damage a thing that is whole: its die is one size smaller from now on."""
    thing = table.item(item)
    if thing.counters.get("damaged"):
        return
    yield item_counted(table, item, "damaged", 1, *rules)
    yield from resized(table, item, smaller(thing.base), *rules)


def mended(table: Table, item: Id, *rules: Clause) -> Rule[None]:
    """Make a thing whole again, with the die it had."""
    thing = table.item(item)
    for counter in ("damaged", "broken", "needs_professional"):
        if thing.counters.get(counter):
            yield item_counted(table, item, counter, 0, *rules)
    yield from resized(table, item, thing.base, *rules)


def resized(table: Table, item: Id, sides: int, *rules: Clause) -> Rule[None]:
    """Give a thing another die, if it is another one."""
    before = table.item(item).die
    if before != sides:
        yield DieStepped(item=item, before=before, after=sides, rules=(*rules, "HEX-T18"))
