"""Knocking a target prone: weapon against evade."""

from functools import partial

from affray.engine.core.actions import declared_as
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.rulesets.hexblade.attack.rolls import (
    CRITICAL,
    FUMBLE,
    SUCCEEDS,
    find_lead,
    fumble,
    judge_swings,
    roll_attack,
    roll_evade,
)
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.gear import HANDS, cite_drawing_waiver, find_melee_weapon, must_not_be_just_drawn
from affray.engine.rulesets.hexblade.movement.positions import Levels, cite_reach_waiver, must_be_in_reach
from affray.engine.rulesets.hexblade.sheet import give_state
from affray.engine.rulesets.hexblade.turns.order import Other, PaidAction, must_afford, must_be_another, use_waivers
from affray.events import Clause, Id, Modifier


@declared_as("knock_prone", "knock an adjacent combatant off its feet", "target", throughout=True, pays=("HEX-011",))
class KnockProne(PaidAction, frozen=True, kw_only=True):
    """Knock an adjacent target off its feet, without hurting it (HEX-011, HEX-055 to HEX-057)."""

    target: Other

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: able, budget, target and distance (HEX-055)."""
        must_afford(table, actor, manner)
        must_not_be_just_drawn(table, actor, find_melee_weapon(table, actor))
        must_be_another(table, actor, self.target)
        must_be_in_reach(table, actor, self.target, "HEX-055")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll an attack against an evade; a tie fails, and no damage is done (HEX-056, HEX-T30)."""
        weapon = partial(find_melee_weapon, table, actor)
        first = yield from roll_attack(
            table, actor, self.target, weapon, "HEX-055", "HEX-T10", extra=list_one_hand_levels
        )
        second = yield from roll_evade(table, actor, self.target, lambda: first.total, "HEX-055")
        needed = cite_reach_waiver(table, actor, self.target, "HEX-055")
        yield from use_waivers(table, actor, *needed, *cite_drawing_waiver(table, first.weapon))
        success = find_lead(first, second) > 0
        both: tuple[Clause, ...] = ("HEX-037",) if first.is_critical and second.is_critical else ()
        natural: tuple[Clause, ...] = ("HEX-T30",) if first.face in (CRITICAL, FUMBLE) or second.is_critical else ()
        rules = ("HEX-056", *both, *natural)
        judged = judge_swings(first, second, SUCCEEDS[not success], *rules)
        success = yield from judge_test(table, actor, judged, success, SUCCEEDS, "HEX-T53")
        yield Go("no_blow", rules=("HEX-055",))
        yield from fumble(table, first)
        yield Go("settled")
        if success:
            yield from give_state(table, self.target, "prone", "HEX-056", "HEX-G01")


def list_one_hand_levels(weapon: Item) -> Levels:
    """Return the disadvantage of a weapon not held in both hands, or of bare hands (HEX-057)."""
    if weapon.stats["hands"] >= HANDS:
        return ()
    return (Modifier(value=-1, label="one hand", source=weapon.id, rule="HEX-057"),)
