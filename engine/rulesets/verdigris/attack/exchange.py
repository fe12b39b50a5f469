"""One blow or shot, from its dice to its damage: attack, Dodge, Withstand."""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from affray.engine.core.changes import set_item_counter, set_pool
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item, Relation
from affray.engine.kit.modifiers import list_granted
from affray.engine.kit.riding import mount_of, pair_saddles
from affray.engine.kit.rulings.verdicts import (
    ON_ATTACKS,
    decide_attack,
    is_under_any_verdict,
    overrule,
    use_up_verdicts,
)
from affray.engine.kit.sheets import stat
from affray.engine.rulesets.verdigris import sheet
from affray.engine.rulesets.verdigris.chapters.panic import attempt
from affray.engine.rulesets.verdigris.chapters.pools import (
    Pool,
    Share,
    attribute,
    background,
    list_burdens,
    quality,
    skill,
)
from affray.engine.rulesets.verdigris.chapters.pushing import Thrown
from affray.engine.rulesets.verdigris.chapters.rolls import throw_pool
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear import things
from affray.engine.rulesets.verdigris.harm import damage
from affray.engine.rulesets.verdigris.harm.conditions import afflict
from affray.engine.rulesets.verdigris.sheet import is_mount
from affray.events import Clause, Id, Judged, Modifier

from . import striking
from .strays import can_stray, miss

NEEDS = {one: frozenset({"tests", one, "sight", "bodily"}) for one in ("strength", "agility")}
"""The needs of an attack with an attribute: eyes, and a body that moves."""

MOUNTS_ROLL = frozenset({"tests", "sight", "bodily"})


def exchange(table: Table, blow: striking.Blow) -> Rule[bool]:
    """Attack, Dodge, Withstand; return whether the blow has more SL than Dodge (VER-T01)."""
    if table.derive(pair_saddles)[0]:
        yield from damage.alarm(table, blow.struck)
    ground = partial(striking.must_stand, table, blow)
    attack = yield from roll_attack(table, blow, ground)
    if not blow.melee:
        yield from use_up_shot(table, blow)
    yield Go("aimed", rules=("VER-026", "VER-T01"))
    if not sheet.is_in_play(table, blow.struck):
        raise table.refuse(blow.struck, "is out of play", "VER-T32")
    dodge_ground = (
        ground if attack.sl else None
    )  # a blow that cannot hit needs neither its attacker nor its weapon any more
    rules = _list_dodge_clauses(blow, attack)
    weapon = striking.find_weapon(table, blow)
    dodge = yield from damage.roll_dodge(table, blow.struck, blow.attacker, weapon, dodge_ground, *rules)
    net = attack.sl - dodge.sl
    astray = net <= 0 and can_stray(table, blow, attack, net)
    judged = _judge_blow(table, blow, attack, net, astray)
    if is_under_any_verdict(table, blow.attacker):
        blow, net, judged = _apply_verdict(table, blow, judged, net)
        astray = astray and net <= 0
    yield judged
    yield from use_up_verdicts(table, blow.attacker, ON_ATTACKS, "VER-T80")
    try:
        return (yield from _apply_result(table, blow, attack, dodge, net, astray))
    except striking.CalledOff:
        yield replace(judged, outcome="miss", rolled=judged.outcome, rules=("VER-T80",))
        yield from use_up_verdicts(table, blow.attacker, ON_ATTACKS, "VER-T80")
        yield Go("withstood", rules=("VER-T80",))
        return False


def _apply_verdict(table: Table, blow: striking.Blow, judged: Judged, net: int) -> tuple[striking.Blow, int, Judged]:
    """Apply the verdict on the attacker to a blow, its net SL and its judgement."""
    critical = judged.outcome == "critical"
    hits, ruled = decide_attack(table, blow.attacker, net > 0, critical)
    outcome = "critical" if ruled else "hit" if hits else "stray" if judged.outcome == "stray" else "miss"
    blow = replace(blow, critical=ruled) if hits and ruled != critical else blow
    return blow, max(1, net) if hits else min(0, net), overrule(judged, outcome, "VER-T80")


def _apply_result(
    table: Table, blow: striking.Blow, attack: Thrown, dodge: Thrown, net: int, astray: bool
) -> Rule[bool]:
    """Let a blow miss or land; return whether it lands."""
    if net <= 0:
        yield from miss(table, blow, attack, astray)
        return False
    if dodge.pushed:
        yield from damage.exhaust_dodger(table, blow.struck, dodge)
    if blow.manner == "panicked" and table.pool(blow.attacker, "stress"):
        yield set_pool(table, blow.attacker, "stress", sheet.least_stress(table, blow.attacker), "VER-S12")
    yield from _land(table, blow, attack.sl, net)
    return True


def _list_dodge_clauses(blow: striking.Blow, attack: Thrown) -> tuple[Clause, ...]:
    """Return the clauses that call for the Dodge save (VER-026, VER-044, VER-059, VER-T40)."""
    ranged = () if blow.melee else ("VER-044",)
    called = ("VER-059",) if blow.aim else ()
    spoilt = ("VER-T40",) if attack.panicked else ()
    return ("VER-026", *ranged, *called, *spoilt)


