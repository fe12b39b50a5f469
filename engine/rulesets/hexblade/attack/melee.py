"""Melee attacks: both sides roll, and either may be struck."""

from functools import partial
from typing import Self

from msgspec.structs import replace

from affray.engine.core.actions import declared_as
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item
from affray.engine.kit.rulings.verdicts import (
    CRITICAL,
    HIT,
    ON_ATTACKS,
    is_under_any_verdict,
    is_under_verdict,
    overrule,
    use_up_verdicts,
)
from affray.engine.rulesets.hexblade.attack.rolls import (
    Swing,
    apply_late_miss,
    cite,
    decide_swing,
    find_lead,
    fumble,
    judge_swings,
    roll_answer,
    roll_attack,
)
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.gear import (
    cite_drawing_waiver,
    draw_to_use,
    find_melee_weapon,
    is_broken,
    is_in_hand,
    is_on_belt,
    must_not_be_just_drawn,
)
from affray.engine.rulesets.hexblade.harm import Blow, deal, settle_fallen, wear_weapons
from affray.engine.rulesets.hexblade.movement.positions import cite_reach_waiver, list_covers, must_be_in_reach
from affray.engine.rulesets.hexblade.sheet import refusal
from affray.engine.rulesets.hexblade.turns.order import (
    Other,
    PaidAction,
    is_in_phase,
    must_afford,
    must_be_another,
    use_waivers,
)
from affray.events import Clause, Id, ItemId


@declared_as(
    "attack",
    "strike an adjacent combatant; the higher roll hurts the other side",
    "target",
    "weapon",
    pays=("HEX-010",),
)
class Attack(PaidAction, frozen=True, kw_only=True):
    """Strike an adjacent combatant with the weapon in hand, or bare hands (HEX-010, HEX-016 to HEX-026).

    Attributes:
        weapon: Item id of a weapon in hand; optional.
    """

    target: Other
    weapon: ItemId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: able, budget, weapon, target and distance (HEX-010)."""
        must_afford(table, actor, manner)
        drawn = manner != "pending"
        must_not_be_just_drawn(table, actor, find_striking_weapon(table, actor, self.weapon, drawn=drawn))
        must_be_another(table, actor, self.target)
        must_be_in_reach(table, actor, self.target, "HEX-016")

    def fix_choices(self, table: Table, actor: Id) -> Self:
        """Fix the weapon to the one in hand at the declaration."""
        return self if self.weapon else replace(self, weapon=find_melee_weapon(table, actor).id)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action, and draw the weapon if it is on the belt."""
        yield from super().pay(table, actor, manner)
        yield from draw_to_use(table, actor, self.weapon)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll against each other, and apply the blows that land (HEX-081)."""
        weapon = partial(find_striking_weapon, table, actor, self.weapon)
        sheltered = ("HEX-081",) if list_covers(table, actor, self.target) else ()
        first = yield from roll_attack(table, actor, self.target, weapon, "HEX-017", *sheltered)
        second = yield from roll_answer(table, first, self.target, "HEX-017", "HEX-020")
        needed = cite_reach_waiver(table, actor, self.target, "HEX-016")
        yield from use_waivers(table, actor, *needed, *cite_drawing_waiver(table, first.weapon))
        yield from resolve_exchange(table, first, second)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse an attack that could no longer be declared, until the rolls are made."""
        if is_in_phase(table, "exchange"):
            self.check(table, actor, "pending")


def find_striking_weapon(table: Table, actor: Id, weapon: Id, *, drawn: bool = False) -> Item:
    """Return the weapon that a combatant strikes with.

    It is the named weapon or the one in hand. A ranged weapon serves no better than bare hands.
    A weapon on the belt serves if it can still be ``drawn``.

    Raises:
        Refused: The weapon is broken (HEX-042), or not in hand (HEX-062).
    """
    if not weapon:
        return find_melee_weapon(table, actor)
    item = table.item(weapon)
    if is_broken(item):
        raise refusal("HEX-042", f"the {item.quoted_name} is broken", weapon)
    bare = f"{actor}.unarmed"
    ready = is_in_hand(table, actor, weapon) or (drawn and is_on_belt(table, actor, item))
    if weapon != bare and (item.kind != "weapon" or not ready):
        raise refusal("HEX-062", f"{table.name_of(actor)} has no {item.quoted_name} in hand", weapon)
    return item if "melee" in item.traits else table.item(bare)


def resolve_exchange(table: Table, first: Swing, second: Swing, *rules: Clause) -> Rule[None]:
    """Let the better roll strike, or both on a tie; then settle the fallen (HEX-021, HEX-036)."""
    margin = find_lead(first, second)
    if first.is_critical and second.is_critical:
        outcome, rules = "both critical", (*rules, "HEX-036")
    elif margin == 0:
        outcome, rules = "tie", (*rules, "HEX-026")
    else:
        outcome, rules = "wins" if margin > 0 else "loses", (*rules, "HEX-021")
    both = outcome == "both critical"
    lands, answers = margin >= 0 or both, margin <= 0 or both
    crits = first.is_critical, second.is_critical
    judged = judge_swings(first, second, outcome, *rules)
    ruled = is_under_any_verdict(table, first.who) or is_under_any_verdict(table, second.who)
    if ruled:
        lands, answers, crits = _apply_verdicts(table, first, second, lands, answers)
        if not (both and lands and answers):
            judged = overrule(judged, OUTCOMES[lands, answers], "HEX-T53")
        if crits != (first.is_critical, second.is_critical):
            judged = cite(judged, "HEX-T53")
    yield judged
    if ruled:
        yield from use_up_verdicts(table, first.who, ON_ATTACKS, "HEX-T53")
        yield from use_up_verdicts(table, second.who, ON_ATTACKS, "HEX-T53")
    blows = []
    if lands:
        blows.append(Blow(first.who, second.who, first.weapon, crits[0]))
    if answers:
        blows.append(Blow(second.who, first.who, second.weapon, crits[1]))
    yield Go("struck", rules=("HEX-021",))
    landed = yield from deal(table, *blows)
    for swing, landing in ((first, lands), (second, answers)):
        if is_under_any_verdict(table, swing.who):
            yield from apply_late_miss(table, swing, landing)
    yield Go("dealt", rules=("HEX-025",))
    yield from wear_weapons(table, landed)
    yield from fumble(table, first, second)
    yield Go("settled")
    yield from settle_fallen(table, *(one.blow.on for one in landed if one.amount))


OUTCOMES = {(True, True): "tie", (True, False): "wins", (False, True): "loses", (False, False): "miss"}
"""The outcome of an exchange by a verdict: whether the blow lands, and whether the answer does."""


def _apply_verdicts(
    table: Table, first: Swing, second: Swing, lands: bool, answers: bool
) -> tuple[bool, bool, tuple[bool, bool]]:
    """Return which blows land and which are critical, by the dice and both verdicts.

    A blow that lands by a verdict alone lands in place of the other blow.
    """
    hits, crit = decide_swing(table, first, lands)
    hit_back, crit_back = decide_swing(table, second, answers)
    if hits and not lands and not is_under_verdict(table, second.who, HIT, CRITICAL):
        hit_back = False
    if hit_back and not answers and not is_under_verdict(table, first.who, HIT, CRITICAL):
        hits = False
    return hits, hit_back, (crit, crit_back)
