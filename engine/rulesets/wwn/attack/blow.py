"""One attack, from the die to the damage or Shock."""

from functools import partial

from msgspec.structs import replace

from affray.engine.core.changes import change_pool, move_item, set_condition, set_item_counter
from affray.engine.core.effects import Ask, Roll, Rule, choice, throw
from affray.engine.errors import Refused
from affray.engine.kit.modifiers import list_granted, use_up_granted
from affray.engine.kit.rulings.verdicts import (
    MISS,
    ON_ATTACKS,
    decide_attack,
    is_under_any_verdict,
    is_under_verdict,
    overrule,
    use_up_verdicts,
)
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.gear.things import armor_class, find_guarding_shield, is_ready
from affray.engine.rulesets.wwn.harm import find_no_shock_reason, find_proof_armor, raise_to_minimum, wound
from affray.engine.rulesets.wwn.marks import ATTACKED
from affray.engine.rulesets.wwn.sheet import is_mounted, things_of
from affray.events import Clause, Dice, Id, Judged, Modifier, Noted, Option, Rolled

from .legality import must_be_in_reach, must_be_loaded, must_fit
from .modifiers import (
    MEANT,
    SITUATED,
    Blow,
    find_wielded,
    list_damage_bonus,
    list_hit_bonus,
    list_shock_terms,
    use_up_ruled,
)

D20 = (Dice(count=1, sides=20, kind="attack"),)

UNHURT: dict[str, Clause] = {
    "unrated": "WWN-034", "far": "WWN-T11", "thrown": "WWN-038", "above": "WWN-037", "immune": "WWN-T10",
}  # fmt: skip
"""The clauses by which a miss does no Shock, by reason."""


def build_announcement(table: Table, actor: Id, blow: Blow) -> Noted:
    """Announce the target's armor class, and whether Shock would apply (WWN-035).

    A shield's protection from Shock is not counted.
    """
    ac = _target_ac(table, blow)
    either = [replace(blow, weapon=one) for one in _list_both(table, blow)] if blow.dual else [blow]
    applies = any(_find_no_shock_reason(table, actor, one, ac) in ("", "shield") for one in either)
    rules: tuple[Clause, ...] = ("WWN-035", "WWN-T06", *_list_armor_clauses(table, blow))
    if blow.mode == "throw":
        rules = (*rules, "WWN-038")
    if table[blow.target].has("shield_committed"):
        rules = (*rules, "WWN-047")
    return Noted(kind="announced", parts={"target": blow.target, "ac": ac, "shock": applies}, rules=rules)


def _list_armor_clauses(table: Table, blow: Blow) -> tuple[Clause, ...]:
    """Return the clauses of the armor class: piercing, a shield's plus."""
    target = table[blow.target]
    if "ac" in target.stats:
        return ("WWN-T59",) if _is_piercing(table, blow) else ()
    shield = find_guarding_shield(table, blow.target)
    return ("WWN-T66",) if shield is not None and "plus" in shield.stats else ()


def _is_piercing(table: Table, blow: Blow) -> bool:
    return "AP" in table.draft.items[blow.weapon].traits and blow.dice is None


def _target_ac(table: Table, blow: Blow) -> int:
    return armor_class(table, blow.target, piercing=_is_piercing(table, blow))


def _list_both(table: Table, blow: Blow) -> tuple[Id, ...]:
    """Return the weapons that may be the one that counts."""
    if blow.dual and table.config.dual_choice == "after_hit":
        return (blow.weapon, blow.dual)
    return (blow.weapon,)


def commit_shield(table: Table, actor: Id, blow: Blow) -> Rule[None]:
    """Stop a shield from guarding its bearer if the attack uses it as a weapon (WWN-046)."""
    if any(table.item(one).kind == "shield" for one in (blow.weapon, blow.dual)):
        yield set_condition(table, actor, "shield_committed", 1, "WWN-046", "WWN-047", "WWN-048")


