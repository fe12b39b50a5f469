"""Blows that land: damage, armour, and what is left of the hit points (HEX-021 to HEX-026, HEX-035, HEX-036)."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from affray.engine.core.changes import pool_set
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import Clause, Damaged, Dice, Id, Modifier

from .sheet import armor, is_broken, prowess, ranged, shield, size


class Blow(NamedTuple):
    """A blow that lands.

    Attributes:
        by, on: Who strikes whom.
        weapon: With what.
        critical: Whether the damage dice are doubled (HEX-035).
    """

    by: Id
    on: Id
    weapon: Id
    critical: bool = False


class Landed(NamedTuple):
    """What a blow came to before it is applied.

    Attributes:
        blow: The blow.
        damage: The roll for it.
        guard: The armour roll with the shield.
        tested: Whether armour was rolled at all; without it nothing is tested (HEX-024).
    """

    blow: Blow
    damage: int
    guard: int
    tested: bool

    @property
    def amount(self) -> int:
        """What is taken from the hit points (HEX-025)."""
        return max(0, self.damage - self.guard)


def dealt(table: Table, *blows: Blow, because: tuple[Clause, ...] = ()) -> Rule[tuple[Landed, ...]]:
    """Draw every blow, then apply every blow: nobody's is spoilt by the other's (HEX-026)."""
    landed = []
    for blow in blows:
        roll = yield from throw(partial(_damage, table, blow, because))
        if roll is None:
            continue
        shot: tuple[Clause, ...] = ("HEX-029",) if ranged(table.item(blow.weapon)) else ()
        tested, guard = yield from guarded(table, blow.on, *shot)
        landed.append(Landed(blow, roll.total, guard, tested))
    rules: tuple[Clause, ...] = ("HEX-025", "HEX-026") if len(landed) > 1 else ("HEX-025",)
    landed = [one for one in landed if can_be_hit(table, one.blow.on)]
    for one in landed:
        damage = Modifier(value=one.damage, label="damage", source=one.blow.weapon, rule="HEX-021")
        terms = (damage, *against(one.blow.on, one.guard))
        yield Damaged(who=one.blow.on, terms=terms, amount=one.amount, rules=rules)
    for one in landed:
        yield from hurt(table, one.blow.on, one.amount, *rules)
    return tuple(landed)


def hurt(table: Table, who: Id, amount: int, *rules: Clause) -> Rule[None]:
    """Take hit points, never below 0 (HEX-025)."""
    before = table.pool(who, "hp")
    if amount and before:
        yield pool_set(table, who, "hp", before - amount, *rules, "HEX-T14")


def can_be_hit(table: Table, who: Id) -> bool:
    """Tell whether somebody is still there to be hurt, and not slain."""
    one = table.draft.combatants.get(who)
    return one is not None and "slain" not in one.conditions


def at_hand(who: Id, weapon: Item) -> bool:
    """Tell whether somebody can still strike with a weapon; what flies already needs nobody, and nobody bare hands."""
    held = weapon.owner == who and weapon.where == "hand" and not is_broken(weapon)
    return held or ranged(weapon) or "natural" in weapon.traits


def _damage(table: Table, blow: Blow, because: tuple[Clause, ...]) -> Roll | None:
    """Return the weapon's die, twice for a critical, with the attribute added once (HEX-021, HEX-022, HEX-035)."""
    weapon = table.item(blow.weapon)
    if not can_be_hit(table, blow.on) or not at_hand(blow.by, weapon):
        return None
    dice = (Dice(count=2 if blow.critical else 1, sides=size(weapon), kind="damage", item=weapon.id),)
    doubled = (Modifier(value=1, label="critical", source=blow.weapon, rule="HEX-035"),) if blow.critical else ()
    return Roll(
        dice=dice,
        purpose="damage",
        by=blow.by,
        pool=doubled,
        modifiers=prowess(table, blow.by, weapon, damage=True),
        rules=("HEX-028" if ranged(weapon) else "HEX-021", "HEX-T15", "HEX-022", *because),
    )


def guarded(table: Table, who: Id, *rules: Clause) -> Rule[tuple[bool, int]]:
    """Roll the armour die, 1 more with a shield; without armour there is no die, and nothing is tested (HEX-023)."""
    roll = yield from throw(partial(_armor, table, who, rules))
    return (False, sum([one.value for one in _shield(table, who)])) if roll is None else (True, roll.total)


def _armor(table: Table, who: Id, rules: tuple[Clause, ...]) -> Roll | None:
    """Return the armour die of somebody who is there and wears any."""
    worn = armor(table, who) if can_be_hit(table, who) else None
    if worn is None:
        return None
    dice = (Dice(count=1, sides=size(worn), kind="armor", item=worn.id),)
    return Roll(dice=dice, purpose="armor", by=who, modifiers=_shield(table, who), rules=("HEX-023", "HEX-T16", *rules))


def _shield(table: Table, who: Id) -> tuple[Modifier, ...]:
    """Return what a shield in hand adds."""
    held = shield(table, who)
    if held is None:
        return ()
    return (Modifier(value=held.stats["bonus"], label="shield", source=held.id, rule="HEX-T16"),)


def against(who: Id, guard: int) -> tuple[Modifier, ...]:
    """Return what armour and shield take from damage (HEX-023)."""
    return (Modifier(value=-guard, label="armor", source=f"{who}.armor", rule="HEX-023"),) if guard else ()
