"""Shots and throws: an attack against an evade, and stray missiles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Self

from msgspec.structs import replace

from affray.engine.core.actions import declared_as
from affray.engine.core.effects import Go, Roll, Rule, throw
from affray.engine.core.state import Item
from affray.engine.kit.hexes import hex_neighbours
from affray.engine.kit.rulings.verdicts import ON_ATTACKS, judge_test, overrule, use_up_verdicts
from affray.engine.rulesets.hexblade import gear
from affray.engine.rulesets.hexblade.attack.rolls import (
    Swing,
    apply_late_miss,
    cite,
    decide_swing,
    find_lead,
    fumble,
    judge_swings,
    roll_attack,
    roll_evade,
)
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.harm import Blow, LandedBlow, deal, settle_fallen, wear_weapons
from affray.engine.rulesets.hexblade.marks import DC
from affray.engine.rulesets.hexblade.movement.positions import cite_sight_waiver, must_be_in_sight, must_be_on_map
from affray.engine.rulesets.hexblade.sheet import refusal
from affray.engine.rulesets.hexblade.turns.order import (
    Other,
    PaidAction,
    is_in_phase,
    must_afford,
    must_be_another,
    use_waivers,
)
from affray.events import Clause, Dice, Id, ItemId, Judged


@declared_as("shoot", "shoot or throw at a combatant, who evades", "target", "weapon", pays=("HEX-010",))
class Shoot(PaidAction, frozen=True, kw_only=True):
    """Shoot or throw at a target with the ranged weapon in hand (HEX-010, HEX-027 to HEX-037).

    Attributes:
        weapon: Item id of a ranged weapon in hand; optional.
    """

    target: Other
    weapon: ItemId = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants that have a ranged weapon."""
        return any(item.kind == "weapon" and gear.is_ranged(item) for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: able, budget, missiles, weapon, target, and a wall (HEX-027)."""
        must_afford(table, actor, manner)
        launcher = find_launcher(table, actor, self.weapon, drawn=manner != "pending")
        gear.must_be_loaded(table, actor, launcher)
        if gear.is_broken(launcher):
            raise refusal("HEX-042", f"the {launcher.quoted_name} is broken", launcher.id)
        gear.must_not_be_just_drawn(table, actor, launcher)
        must_be_another(table, actor, self.target)
        must_be_on_map(table, self.target, "HEX-071")
        must_be_on_map(table, actor, "HEX-071")
        must_be_in_sight(table, actor, self.target, "HEX-027")

    def fix_choices(self, table: Table, actor: Id) -> Self:
        """Fix the weapon to the one in hand at the declaration."""
        return self if self.weapon else replace(self, weapon=find_launcher(table, actor, "").id)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action, and draw the weapon if it is on the belt."""
        yield from super().pay(table, actor, manner)
        yield from gear.draw_to_use(table, actor, self.weapon)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll, spend the missile, let the target evade; then neighbours may be in danger."""
        first = yield from roll_attack(table, actor, self.target, partial(self._find_launcher, table, actor), "HEX-027")
        supply = gear.find_missiles(table, actor, table.item(first.weapon))
        assert supply is not None  # it was there when the dice fell
        yield from gear.spend_missile(table, supply.id)
        needed = cite_sight_waiver(table, actor, self.target, "HEX-027")
        yield from use_waivers(table, actor, *needed, *gear.cite_drawing_waiver(table, first.weapon))
        second = yield from roll_evade(table, actor, self.target, lambda: first.total, "HEX-027")
        yield from resolve_shot(table, first, second)

    def _find_launcher(self, table: Table, actor: Id) -> Item:
        """Return the weapon of the shot, after checking the declaration again."""
        self.check(table, actor, "pending")
        return find_launcher(table, actor, self.weapon)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse a shot at a departed target; a loosed missile cannot be stopped otherwise."""
        if is_in_phase(table, "exchange"):
            must_be_on_map(table, self.target, "HEX-027")


def find_launcher(table: Table, actor: Id, weapon: Id, *, drawn: bool = False) -> Item:
    """Return the weapon that a combatant shoots with.

    It is the named weapon, or the ranged weapon in hand, an unbroken one if possible.
    A named weapon on the belt serves if it can still be ``drawn``.

    Raises:
        Refused: There is no ranged weapon in hand (HEX-027).
    """
    found = [item for item in gear.list_in_hand(table, actor) if item.kind == "weapon" and gear.is_ranged(item)]
    if weapon:
        named = table.item(weapon)
        found = [item for item in found if item.id == weapon]
        if drawn and named.kind == "weapon" and gear.is_ranged(named) and gear.is_on_belt(table, actor, named):
            found = [named]
        if not found:
            raise refusal("HEX-027", f"{table.name_of(actor)} has no {named.quoted_name} in hand to shoot with", weapon)
    if not found:
        raise table.refuse(actor, "has nothing in hand to shoot with", "HEX-027")
    return min(found, key=gear.is_broken)


def resolve_shot(table: Table, first: Swing, second: Swing) -> Rule[None]:
    """Hit on a better roll, resolve a stray missile, and settle the fallen (HEX-028, HEX-037, HEX-T36)."""
    rolled = find_lead(first, second) > 0
    hit, critical = decide_swing(table, first, rolled)
    both: tuple[Clause, ...] = ("HEX-037",) if first.is_critical and second.is_critical else ()
    unmoved: tuple[Clause, ...] = () if second.roll else ("HEX-T37",)
    judged = judge_swings(first, second, "hit" if rolled else "miss", "HEX-028", *both, *unmoved)
    judged = overrule(judged, "hit" if hit else "miss", "HEX-T53")
    yield cite(judged, "HEX-T53") if hit and critical != first.is_critical else judged
    yield from use_up_verdicts(table, first.who, ON_ATTACKS, "HEX-T53")
    when, near = table.config.crowd_when, bool(list_occupied_hexes(table, first.who, second.who))
    landed: tuple[LandedBlow, ...] = ()
    if near and when == "divert":
        yield Go("strays", rules=("HEX-031",))
        landed = yield from endanger(table, first, second.who)
        hit = hit and not landed
    if hit:
        landed = yield from _hit_target(table, first, second, critical)
    else:
        yield Go("no_blow", rules=("HEX-028",))
    yield from fumble(table, first)
    if near and (when == "always" or (when == "on_miss" and not hit)):
        yield Go("strays", rules=("HEX-031",))
        landed = (*landed, *(yield from endanger(table, first, second.who)))
    yield Go("settled")
    yield from settle_fallen(table, *(one.blow.on for one in landed if one.amount))


def _hit_target(table: Table, first: Swing, second: Swing, critical: bool) -> Rule[tuple[LandedBlow, ...]]:
    """Let the shot hurt its target, with doubled dice if it is critical (HEX-029)."""
    yield Go("struck", rules=("HEX-028",))
    landed = yield from deal(table, Blow(first.who, second.who, first.weapon, critical))
    yield from apply_late_miss(table, first, True)
    yield Go("dealt", rules=("HEX-025",))
    yield from wear_weapons(table, landed)
    return landed


CHANCE = 50
"""The percentage of shots that endanger a neighbour of the target (HEX-031)."""

EXEMPT = "exempt"
"""The trait of a bystander that stray missiles spare, by ruling."""

SCENERY = "scenery"
"""The trait of a hex that counts as occupied without a combatant."""


def list_occupied_hexes(table: Table, shooter: Id, target: Id) -> tuple[Id, ...]:
    """Return the occupied hexes next to a target, in the order of the directions (HEX-030).

    Friends and foes count alike, but not the shooter, nor combatants that the game master exempted.
    """
    return tuple(hex for hex in hex_neighbours(table[target].place) if is_occupied(table, hex, shooter, target))


def is_occupied(table: Table, hex: Id, *without: Id) -> bool:
    """Return whether a hex holds anything that a missile could hit."""
    place = table.draft.places.get(hex)
    return bool(find_bystander(table, hex, *without)) or (place is not None and SCENERY in place.traits)


def find_bystander(table: Table, hex: Id, *without: Id) -> Id:
    """Return the known combatant that a stray missile could hit in a hex, or nothing."""
    there = [who for who in table.list_known(table.at(hex)) if who not in without and EXEMPT not in table[who].traits]
    return there[0] if there else ""


def endanger(table: Table, first: Swing, target: Id) -> Rule[tuple[LandedBlow, ...]]:
    """Roll for danger to a random neighbour and let it evade; return the hits (HEX-031)."""
    near = partial(list_occupied_hexes, table, first.who, target)
    chance = yield from throw(partial(_build_chance_roll, table, first.who, near))
    if chance is None:
        return ()
    danger = chance.total <= CHANCE
    outcome = "somebody is endangered" if danger else "nobody is endangered"
    yield Judged(roll=chance.roll, outcome=outcome, margin=CHANCE - chance.total, rules=("HEX-031",))
    if not danger:
        return ()
    victim = yield from throw(partial(_build_victim_roll, first.who, near))
    hexes = near()
    who = find_bystander(table, hexes[victim.total - 1 if victim else 0], first.who, target) if hexes else ""
    if not who:
        return ()
    landed = yield from _strike_bystander(table, first, who)
    return landed


def _build_chance_roll(table: Table, shooter: Id, near: Callable[[], tuple[Id, ...]]) -> Roll | None:
    """Return the d100 for danger, as long as a neighbour is near."""
    before: tuple[Clause, ...] = ("HEX-T36",) if table.config.crowd_when == "divert" else ()
    dice = (Dice(count=1, sides=100, kind="crowd"),)
    rules = ("HEX-030", "HEX-031", *before)
    return Roll(dice=dice, purpose="crowd", by=shooter, against=CHANCE, rules=rules) if near() else None


def _build_victim_roll(shooter: Id, near: Callable[[], tuple[Id, ...]]) -> Roll | None:
    """Return a die with a face for each occupied hex; a single one needs none (HEX-032)."""
    dice = (Dice(count=1, sides=len(near()), kind="crowd"),)
    return Roll(dice=dice, purpose="whom", by=shooter, rules=("HEX-032",)) if len(near()) > 1 else None


def _strike_bystander(table: Table, first: Swing, who: Id) -> Rule[tuple[LandedBlow, ...]]:
    """Let a neighbour evade the shot; otherwise it is hit, without a critical (HEX-033)."""

    def find_aim() -> Swing:
        return replace(first, total=DC.of(table, who), face=0) if DC.is_on(table, who) else first

    second = yield from roll_evade(table, first.who, who, lambda: find_aim().total, "HEX-033", "HEX-032")
    aim = find_aim()
    if second.roll:
        yield from DC.end_on(table, who, "HEX-033")
        evades = has_evaded(aim, second)
        outcome = EVADES[not evades]
        natural: tuple[Clause, ...] = ("HEX-T37",) if second.is_critical else ()
        judged = Judged(roll=second.roll, outcome=outcome, margin=second.total - aim.total, rules=("HEX-033", *natural))
        if (yield from judge_test(table, who, judged, evades, EVADES, "HEX-T53")):
            return ()
    because: tuple[Clause, ...] = ("HEX-033",) if second.roll else ("HEX-033", "HEX-T37", "HEX-G03")
    landed = yield from deal(table, Blow(first.who, who, first.weapon), because=because)
    yield from wear_weapons(table, landed)
    return landed


EVADES = ("evades", "hit")
"""The outcomes of an evade."""


def has_evaded(aim: Swing, second: Swing) -> bool:
    """Return whether an evade succeeds (HEX-T37).

    It succeeds on the shot's total or more, and on a natural 20 unless the shot was one.
    """
    return second.total >= aim.total or (second.is_critical and not aim.is_critical)