def strike(table: Table, actor: Id, blow: Blow) -> Rule[bool]:
    """Roll to hit, then damage or Shock; return whether it hit (WWN-029, WWN-T07)."""
    roll: Rolled = yield _build_attack_roll(table, actor, blow)
    yield from use_up_granted(table, actor)
    if actor in table.draft.marks:
        yield from use_up_ruled(table, actor, blow)
    if blow.mode != "melee":
        yield from _use_up(table, actor, blow)
    yield from _provoke(table, actor, blow)
    ac = _target_ac(table, blow) if roll.against is None else roll.against
    settled = judge_by_face(table, roll)
    hit = rolled = roll.total >= ac if settled is None else settled
    ruled = is_under_any_verdict(table, actor)
    if ruled:
        hit, _ = decide_attack(table, actor, hit)
    if len(_list_both(table, blow)) > 1:
        yield _judge_roll(table, roll, ac, rolled, hit, settled)
        if ruled:
            yield from use_up_verdicts(table, actor, ON_ATTACKS, "WWN-T78")
        blow = yield from _choose(table, actor, blow)
        reason = _find_no_shock_reason(table, actor, blow, _target_ac(table, blow))
    else:
        reason = _find_no_shock_reason(table, actor, blow, ac)
        yield _judge_roll(table, roll, ac, rolled, hit, settled, *((UNHURT[reason],) if reason in UNHURT else ()))
        if ruled:
            yield from use_up_verdicts(table, actor, ON_ATTACKS, "WWN-T78")
    if hit and not blow.harmless:
        hit = yield from _apply_hit(table, actor, blow, shocks=not reason)
        if not hit:
            yield _build_judgement(table, roll, ac, "miss", "WWN-T78", rolled="hit")
            yield from use_up_verdicts(table, actor, ON_ATTACKS, "WWN-T78")
    elif not hit and reason == "shield" and _can_shock_reach(table, actor, blow):
        yield change_pool(table, blow.target, "shock_ignored", 1, "WWN-036", "WWN-T10", "WWN-T70")
    elif not hit and reason in ("", "shield"):
        yield from _apply_shock(table, actor, blow)
    return hit


def _find_no_shock_reason(table: Table, actor: Id, blow: Blow, ac: int) -> str:
    """Return the reason why the attack does no Shock; empty if it does."""
    if blow.harmless:
        return "unrated"
    return (
        find_no_shock_reason(table, actor, blow.target, find_wielded(table, blow), blow.mode, ac)
        if blow.shocks
        else "far"
    )


def _can_shock_reach(table: Table, actor: Id, blow: Blow) -> bool:
    """Tell whether Shock would hurt the target without its shield (WWN-T70).

    Armor may stop the Shock as well.
    """
    weapon = find_wielded(table, blow)
    amount = sum([term.value for term in raise_to_minimum(table, list_shock_terms(table, actor, weapon, blow.mode))])
    return amount > 0 and find_proof_armor(table, blow.target, weapon, blow.mode) is None


def _judge_roll(
    table: Table, roll: Rolled, ac: int, rolled: bool, hit: bool, settled: bool | None, *unhurt: Clause
) -> Judged:
    """Judge whether the attack hit, by the dice or by a verdict."""
    rules = ("WWN-008", "WWN-T07") if rolled else ("WWN-029", *unhurt)
    if settled is not None:
        rules = (*rules, "WWN-T08")
    judged = _build_judgement(table, roll, ac, "hit" if rolled else "miss", *rules)
    return overrule(judged, "hit" if hit else "miss", "WWN-T78")


def _build_judgement(table: Table, roll: Rolled, ac: int, outcome: str, *rules: Clause, rolled: str = "") -> Judged:
    """Return an attack's outcome, with a margin only if the armor class is announced."""
    margin = roll.total - ac if table.config.announce_ac else 0
    return Judged(roll=roll.roll, outcome=outcome, margin=margin, rolled=rolled, rules=rules)


