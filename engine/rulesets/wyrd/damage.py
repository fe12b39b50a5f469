"""Dealing damage: a foe's weapon dice, armor and Power, what is left, the wound (WYR-019 to WYR-024, WYR-056)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from affray.engine.core.changes import marked
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, Damaged, Dice, Id, Modifier, Rolled

from .gear import dice_of, die, has, worn
from .reducing import reduced
from .sheet import ability, hurtable, must_be_active
from .throwing import highest, thrown, worn_down
from .wounds import wounded

Arms = Callable[[], tuple[Id, ...]]
"""What is fought with, read from the table; refuses where there is nothing that will do."""


class Hit(NamedTuple):
    """What is about to hurt somebody.

    Attributes:
        who: Whom.
        amount: Damage before armor.
        label, source: Where it comes from, for the record.
        rule: The clause that says how much.
        shot: Whether it is a shot, so that armor is rolled with hindrance (WYR-056).
        ignores_armor: Whether armor is not rolled at all (WYR-061).
    """

    who: Id
    amount: int
    label: str
    source: Id = ""
    rule: Clause = ""
    shot: bool = False
    ignores_armor: bool = False


def dealt(table: Table, hit: Hit, *rules: Clause) -> Rule[None]:
    """Deal damage: armor and Power are rolled, the rest may be dodged or sundered away, what is left wounds.

    The dice fall in the order armor, Power; with the configuration ``when_wounded`` Power falls once the wound is
    certain. A 1 on a piece steps it down behind both. If nothing is left, the Power die says nothing (WYR-022). Nothing
    happens to somebody whom death or a ruling has taken out of the fight in the meantime.
    """
    config, who = table.config, hit.who
    if not hurtable(table, who):
        return
    armor = None if hit.ignores_armor else (yield from thrown(table, partial(_armor, table, who, hit.shot)))
    power = (yield from throw(partial(_power, table, who))) if config.power_roll == "with_armor" else None
    if not hurtable(table, who):
        return
    if armor is not None:
        yield from worn_down(table, armor)
    terms = _terms(table, hit, armor)
    total = sum(term.value for term in terms)
    remaining = max(0, total)
    why = (*rules, "WYR-024") if remaining else (*rules, "WYR-024", "WYR-026")
    if total < 0:
        why = (*why, "WYR-T34")
    yield Damaged(who=who, terms=terms, amount=remaining, rules=why)
    if not remaining:
        return
    remaining, overflow = yield from reduced(table, who, remaining, hit.ignores_armor)
    if remaining and power is None:
        power = yield from throw(partial(_power, table, who, "WYR-T51"))
    if remaining and power is not None and hurtable(table, who):
        yield from wounded(table, who, remaining, power, "WYR-061" if hit.ignores_armor else "WYR-060")
    if overflow:
        yield from dealt(table, overtaxed(who, overflow), "WYR-033", "WYR-T19")


def overtaxed(who: Id, by: int) -> Hit:
    """Return the damage of fatigue that finds no free slot; it ignores armor (Terms, Fatigue)."""
    return Hit(who=who, amount=by, label="fatigue without a slot", source=f"{who}.slots", ignores_armor=True)


def _armor(table: Table, who: Id, shot: bool) -> Roll | None:
    """Return the roll of all protection in worn order, smaller dice against a shot (WYR-021, 038, 056)."""
    pieces = worn(table, who) if hurtable(table, who) else []
    if not pieces:
        return None
    dice, pool = (
        _against_shot(table, pieces) if shot else (tuple([die(table, one, kind="armor") for one in pieces]), ())
    )
    rules: tuple[Clause, ...] = ("WYR-021", "WYR-038", "WYR-T16", "WYR-T17") if len(pieces) > 1 else ("WYR-021",)
    if shot:
        rules = (*rules, "WYR-056")
    return Roll(dice=dice, purpose=f"armor:{who}", by=who, reading="highest", pool=pool, rules=rules)


def _against_shot(table: Table, pieces: list[Item]) -> tuple[tuple[Dice, ...], tuple[Modifier, ...]]:
    """Return protection as it is rolled against a shot: one size smaller, unless a piece resists (WYR-056, 057)."""
    proof = [one for one in pieces if has(table, one, "arrowproof")]
    dice = tuple([die(table, one, 0 if one in proof else 1, "armor") for one in pieces])
    hindrance = Modifier(value=-1, label="hindrance: a shot", rule="WYR-056")
    resists = [Modifier(value=0, label="arrowproof", source=one.id, rule="WYR-057") for one in proof]
    return dice, (*(() if proof == pieces else (hindrance,)), *resists)


def _power(table: Table, who: Id, *rules: Clause) -> Roll | None:
    """Return the roll of Power at its present size (WYR-022)."""
    if not hurtable(table, who):
        return None
    power = ability(table, who, "power")
    dice = (Dice(count=1, sides=power.die, kind="ability", item=power.id),)
    return Roll(dice=dice, purpose=f"power:{who}", by=who, reading="highest", rules=("WYR-022", *rules))


def _terms(table: Table, hit: Hit, armor: Rolled | None) -> tuple[Modifier, ...]:
    damage = Modifier(value=hit.amount, label=hit.label, source=hit.source, rule=hit.rule)
    if armor is None:
        return (damage,)
    face, piece = highest(armor, "armor")
    return (damage, Modifier(value=-face, label=table.item(piece).name, source=piece, rule="WYR-023"))


def blow(table: Table, striker: Id, arms: Arms, target: Id, *rules: Clause, shot: bool = False) -> Rule[Hit]:
    """Roll the weapon dice of somebody who hits without a test of its own; the highest is the damage (WYR-020).

    The game master may have said which dice; without any the blow does what bare hands do.

    Raises:
        Refused: the striker is down, or the target gone, before the dice have fallen.
    """

    def wanted() -> Roll | None:
        must_be_active(table, striker, "WYR-020")
        if not hurtable(table, target):
            raise Refused("target_out", "WYR-020", f"{target} is out of the fight", source=target)
        ruled = table.mark(striker, "blow")
        dice = dice_of(table, striker, arms())
        if ruled is not None:
            dice = tuple([Dice(count=1, sides=int(one), kind="weapon") for one in str(ruled).split("+")])
        why = (*rules, "WYR-020")
        return Roll(dice=dice, purpose=f"blow:{striker}", by=striker, reading="highest", rules=why) if dice else None

    roll = yield from thrown(table, wanted)
    if roll is None:
        return bare(table, arms(), target, "WYR-020")
    if table.mark(striker, "blow") is not None:
        yield marked(striker, "blow", None)
    face, item = highest(roll, "weapon")
    label = table.item(item).name if item else "weapon"
    yield from worn_down(table, roll)
    return Hit(who=target, amount=face, label=label, source=item, rule="WYR-020", shot=shot)


def bare(table: Table, weapons: tuple[Id, ...], target: Id, rule: Clause) -> Hit:
    """Return a hit with something that has no die, such as bare hands (WYR-014)."""
    item = table.item(weapons[0])
    return Hit(who=target, amount=item.stats.get("damage", 0), label=item.name, source=item.id, rule=rule)


def struck(table: Table, roll: Rolled, arms: Arms, target: Id, shot: bool = False) -> Hit:
    """Return the hit of a test that succeeded: the highest weapon face of that very test (WYR-019, WYR-037)."""
    face, item = highest(roll, "weapon")
    if not item:
        return bare(table, arms(), target, "WYR-019")
    return Hit(who=target, amount=face, label=table.item(item).name, source=item, rule="WYR-019", shot=shot)