def _judge_blow(table: Table, blow: striking.Blow, attack: Thrown, net: int, astray: bool) -> Judged:
    """Judge whether a blow hits: with more SL than the Dodge save (VER-027, VER-T42)."""
    rules: tuple[Clause, ...] = ("VER-027",)
    outcome = "hit" if net > 0 else "stray" if astray else "miss"
    if net > 0 and striking.is_critical(table, blow, attack.sl):
        outcome, rules = "critical", (*rules, "VER-077")
    elif net > 0 and blow.aim == "effect" and attack.sl >= table.config.crit_sixes:
        rules = (*rules, "VER-T42")
    elif astray:
        rules = (*rules, "VER-048")
    return Judged(roll=attack.roll, outcome=outcome, margin=net, rules=rules)


def _land(table: Table, blow: striking.Blow, own: int, net: int) -> Rule[None]:
    """Damage the target, and injure by a critical hit unless aimed at an effect (VER-056, VER-079)."""
    if blow.aim == "effect" and table.config.called_shot_effect_damage == "none":
        yield from striking.spend_charge(table, blow)
        yield Go("spared", rules=("VER-056",))
        return
    terms = yield from striking.list_damage_terms(table, blow, own, net)
    yield Go("struck", rules=("VER-028",))
    weapon = striking.find_weapon(table, blow)
    ground = partial(striking.must_not_be_called_off, table, blow.attacker)
    guard = yield from damage.roll_withstand(table, blow.struck, blow.attacker, weapon, ground)
    critical = striking.is_critical(table, blow, own) and striking.can_maim(table, blow)
    aims = {"effect": ("VER-056",), "vital": ("VER-054",)}.get(blow.aim, ())
    why = (*aims, "VER-079") if critical else aims
    amount = yield from damage.deal(table, blow.struck, terms, guard, "VER-030", *why)
    yield Go("withstood", rules=("VER-089",))
    yield from damage.wound(table, blow.struck, amount, critical=critical)
    yield from damage.apply_qualities(table, blow.attacker, blow.struck, weapon, net)


def roll_attack(table: Table, blow: striking.Blow, ground: Callable[[], None]) -> Rule[Thrown]:
    """Make the attack test; a mount rolls its own pool (VER-023)."""
    if is_mount(table, blow.attacker):
        return (yield from throw_pool(table, partial(build_mount_pool, table, blow), ground))
    base, calm, hardy = (
        partial(build_fighter_pool, table, blow),
        blow.manner == "panicked",
        list_ignored_penalties(table, blow),
    )
    outcome = yield from attempt(table, blow.attacker, base, ground, plain=bool(blow.aim), calm=calm, unhindered=hardy)
    if blow.attacker in table.draft.marks:
        yield from striking.forget_attack_notes(table, blow)
    return outcome


def _build_gear_share(weapon: Item, grip: str, rule: Clause) -> Share:
    """Return the gear dice of a weapon (VER-T22)."""
    return Share("gear", things.bonus_of(weapon, grip), weapon.name, weapon.id, rule, weapon.id)


def build_fighter_pool(table: Table, blow: striking.Blow) -> Pool:
    """Return attribute, skill and gear; for a called shot skill and gear alone (VER-053, VER-058)."""
    weapon = striking.find_weapon(table, blow)
    of = things.attribute_of(table, weapon)
    rule = "VER-025" if of == "agility" or things.group_of(weapon) == "thrown" else "VER-024"
    rules = ("VER-023", rule) if blow.melee else ("VER-023", rule, "VER-043")
    shared = sheet.shared_melee(table, blow.attacker, blow.struck) if blow.melee else None
    changes = list_advantages(table, blow, weapon, shared)
    rules = (*rules, *_list_situation_clauses(table, blow, changes, shared))
    shares = [skill(table, blow.attacker, things.usage_of(weapon).skill)]
    if blow.aim:
        rules = (*rules, "VER-053", "VER-058")
    else:
        shares.insert(0, attribute(table, blow.attacker, of, rule))
        if blow.fits:
            shares.append(background(table, blow.attacker))
    shares.append(_build_gear_share(weapon, blow.grip, "VER-T22"))
    return Pool(who=blow.attacker, purpose="attack", shares=shares, changes=changes, needs=NEEDS[of], rules=rules)


def _list_situation_clauses(
    table: Table, blow: striking.Blow, changes: list[Modifier], shared: Relation | None
) -> tuple[Clause, ...]:
    """Return the clauses of the situation: numbers, a shooter in a melee, mounts (VER-045, VER-T28)."""
    if blow.melee:
        at_a_friend = shared is not None and not sheet.is_enemy(table, blow.attacker, blow.struck)
        more = at_a_friend or any(change.rule == "VER-036" for change in changes)
        clauses = sheet.clauses_counting(table, shared.id) if shared is not None and not at_a_friend else ()
        if "short" in striking.find_weapon(table, blow).traits and mount_of(table, blow.attacker):
            clauses = (*clauses, "VER-T28")
        return (*clauses, "VER-036") if more else clauses
    melee = sheet.shown_melee(table, blow.struck)
    engaged = ("VER-045",) if sheet.shown_melee(table, blow.attacker) is not None else ()
    crowded = any(change.rule == "VER-046" for change in changes)
    return (*engaged, *striking.list_mount_clauses(table, melee)) if crowded else engaged


