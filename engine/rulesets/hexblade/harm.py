"""Damage, armour, and the fate of combatants without hit points."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal

from msgspec import Struct

from affray.engine.core.changes import end_condition, set_condition, set_pool
from affray.engine.core.effects import Ask, Go, Roll, Rule, choice, throw
from affray.engine.core.state import Item
from affray.engine.kit.relations import end_relation
from affray.engine.kit.rulings.verdicts import MISS, NO_CRITICAL, is_under_verdict
from affray.engine.kit.sheets import is_pc
from affray.events import Clause, Damaged, Dice, Id, Modifier, Moved, Option

from .config import Table
from .gear import (
    damage_item,
    find_armor,
    find_die,
    find_shield,
    is_broken,
    is_ranged,
    list_weapon_modifiers,
    single_out,
)
from .marks import CLEARS, FELL
from .movement.positions import list_grips, release_broken_grips, update_around, update_positions
from .sheet import give_state, list_lasting_sources
from .turns.order import is_waived, note_beaten, use_waivers


class Blow(Struct, frozen=True, gc=False):
    """A blow that lands.

    Attributes:
        by, on: The striker and the victim.
        weapon: The weapon of the blow.
        critical: Whether the damage dice are doubled (HEX-035).
    """

    by: Id
    on: Id
    weapon: Id
    critical: bool = False


class LandedBlow(Struct, frozen=True, gc=False):
    """The result of a blow before it is applied.

    Attributes:
        damage: The total of the damage roll.
        guard: The total of the armour roll with the shield.
        tested: Whether armour was rolled at all; without it, durability is not tested (HEX-024).
    """

    blow: Blow
    damage: int
    guard: int
    tested: bool

    @property
    def amount(self) -> int:
        """The loss of hit points."""
        return max(0, self.damage - self.guard)


def deal(table: Table, *blows: Blow, because: tuple[Clause, ...] = ()) -> Rule[tuple[LandedBlow, ...]]:
    """Roll all blows, then apply all of them, so that none prevents another (HEX-026)."""
    landed = []
    for blow in blows:
        roll = yield from throw(partial(_build_damage_roll, table, blow, because))
        if roll is None:
            continue
        shot: tuple[Clause, ...] = ("HEX-029",) if is_ranged(table.item(blow.weapon)) else ()
        tested, guard = yield from roll_armor(table, blow.on, *shot)
        landed.append(LandedBlow(blow, roll.total, guard, tested))
    rules: tuple[Clause, ...] = ("HEX-025", "HEX-026") if len(landed) > 1 else ("HEX-025",)
    landed = [
        one for one in landed if can_be_hit(table, one.blow.on) and not is_under_verdict(table, one.blow.by, MISS)
    ]
    for one in landed:
        damage = Modifier(value=one.damage, label="damage", source=one.blow.weapon, rule="HEX-021")
        terms = (damage, *list_armor_terms(one.blow.on, one.guard))
        yield Damaged(who=one.blow.on, terms=terms, amount=one.amount, rules=rules)
    for one in landed:
        yield from wound(table, one.blow.on, one.amount, *rules)
    return tuple(landed)


def _build_damage_roll(table: Table, blow: Blow, because: tuple[Clause, ...]) -> Roll | None:
    """Return the damage roll; a critical doubles the dice, not the bonus (HEX-022, HEX-035, HEX-T15)."""
    weapon = table.item(blow.weapon)
    if not can_be_hit(table, blow.on) or not is_at_hand(blow.by, weapon) or is_under_verdict(table, blow.by, MISS):
        return None
    critical = blow.critical and not is_under_verdict(table, blow.by, NO_CRITICAL)
    dice = (Dice(count=2 if critical else 1, sides=find_die(weapon), kind="damage", item=weapon.id),)
    doubled = (Modifier(value=1, label="critical", source=blow.weapon, rule="HEX-035"),) if critical else ()
    return Roll(
        dice=dice,
        purpose="damage",
        by=blow.by,
        pool=doubled,
        modifiers=list_weapon_modifiers(table, blow.by, weapon, damage=True),
        rules=("HEX-028" if is_ranged(weapon) else "HEX-021", "HEX-T15", "HEX-022", *because),
    )


def is_at_hand(who: Id, weapon: Item) -> bool:
    """Return whether a striker can still use a weapon.

    A flying missile needs no striker, and bare hands are always at hand.
    """
    held = weapon.owner == who and weapon.where == "hand" and not is_broken(weapon)
    return held or is_ranged(weapon) or "natural" in weapon.traits


def can_be_hit(table: Table, who: Id) -> bool:
    """Return whether a combatant is present and not slain."""
    one = table.draft.combatants.get(who)
    return one is not None and "slain" not in one.conditions


def roll_armor(table: Table, who: Id, *rules: Clause) -> Rule[tuple[bool, int]]:
    """Roll the armour die, plus a shield's bonus; without armour there is no die (HEX-023).

    Returns whether armour was rolled, and the total.
    """
    roll = yield from throw(partial(_build_armor_roll, table, who, rules))
    return (False, sum([one.value for one in _list_shield_terms(table, who)])) if roll is None else (True, roll.total)


def _build_armor_roll(table: Table, who: Id, rules: tuple[Clause, ...]) -> Roll | None:
    """Return the armour die of a combatant that is present and wears armour (HEX-T16)."""
    worn = find_armor(table, who) if can_be_hit(table, who) else None
    if worn is None:
        return None
    dice = (Dice(count=1, sides=find_die(worn), kind="armor", item=worn.id),)
    return Roll(
        dice=dice,
        purpose="armor",
        by=who,
        modifiers=_list_shield_terms(table, who),
        rules=("HEX-023", "HEX-T16", *rules),
    )


def _list_shield_terms(table: Table, who: Id) -> tuple[Modifier, ...]:
    """Return the modifier of a shield in hand."""
    held = find_shield(table, who)
    if held is None:
        return ()
    return (Modifier(value=held.stats["bonus"], label="shield", source=held.id, rule="HEX-T16"),)


def list_armor_terms(who: Id, guard: int) -> tuple[Modifier, ...]:
    """Return the term that armour and shield take from damage."""
    return (Modifier(value=-guard, label="armor", source=f"{who}.armor", rule="HEX-023"),) if guard else ()


def wound(table: Table, who: Id, amount: int, *rules: Clause) -> Rule[None]:
    """Take hit points, never below 0 (HEX-025)."""
    before = table.pool(who, "hp")
    if amount and before:
        yield set_pool(table, who, "hp", before - amount, *rules, "HEX-T14")


def wear_weapons(table: Table, landed: Iterable[LandedBlow]) -> Rule[None]:
    """Wear weapon or armour where armour reaches the durability (HEX-024, HEX-T17, HEX-T43)."""
    wears = table.config.durability_damages
    for one in landed:
        weapon = table.item(one.blow.weapon)
        durability = weapon.stats["durability"]
        counts = not is_ranged(weapon) or table.config.durability_applies_to_ranged
        if not (one.tested and durability and counts and one.guard >= durability):
            continue
        hit = find_armor(table, one.blow.on) if one.blow.on in table.draft.combatants else None
        harmed: list[tuple[Id, tuple[Clause, ...]]] = []
        if wears in ("weapon", "both"):
            harmed.append((weapon.id, ("HEX-024", "HEX-T17")))
        if wears in ("armour", "both") and hit is not None:
            harmed.append((hit.id, ("HEX-024", "HEX-T17", "HEX-T43")))
        harmed = [(item, rules) for item, rules in harmed if not table.item(item).counters.get("damaged")]
        if harmed and is_waived(table, one.blow.by, "HEX-024"):
            yield from use_waivers(table, one.blow.by, "HEX-024")
            continue
        for item, rules in harmed:
            piece = yield from single_out(table, item, "HEX-024")
            yield from damage_item(table, piece, *rules)


Fate = Literal["slain", "down", "stands"]

FATES = (
    Option(choice="slain", says="is dead and leaves its hex"),
    Option(choice="down", says="lies prone, without turns and rolls, until healed"),
    Option(choice="stands", says="goes on with 0 hit points"),
)


def harm(table: Table, who: Id, amount: int, *rules: Clause) -> Rule[None]:
    """Do damage outside an exchange."""
    term = Modifier(value=amount, label="ruling", source="gm")
    yield Damaged(who=who, terms=(term,), amount=amount, rules=rules)
    yield from wound(table, who, amount, *rules)


def settle_fallen(table: Table, *people: Id) -> Rule[None]:
    """Settle the fate of the fallen, after all damage was applied (HEX-G03)."""
    for who in dict.fromkeys(people):
        if is_falling(table, who):
            yield Go("felled", rules=("HEX-G03",))
            asked = table.config.zero_hp_pc if is_pc(table, who) else table.config.zero_hp_npc
            fate: str = asked
            if asked == "gm_decides":
                answer = yield from choice(partial(_build_fate_question, table, who))
                fate = answer.choice if answer else ""
            if fate:
                yield from OUTCOMES[fate](table, who)


def _build_fate_question(table: Table, who: Id) -> Ask | None:
    """Return the question about a combatant's fate, as long as it is open."""
    return Ask(of=("gm",), about=f"fate:{who}", options=FATES, rules=("HEX-G03",)) if is_falling(table, who) else None