def _build_attack_roll(table: Table, actor: Id, blow: Blow) -> Roll:
    """Return the roll to hit (WWN-008).

    If the attacker names the weapon that counts only after the roll, the lower bonus counts.
    """
    ruled = list_granted(table, actor, "WWN-013")
    either = _list_both(table, blow)
    arms = [find_wielded(table, blow)] if len(either) == 1 else [table.item(one) for one in either]
    bonuses = [list_hit_bonus(table, actor, blow, weapon) for weapon in arms]
    bonus = min(bonuses, key=lambda terms: sum([term.value for term in terms]))
    rules = ["WWN-008", *blow.rules]
    if not SITUATED.isdisjoint([term.rule for term in bonus]):
        rules += ["WWN-014", *dict.fromkeys(MEANT[term.rule] for term in bonus if term.rule in MEANT)]
    if blow.dual:
        rules += ["WWN-044", "WWN-T05"] if is_pc(table, actor) else ["WWN-044"]
    if blow.mode == "throw":
        rules.append("WWN-T61")
    if is_mounted(table, blow.target):
        rules.append("WWN-G04")
    return Roll(
        dice=D20,
        purpose="attack",
        by=actor,
        modifiers=(*bonus, *ruled, *blow.extra),
        against=_target_ac(table, blow) if table.config.announce_ac else None,
        rules=tuple(rules),
        again=partial(_build_attack_roll_again, table, actor, blow),
    )


def _build_attack_roll_again(table: Table, actor: Id, blow: Blow) -> Roll:
    """Return the roll to hit after a ruling; refuse it if it is no longer possible."""
    for weapon in (blow.weapon, blow.dual):
        if weapon and not _has_ready(table, actor, weapon):
            raise Refused("weapon_not_readied", "WWN-T67", f"{table.name_of(actor)} has lost {weapon}", source=weapon)
    if blow.dice is None:
        item = table.item(blow.weapon)
        must_be_loaded(item, blow.mode)
        must_fit(table, actor, item, blow.mode, "pending")
        if blow.shocks:
            must_be_in_reach(table, actor, blow.target, item, blow.mode)
    return _build_attack_roll(table, actor, blow)


def _has_ready(table: Table, actor: Id, weapon: Id) -> bool:
    """Tell whether a combatant has an item ready to strike with."""
    item = table.draft.items.get(weapon)
    return item is not None and item.owner == actor and is_ready(item)


def judge_by_face(table: Table, roll: Rolled) -> bool | None:
    """Return whether a natural 1 or 20 decides, and for what (WWN-T08)."""
    face = roll.dice[0].faces[0]
    if face == 1 and table.config.nat_1_misses:
        return False
    return True if face == 20 and table.config.nat_20_hits else None


def _use_up(table: Table, actor: Id, blow: Blow) -> Rule[None]:
    """Use up the shot, or let the thrown weapon leave the hand."""
    weapon = table.draft.items[blow.weapon]
    if blow.mode == "shoot" and "loaded" in weapon.counters:
        yield set_item_counter(table, weapon.id, "loaded", 0, "WWN-T15")
    elif blow.mode == "throw" and weapon.counters.get("count", 1) > 1:
        yield set_item_counter(table, weapon.id, "count", weapon.counters["count"] - 1, "WWN-038", "WWN-T22")
    elif blow.mode == "throw":
        yield move_item(table, weapon.id, "thrown", "WWN-038", "WWN-T22")


def _provoke(table: Table, actor: Id, blow: Blow) -> Rule[None]:
    """Note a beast's attacker, and let a melee attack spoil the target's long loading."""
    traits = table[blow.target].traits
    if "mount" in traits and "war_trained" not in traits and not ATTACKED.is_on(table, blow.target, actor):
        yield ATTACKED.set_on(blow.target, True, "WWN-059", about=actor)
    if blow.mode == "melee":
        things = table.draft.items
        for item in things_of(table, blow.target).arms:
            if things[item].counters.get("loading"):
                yield set_item_counter(table, item, "loading", 0, "WWN-T15")