def list_ignored_penalties(table: Table, blow: striking.Blow) -> frozenset[str]:
    """Return the game master's penalties that a marksman ignores (VER-022)."""
    if blow.melee:
        return frozenset()
    sharp = {"cover", "size"} if stat(table, blow.attacker, "sharpshooter") else set()
    far = {"long_range", "long range"} if stat(table, blow.attacker, "sniper") else set()
    return frozenset(sharp | far)


def build_mount_pool(table: Table, blow: striking.Blow) -> Pool:
    """Return a mount's Quality and bonus, a roll that cannot be pushed (VER-064, VER-T27)."""
    weapon = striking.find_weapon(table, blow)
    shared = sheet.shared_melee(table, blow.attacker, blow.struck)
    changes = list_advantages(table, blow, weapon, shared)
    return Pool(
        who=blow.attacker,
        purpose="attack",
        shares=(quality(table, blow.attacker), _build_gear_share(weapon, blow.grip, "VER-T27")),
        changes=(
            *changes,
            *list_burdens(table, blow.attacker, MOUNTS_ROLL),
            *list_granted(table, blow.attacker, "VER-022"),
        ),
        needs=MOUNTS_ROLL,
        may_push=False,
        rules=("VER-063", "VER-064", *_list_situation_clauses(table, blow, changes, shared)),
    )


def list_advantages(table: Table, blow: striking.Blow, weapon: Item, shared: Relation | None) -> list[Modifier]:
    """List the situation's modifiers: numbers, saddle, prone target, crowd (VER-065)."""
    found = damage.list_target_dice(table, blow.struck, melee=blow.melee)
    if not blow.melee:
        return found + list_crowd_penalty(table, blow.attacker, blow.struck)
    if shared is not None:
        found = list_number_dice(table, shared.id, blow.attacker, blow.struck) + found
    if "short" not in weapon.traits and mount_of(table, blow.attacker):
        found.append(Modifier(value=1, label="mounted", source=blow.attacker, rule="VER-065"))
    return found + striking.list_training_dice(table, blow, weapon) if blow.attacker in table.draft.marks else found


def list_crowd_penalty(table: Table, shooter: Id, target: Id) -> list[Modifier]:
    """Take a die for every participant beyond four in the target's melee (VER-046).

    The shooter is not counted.
    """
    melee = sheet.shown_melee(table, target)
    if melee is None:
        return []
    count = sum(one != shooter for one in striking.list_counted_members(table, sheet.list_participants(table, melee)))
    return [Modifier(value=4 - count, label="crowd", source=melee.id, rule="VER-046")] if count > 4 else []


def list_number_dice(table: Table, melee: Id, who: Id, target: Id) -> list[Modifier]:
    """List the dice for fighting many against few, counted now (VER-035, VER-036).

    They count twice against the deafened. With its back to the wall the smaller side has some of the enemies' dice.
    Numbers count enemies against each other: a blow at a friend in the melee has none of these dice.
    """
    if not sheet.is_enemy(table, who, target):
        return []
    numbers = table.derive(sheet.count_fighters)
    side = table[who].side
    more = numbers.get((melee, side), 0) - numbers.get((melee, sheet.other_side(side)), 0)
    if more > 0:
        terms = [Modifier(value=more, label="numbers", source=melee, rule="VER-036")]
        if table[target].has("deafened"):
            terms.append(Modifier(value=more, label="deafened", source=f"{target}.deafened", rule="VER-S30"))
        return terms
    wall = min(-more, stat(table, who, "back-to-the-wall"))
    return [sheet.make_talent_modifier(who, "back-to-the-wall", wall)] if wall > 0 else []


def use_up_shot(table: Table, blow: striking.Blow) -> Rule[None]:
    """Use up the shot; powder must be loaded again and deafens all around (VER-S28)."""
    weapon = striking.find_weapon(table, blow)
    if things.group_of(weapon) not in things.FIRED:
        return
    ammunition = things.find_ammunition(table, blow.attacker, weapon)
    if ammunition is not None:
        yield set_item_counter(table, ammunition.id, "count", ammunition.counters["count"] - 1, "VER-043")
    if "reloading" in weapon.traits:
        yield set_item_counter(table, weapon.id, "loaded", 0, "VER-S25")
    if things.group_of(weapon) == "blackpowder":
        melee = sheet.shown_melee(table, blow.attacker)
        for who in [one.who for one in melee.members] if melee is not None else [blow.attacker]:
            yield from afflict(table, who, "deafened", 1, "VER-S28")