def is_falling(table: Table, who: Id) -> bool:
    """Return whether a combatant has no hit points left and an open fate."""
    one = table.draft.combatants.get(who)
    return one is not None and not one.pools.get("hp") and not (one.has("slain") or one.has("down"))


def stand(table: Table, who: Id) -> Rule[None]:
    """End a combatant's being slain or down."""
    for condition in ("slain", "down"):
        yield from end_condition(table, who, condition, "HEX-G03")
    yield from update_around(table, table[who].place)


def fall(table: Table, who: Id) -> Rule[None]:
    """Put a combatant down, prone and without turns in this round."""
    if not table[who].has("down"):
        yield set_condition(table, who, "down", 1, "HEX-G03")
    yield from give_state(table, who, "prone", "HEX-G03", "HEX-G01")
    yield FELL.set_on(who, table.draft.round, "HEX-G03")
    yield from _end_grapples(table, who)
    yield from update_around(table, table[who].place)


def die(table: Table, who: Id) -> Rule[None]:
    """Slay a combatant and take it off the map."""
    place = table[who].place
    if not table[who].has("slain"):
        yield set_condition(table, who, "slain", 1, "HEX-G03")
    yield from _end_grapples(table, who)
    if place:
        yield Moved(who=who, before=place, after="", rules=("HEX-G03",))
        yield from update_positions(table, (who,))
    yield from update_around(table, place)


