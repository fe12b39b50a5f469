"""Disarming: weapon against weapon; the loser may drop its weapon."""

from functools import partial

from affray.engine.core.actions import declared_as
from affray.engine.core.changes import move_item
from affray.engine.core.effects import Go, Roll, Rule, throw
from affray.engine.core.state import Item
from affray.engine.kit.hexes import SIDES, hex_neighbours
from affray.engine.kit.rulings.verdicts import ON_TESTS, SUCCESS, is_under_verdict, judge_test, use_up_verdicts
from affray.engine.rulesets.hexblade.attack.melee import resolve_exchange
from affray.engine.rulesets.hexblade.attack.rolls import (
    Swing,
    find_lead,
    fumble,
    give_no_levels,
    judge_swings,
    roll_answer,
    roll_attack,
)
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.gear import (
    HANDS,
    cite_drawing_waiver,
    find_melee_weapon,
    is_broken,
    list_in_hand,
    must_not_be_just_drawn,
)
from affray.engine.rulesets.hexblade.movement.board import can_be_entered
from affray.engine.rulesets.hexblade.movement.positions import Levels, cite_reach_waiver, must_be_in_reach
from affray.engine.rulesets.hexblade.turns.order import (
    Other,
    PaidAction,
    is_in_phase,
    must_afford,
    must_be_another,
    use_waivers,
)
from affray.events import Dice, Id, Modifier


@declared_as(
    "disarm", "knock the weapon out of a combatant's hand, at the risk of being struck", "target", pays=("HEX-011",)
)
class Disarm(PaidAction, frozen=True, kw_only=True):
    """Knock the weapon out of a target's hand; it counts as an attack (HEX-011, HEX-049 to HEX-054)."""

    target: Other

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: able, budget, weapon, target, its weapon, distance (HEX-011, HEX-049)."""
        must_afford(table, actor, manner)
        own = find_usable_weapon(table, actor)
        if own is None:
            raise table.refuse(actor, "has no weapon in hand to disarm with", "HEX-049")
        must_not_be_just_drawn(table, actor, own)
        must_be_another(table, actor, self.target)
        if find_usable_weapon(table, self.target) is None:
            raise table.refuse(self.target, "has no weapon in hand", "HEX-049")
        must_be_in_reach(table, actor, self.target, "HEX-049")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll as in an attack; a winning initiator disarms instead of hurting (HEX-050, HEX-T31)."""
        weapon = partial(find_melee_weapon, table, actor)
        first = yield from roll_attack(
            table, actor, self.target, weapon, "HEX-049", "HEX-T10", "HEX-050", extra=list_two_hand_levels
        )
        either = table.config.disarm_two_handed_advantage == "either_party"
        extra = list_two_hand_levels if either else give_no_levels
        second = yield from roll_answer(table, first, self.target, "HEX-049", "HEX-050", "HEX-017", extra=extra)
        needed = cite_reach_waiver(table, actor, self.target, "HEX-049")
        yield from use_waivers(table, actor, *needed, *cite_drawing_waiver(table, first.weapon))
        wins = find_lead(first, second) > 0 and not (first.is_critical and second.is_critical)
        if wins or is_under_verdict(table, actor, SUCCESS):
            judged = judge_swings(first, second, "wins" if wins else "loses", "HEX-051")
            if (yield from judge_test(table, actor, judged, wins, ("wins", "loses"), "HEX-T53")):
                yield from disarm(table, first, second)
            else:
                yield from fail_by_verdict(table, first, second)
        else:
            yield from use_up_verdicts(table, actor, ON_TESTS, "HEX-T53")
            both = ("HEX-T31",) if first.is_critical and second.is_critical else ()
            yield from resolve_exchange(table, first, second, "HEX-050", *both)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse an attempt that could no longer be declared, until the rolls are made."""
        if is_in_phase(table, "exchange"):
            self.check(table, actor, "pending")


def find_usable_weapon(table: Table, who: Id) -> Item | None:
    """Return the usable weapon in hand: a melee weapon, or else a ranged one."""
    weapons = [item for item in list_in_hand(table, who) if item.kind == "weapon" and not is_broken(item)]
    wielded = find_melee_weapon(table, who)
    return wielded if wielded in weapons else next(iter(weapons), None)


def list_two_hand_levels(weapon: Item) -> Levels:
    """Return the advantage of a weapon that is held in both hands (HEX-053)."""
    if weapon.stats["hands"] < HANDS:
        return ()
    return (Modifier(value=1, label="two hands", source=weapon.id, rule="HEX-053"),)


def fail_by_verdict(table: Table, first: Swing, second: Swing) -> Rule[None]:
    """Fail by a verdict in spite of the better roll; natural 1s still count."""
    yield Go("no_blow", rules=("HEX-T53",))
    yield from fumble(table, first, second)
    yield Go("settled")


def disarm(table: Table, first: Swing, second: Swing) -> Rule[None]:
    """Let the target's weapon fall beside it, and apply natural 1s (HEX-051, HEX-052)."""
    yield Go("no_blow", rules=("HEX-051",))
    way = yield from throw(partial(_build_direction_roll, table, first.who, second.who))
    weapon = find_usable_weapon(table, second.who)
    if way is not None and weapon is not None:
        where = find_landing_hex(table, table[second.who].place, way.total)
        yield move_item(table, weapon.id, where, "HEX-052", "HEX-054", owner="")
    yield from fumble(table, first, second)
    yield Go("settled")


def _build_direction_roll(table: Table, by: Id, who: Id) -> Roll | None:
    """Return the die for the direction, as long as the target has a weapon to lose."""
    dice = (Dice(count=1, sides=SIDES, kind="drop"),)
    loses = table[who].place and find_usable_weapon(table, who)
    return Roll(dice=dice, purpose="drop", by=by, rules=("HEX-054",)) if loses else None


def find_landing_hex(table: Table, place: Id, face: int) -> Id:
    """Return the hex in a die's direction, or the own one if it cannot be entered (HEX-054)."""
    ring = hex_neighbours(place)
    return ring[face - 1] if ring and can_be_entered(table, ring[face - 1]) else place