def _choose(table: Table, actor: Id, blow: Blow) -> Rule[Blow]:
    """Let the attacker name the weapon that counts, also after a miss (WWN-044).

    If only one weapon is left, it counts.
    """
    answer = yield from choice(partial(_build_weapon_question, table, actor, blow))
    if answer is None:
        named = blow.weapon if _has_ready(table, actor, blow.weapon) else blow.dual
    else:
        named = next(one for one in (blow.weapon, blow.dual) if one.removeprefix(f"{actor}.") == answer.choice)
    return replace(blow, weapon=named, dual=blow.dual if named == blow.weapon else blow.weapon)


def _build_weapon_question(table: Table, actor: Id, blow: Blow) -> Ask | None:
    """Return the question which of two weapons counts, while both are there (WWN-T58)."""
    both = [one for one in (blow.weapon, blow.dual) if _has_ready(table, actor, one)]
    if len(both) < 2:
        return None
    options = tuple(Option(choice=one.removeprefix(f"{actor}."), says=table.item(one).name) for one in both)
    return Ask(of=(actor,), about="weapon", options=options, rules=("WWN-044", "WWN-T58"))


def _apply_hit(table: Table, actor: Id, blow: Blow, *, shocks: bool) -> Rule[bool]:
    """Roll damage, at least the Shock where Shock applies (WWN-039).

    Return whether it is still a hit: a verdict can turn it into a miss until the damage is rolled.
    """
    terms = yield from roll_damage(table, actor, blow)
    if not terms:
        return False
    rules: tuple[Clause, ...] = ("WWN-025",)
    if shocks:
        floor = raise_to_minimum(table, list_shock_terms(table, actor, find_wielded(table, blow), blow.mode))
        short = sum([term.value for term in floor]) - sum([term.value for term in terms])
        if short > 0:
            terms = (*terms, Modifier(value=short, label="shock_floor", source=blow.weapon, rule="WWN-039"))
        if blow.dual:
            rules = (*rules, "WWN-042")
    yield from hurt(table, blow, terms, *rules)
    return True


def roll_damage(table: Table, actor: Id, blow: Blow) -> Rule[tuple[Modifier, ...]]:
    """Roll the dice of the weapon, or of an improvised one, and return the damage (WWN-025).

    Return no terms if the game master has turned the hit into a miss.
    """
    roll = yield from throw(partial(_build_damage_roll, table, actor, blow))
    if roll is None:
        return ()
    term = Modifier(value=roll.total, label=find_wielded(table, blow).name, source=blow.weapon, rule="WWN-025")
    return raise_to_minimum(table, (term,))


def _build_damage_roll(table: Table, actor: Id, blow: Blow) -> Roll | None:
    if is_under_verdict(table, actor, MISS):
        return None
    weapon = find_wielded(table, blow)
    return Roll(
        dice=(Dice(count=weapon.stats["dice"], sides=weapon.stats["sides"], kind="damage"),),
        purpose="damage",
        by=actor,
        modifiers=list_damage_bonus(table, actor, blow, weapon),
        rules=("WWN-025",),
    )


def _apply_shock(table: Table, actor: Id, blow: Blow) -> Rule[None]:
    """Do Shock on a miss, without a die (WWN-036)."""
    terms = raise_to_minimum(table, list_shock_terms(table, actor, find_wielded(table, blow), blow.mode))
    yield from hurt(table, blow, terms, "WWN-036", "WWN-T09", "WWN-T11", *(("WWN-042",) if blow.dual else ()))


def hurt(table: Table, blow: Blow, terms: tuple[Modifier, ...], *rules: Clause) -> Rule[None]:
    """Apply an attack's damage or Shock; a Less Lethal weapon can spare the target."""
    weapon = find_wielded(table, blow)
    spare = blow.spare and "LL" in weapon.traits
    yield from wound(table, blow.target, terms, *rules, weapon=weapon, mode=blow.mode, spare=spare)