def _end_grapples(table: Table, who: Id) -> Rule[None]:
    """End the grapples of a combatant that can no longer hold."""
    for relation in list_grips(table, who):
        yield from end_relation(table, relation, "HEX-G02", "HEX-G03")


OUTCOMES: dict[str, Callable[[Table, Id], Rule[None]]] = {"slain": die, "down": fall, "stands": stand}
"""The rule that applies each fate."""


def heal(table: Table, who: Id, amount: int, *rules: Clause) -> Rule[None]:
    """Restore hit points up to the maximum, and revive a combatant that is down (HEX-T14)."""
    before = table.pool(who, "hp")
    after = max(before, min(before + amount, table[who].stats["hp"]))
    if after != before:
        yield set_pool(table, who, "hp", after, *rules, "HEX-T14")
    yield from revive(table, who)


def revive(table: Table, who: Id) -> Rule[None]:
    """Revive a combatant that is down and has hit points again (HEX-T42).

    It stays prone, and acts from the next initiative on. If initiative is being rolled, that one counts.
    """
    if table[who].has("down") and table.pool(who, "hp"):
        yield from end_condition(table, who, "down", "HEX-G03", "HEX-T42")
        rolling = table.draft.phases[""] == "initiative"
        if not rolling:
            yield FELL.set_on(who, table.draft.round, "HEX-G03")
        elif FELL.of(table, who) == table.draft.round:
            yield FELL.clear_on(who, "HEX-G03")
        yield from update_around(table, table[who].place)


def correct(table: Table, who: Id) -> Rule[None]:
    """Match states to hit points, conditions or a sheet that a ruling changed."""
    if is_falling(table, who):
        wish = table.config.zero_hp_pc if is_pc(table, who) else table.config.zero_hp_npc
        if wish != "gm_decides":
            yield from OUTCOMES[wish](table, who)
    yield from revive(table, who)
    if table[who].has("slain") and table[who].place:
        yield from die(table, who)
    if table[who].has("down"):
        yield from give_state(table, who, "prone", "HEX-G03", "HEX-G01")
    if CLEARS.is_on(table, who, "blinded") and not list_lasting_sources(table, who, "blinded"):
        yield CLEARS.clear_on(who, "HEX-G04", about="blinded")


def tidy(table: Table) -> Rule[None]:
    """Match grapples, positions and beaten numbers to where combatants are.

    It runs at the start and after a ruling. Moves, falls and grapples by the rules update themselves.
    """
    yield from release_broken_grips(table)
    yield from update_positions(table, tuple(table.draft.combatants))
    if table.draft.slots:
        yield from note_beaten(table)
