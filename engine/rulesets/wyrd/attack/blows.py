"""The result of a test in a fight: the hit, its damage, and what replaces it (WYR-013 to WYR-020)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from affray.engine.core.effects import Ask, Roll, Rule, choice
from affray.engine.errors import Refused
from affray.engine.kit.rulings.verdicts import MISS, NO_CRITICAL, ON_ATTACKS, is_under_verdict, use_up_verdicts
from affray.engine.rulesets.wyrd.chapters.wear_and_tear import (
    ask_wear,
    find_highest,
    list_prompts,
    list_thrown_weapons,
    note_prompt,
    throw_dice,
    wear_down,
)
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear.pieces import list_weapon_dice
from affray.engine.rulesets.wyrd.harm import Hit, wound
from affray.engine.rulesets.wyrd.marks import ALLOWED, BLOW, CONSEQUENCE
from affray.engine.rulesets.wyrd.sheet import can_be_hurt, can_test, is_active, leaves_test_to, must_be_active
from affray.events import Clause, Dice, Id, Judged, Noted, Option, Rolled

from .testing import AbilityTest, Support

Arms = Callable[[], tuple[Id, ...]]
"""The weapons of a blow, read from the table; raises a refusal if none will do."""

MELEE_ABILITIES = ("power", "grace")
"""The abilities that fit a melee without a ruling (WYR-013)."""

SPARED = Option(choice="spared", says="only the one who tested is hurt")

BOTH = Option(choice="hit", says="whoever helped is hurt as well")

AFTER = Option(choice="after", says="what it brings comes after the damage")

BEFORE = Option(choice="before", says="what it brings comes before the damage")


def must_test(table: Table, actor: Id, target: Id, kind: str) -> None:
    """Refuse a test to foes, and to hirelings against player characters.

    They attack, and the target tests.
    """
    if not can_test(table, actor) or leaves_test_to(table, actor, target):
        raise table.refuse(actor, f"does not {kind} but attack, and the target tests", "WYR-G01", "npc_attacks")


def must_fit(table: Table, actor: Id, name: str, usual: tuple[str, ...], rule: Clause) -> None:
    """Refuse an ability that is neither usual here nor allowed by a ruling."""
    if name and name not in usual and not ALLOWED.of(table, actor, name):
        raise Refused("needs_ruling", rule, f"{name} is not usual here; the game master may allow it", source=actor)


def use_up_ability(table: Table, actor: Id, name: str, usual: tuple[str, ...]) -> Rule[None]:
    """Use up the ruling that allowed an unusual ability."""
    if name and name not in usual:
        yield ALLOWED.clear_on(actor, about=name)


def strike(table: Table, striker: Id, arms: Arms, target: Id, *rules: Clause, shot: bool = False) -> Rule[Hit | None]:
    """Roll the weapon dice of a striker that makes no test; the highest is the damage (WYR-020).

    The game master may have ruled the dice. Without dice the blow does the damage of bare hands. A blow that
    was ruled a miss before its dice have fallen does nothing (WYR-T65).

    Raises:
        Refused: The striker is down, or the target gone, before the dice have fallen.
    """

    def find_roll() -> Roll | None:
        must_be_active(table, striker)
        if not can_be_hurt(table, target):
            raise table.refuse(target, "is out of the fight", "WYR-T50", "target_out")
        if is_under_verdict(table, striker, MISS):
            return None
        own = list_weapon_dice(table, striker, arms())
        dice = read_ruled_dice(table, striker) or own
        clauses = (*rules, "WYR-020")
        return (
            Roll(dice=dice, purpose=f"blow:{striker}", by=striker, reading="highest", rules=clauses) if dice else None
        )

    roll = yield from throw_dice(table, find_roll)
    if is_under_verdict(table, striker, MISS):
        yield from use_up_verdicts(table, striker, ON_ATTACKS, "WYR-T65")
        yield Noted(kind="misses", parts={"who": striker}, rules=("WYR-T65",))
        return None
    yield from use_up_verdicts(table, striker, ON_ATTACKS, "WYR-T65")
    if roll is None:
        return hit_without_dice(table, arms(), target, "WYR-020")
    yield from BLOW.end_on(table, striker)
    face, item = find_highest(roll, "weapon")
    label = table.item(item).name if item else "weapon"
    yield from wear_down(table, roll)
    return Hit(who=target, amount=face, label=label, source=item, rule="WYR-020", shot=shot)


def read_ruled_dice(table: Table, who: Id) -> tuple[Dice, ...]:
    """Return the dice that the game master ruled for the next blow, if any."""
    return tuple([Dice(count=1, sides=int(one), kind="weapon") for one in BLOW.of(table, who)])


def hit_without_dice(table: Table, weapons: tuple[Id, ...], target: Id, rule: Clause) -> Hit:
    """Return the hit of an item without a die, such as bare hands."""
    item = table.item(weapons[0])
    return Hit(who=target, amount=item.stats.get("damage", 0), label=item.name, source=item.id, rule=rule)


def land_blow(
    table: Table, tested: AbilityTest, arms: Arms, who: Id, foe: Id, *rules: Clause, shot: bool = False
) -> Rule[None]:
    """Hurt the foe by the highest weapon face of a test; a 6++ may come first (WYR-019)."""
    face, item = find_highest(tested.roll, "weapon")
    if item:
        hit = Hit(who=foe, amount=face, label=table.item(item).name, source=item, rule="WYR-019", shot=shot)
    else:
        hit = hit_without_dice(table, arms(), foe, "WYR-019")
    yield from ask_before_damage(table, tested, who, foe)
    if is_under_verdict(table, who, MISS):
        yield from downgrade_hit(table, tested, who, "failure")
        return
    yield from wound(table, hit, *rules)


def cite_several_weapons(roll: Rolled) -> tuple[Clause, ...]:
    """Return the clause by which the highest of several weapons counts (WYR-037)."""
    return ("WYR-037",) if len(list_thrown_weapons(roll)) > 1 else ()


def ask_before_damage(table: Table, tested: AbilityTest, who: Id, foe: Id) -> Rule[None]:
    """Ask whether the effect of a 6++ comes before its damage (WYR-043, WYR-T40)."""
    if not tested.is_multiple:
        return
    asked = Ask(of=("gm",), about="critical", options=(AFTER, BEFORE), rules=("WYR-041", "WYR-043", "WYR-T40"))

    def find_question() -> Ask | None:
        return asked if can_be_hurt(table, foe) and not is_under_verdict(table, who, MISS, NO_CRITICAL) else None

    answer = yield from choice(find_question)
    if is_under_verdict(table, who, MISS):
        return
    if is_under_verdict(table, who, NO_CRITICAL):
        yield from downgrade_hit(table, tested, who, "success")
        return
    yield note_prompt(table, "wear", "WYR-043", foe, who)
    if answer is not None and answer.choice == "before":
        yield from ask_wear(table, list_prompts(table)[0])


def downgrade_hit(table: Table, tested: AbilityTest, who: Id, outcome: str) -> Rule[None]:
    """Lower the result of a hit by a verdict that came before its damage."""
    margin = tested.roll.total - (tested.roll.against or 0)
    yield Judged(roll=tested.roll.roll, outcome=outcome, margin=margin, rolled=tested.outcome, rules=("WYR-T65",))
    yield from use_up_verdicts(table, who, ON_ATTACKS, "WYR-T65")


def note_multiple(table: Table, tested: AbilityTest, who: Id, foe: Id = "") -> Rule[None]:
    """Note for the game master a 6++ that does no damage."""
    if tested.is_multiple:
        yield note_prompt(table, "wear", "WYR-043", foe, who)


def replace_by_consequence(table: Table, who: Id, rule: Clause) -> Rule[bool]:
    """Replace a hit by a consequence ruled beforehand; return whether there was one."""
    ruled = CONSEQUENCE.of(table, who)
    if not ruled:
        return False
    yield CONSEQUENCE.clear_on(who)
    yield Noted(kind="consequence", parts={"who": who, "outcome": ruled}, rules=(rule,))
    return True


def ask_shared_risk(table: Table, hit: Hit, support: Support) -> Rule[None]:
    """Ask whether the ally who helped is hit as well."""
    asked = Ask(of=("gm",), about="shared_risk", options=(SPARED, BOTH), rules=("WYR-T12",))
    answer = yield from choice(lambda: asked if is_active(table, support.helper) else None)
    if answer is not None and answer.choice == "hit":
        yield from wound(table, replace(hit, who=support.helper), "WYR-T12")
