"""Misses: the note for the relentless, and stray shots into a melee."""

from functools import partial

from affray.engine.core.effects import Go, Roll, Rule, throw
from affray.engine.kit.sheets import stat
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.chapters.pushing import Thrown
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.things import damage_of
from affray.engine.rulesets.verdigris.harm.damage import apply_qualities, deal, roll_withstand, wound
from affray.engine.rulesets.verdigris.sheet import is_in_play, list_participants, shown_melee
from affray.events import Dice, Id, Modifier

from .striking import Blow, find_weapon, list_counted_members, list_mount_clauses, must_not_be_called_off, spend_charge


def can_stray(table: Table, blow: Blow, attack: Thrown, net: int) -> bool:
    """Tell whether a missed shot strays: at 0 SL, into a melee, not by panic (VER-048)."""
    if blow.melee or attack.panicked:
        return False
    exact = net if table.config.stray_exact_zero == "net_sl" else attack.sl
    return exact == 0 and bool(list_victims(table, blow))


def list_victims(table: Table, blow: Blow) -> tuple[Id, ...]:
    """Return the combatants that a stray shot can hit: friend or foe in that melee."""
    melee = shown_melee(table, blow.struck)
    if melee is None:
        return ()
    members = {one.who for one in melee.members}
    ruled = [one for one in marks.STRAY_VICTIMS.of(table, marks.FIGHT) if one in members]
    if ruled:
        return tuple(one for one in ruled if is_in_play(table, one))
    there = set(list_counted_members(table, list_participants(table, melee))) - {blow.struck, blow.attacker}
    return tuple(one for one in table.draft.combatants if one in there)


def _build_victim_roll(table: Table, blow: Blow) -> Roll | None:
    """Return the die that chooses the victim; a single victim needs none (VER-049, VER-T02)."""
    others = list_victims(table, blow)
    if len(others) < 2:
        return None
    dice = (Dice(count=1, sides=len(others), kind="victim"),)
    rules = ("VER-049", "VER-T02", *list_mount_clauses(table, shown_melee(table, blow.struck)))
    return Roll(dice=dice, purpose="victim", by=blow.attacker, rules=rules)


def hit_bystander(table: Table, blow: Blow, attack: Thrown) -> Rule[None]:
    """Let a die choose the victim, who cannot dodge; no critical hit (VER-T23)."""
    roll = yield from throw(partial(_build_victim_roll, table, blow))
    others = list_victims(table, blow)
    if not others:
        return
    victim = others[roll.total - 1 if roll is not None else 0]
    if victim in marks.STRAY_VICTIMS.of(table, marks.FIGHT):
        yield marks.STRAY_VICTIMS.clear_on(marks.FIGHT, "VER-049")
    weapon = find_weapon(table, blow)
    terms = [Modifier(value=damage_of(weapon, blow.grip), label=weapon.name, source=weapon.id, rule="VER-T23")]
    if table.config.stray_damage_sl == "attacker_sl" and attack.sl:
        terms.append(Modifier(value=attack.sl, label="SL", source="sl", rule="VER-048"))
    ground = partial(must_not_be_called_off, table, blow.attacker)
    guard = yield from roll_withstand(table, victim, blow.attacker, weapon, ground)
    amount = yield from deal(table, victim, terms, guard, "VER-048", "VER-049")
    yield Go("withstood", rules=("VER-089",))
    yield from wound(table, victim, amount)
    yield from apply_qualities(table, blow.attacker, victim, weapon, 0)


def miss(table: Table, blow: Blow, attack: Thrown, astray: bool) -> Rule[None]:
    """Miss: note it for the relentless, spend a charge, let a shot stray."""
    yield from spend_charge(table, blow)
    relentless = stat(table, blow.attacker, "relentless")
    if relentless:
        yield marks.RELENTLESS.set_on(blow.attacker, relentless, "VER-T29", about=blow.struck)
    if astray:
        yield Go("strayed", rules=("VER-048",))
        yield from hit_bystander(table, blow, attack)
    else:
        yield Go("missed", rules=("VER-027",))
