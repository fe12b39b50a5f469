"""Shots: aiming, firing, also into a melee, and volleys in answer (WYR-050 to WYR-059, WYR-G04)."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Self

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import Among
from affray.engine.core.effects import Go, Roll, Rule, throw
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.kit.distances import stated_view
from affray.engine.kit.sides import Enemy
from affray.engine.rulesets.wyrd.chapters.wear_and_tear import (
    draw_thrown_weapons,
    find_highest,
    list_thrown_weapons,
    note_prompt,
)
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear import pieces
from affray.engine.rulesets.wyrd.harm import Hit, wound
from affray.engine.rulesets.wyrd.marks import ALLOWED, STRAY
from affray.engine.rulesets.wyrd.movement.melee import (
    can_see,
    is_engaged,
    is_engaged_with,
    list_others_in_melee,
    must_be_in_sight,
)
from affray.engine.rulesets.wyrd.sheet import (
    can_be_hurt,
    can_test,
    cite_hireling_test,
    is_active,
    is_helpless,
    must_be_enemy,
)
from affray.engine.rulesets.wyrd.turns.turn import must_be_able
from affray.events import Clause, Dice, Id, ItemId, Modifier, Rolled, Source

from .blows import Arms, ask_shared_risk, land_blow, must_fit, must_test, replace_by_consequence, strike, use_up_ability
from .testing import ALONE, AbilityAction, Support, attempt

SHOT_ABILITIES = ("grace",)
"""The ability that fits a shot without a ruling (WYR-050)."""


@declared_as("fire", "shoot at an enemy", "target", "weapon", pays=("WYR-050",))
class Fire(AbilityAction, frozen=True, kw_only=True):
    """Shoot at an enemy in sight: an ability and the weapon.

    Attributes:
        weapon: Item to shoot with; by default the first that is in hand or carried.
        ability: Grace; other abilities need a ruling.
    """

    target: Enemy
    weapon: Annotated[ItemId, Among(pieces.list_offered_weapons, True)] = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants that make their own tests and have a ranged weapon."""
        return can_test(table, actor) and any(pieces.is_ranged(table, item) for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order.

        Active, budget, engaged, supplied, loaded, weapon, ability, target, sight.
        """
        must_be_able(table, actor, manner)
        must_test(table, actor, self.target, "fire")
        self.check_support(table, actor, manner)
        must_be_fit_to_shoot(table, actor, self.weapon)
        must_fit(table, actor, self.ability, SHOT_ABILITIES, "WYR-050")
        must_be_enemy(table, actor, self.target, "WYR-050")
        must_be_in_sight(table, actor, self.target, "WYR-050")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Shoot; a helpless target is hit without a test and without help."""
        yield Go("carry_out", rules=("WYR-050",))
        support = (yield from self.pay_support(table, actor)) if is_active(table, self.target) else ALONE
        arms = partial(pieces.choose_weapons, table, actor, self.weapon, shot=True, rule="WYR-050")
        yield from pieces.take_up(table, actor, arms())
        yield from shoot(table, actor, self.target, arms, self.ability or "grace", support)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the candidates of a field; the default weapon is offered with a push too."""
        if field == "push" and not so_far.weapon:
            return (False, True)
        return super().values(table, actor, manner, field, so_far)


def shoot(table: Table, who: Id, target: Id, arms: Arms, name: str, support: Support) -> Rule[None]:
    """Test a shot: hit the target, hit another combatant in its melee, or face a volley (WYR-050).

    Help is paid for already. A target that is helpless before the dice fall is hit without a test (WYR-G03).
    """
    try:
        tested = yield from attempt(
            table,
            who,
            name,
            lambda: (*pieces.list_weapon_dice(table, who, arms()), *pieces.list_ammunition_dice(table, who)),
            "WYR-050",
            foe=target,
            versus=target,
            support=support,
            hindrances=partial(list_hindrances, table, who, target),
            won="WYR-050",
            lost="WYR-051",
            cited=partial(cite_hireling_test, table, who),
            strikes=True,
        )
    except Refused:
        if not is_helpless(table, target):
            raise
        yield from spend_shot(table, who, arms()[0])
        hit = yield from strike(table, who, arms, target, "WYR-G03", shot=True)
        if hit is not None:
            yield from wound(table, hit, "WYR-G03")
        return
    yield from use_up_ability(table, who, name, SHOT_ABILITIES)
    yield from draw_thrown_weapons(table, who, tested.roll)
    yield from spend_shot(table, who, list_thrown_weapons(tested.roll)[0])
    stray = next(iter(STRAY.of(table, who)), "")
    if stray:
        yield STRAY.clear_on(who)
    astray = _list_stray_victims(table, who, target)
    if tested.succeeded:
        yield from land_blow(table, tested, arms, who, target, "WYR-050", shot=True)
    elif astray or (stray and is_engaged(table, target)):
        yield from _hit_stray_victim(table, who, target, tested.roll, stray)
    elif not (yield from replace_by_consequence(table, who, "WYR-052")):
        yield from _answer_miss(table, who, target, support)


def _list_stray_victims(table: Table, who: Id, target: Id) -> tuple[Id, ...]:
    """Return the other combatants in the melee that the shot is fired into from outside."""
    return () if is_engaged_with(table, who, target) else list_others_in_melee(table, target, who)


def _hit_stray_victim(table: Table, who: Id, target: Id, roll: Rolled, ruled: Id) -> Rule[None]:
    """Hit another member of that melee with the face already rolled (WYR-055).

    The game master may have named the victim. Otherwise, or if it is out of the fight, a die picks among several.
    """
    if not ruled or not can_be_hurt(table, ruled):
        pick = yield from throw(partial(_build_pick_roll, table, who, target))
        near = _list_stray_victims(table, who, target)
        ruled = near[pick.total - 1] if pick and near else next(iter(near), "")
    face, item = find_highest(roll, "weapon")
    label = table.item(item).name
    yield from wound(table, Hit(ruled, face, label, item, "WYR-055", shot=True), "WYR-055")


def _build_pick_roll(table: Table, who: Id, target: Id) -> Roll | None:
    """Return the die that picks the victim among the other combatants of the melee."""
    near = _list_stray_victims(table, who, target)
    if len(near) < 2:
        return None
    dice = (Dice(count=1, sides=len(near), kind="stray"),)
    return Roll(dice=dice, purpose=f"stray:{who}", by=who, rules=("WYR-055",))


def _answer_miss(table: Table, who: Id, target: Id, support: Support) -> Rule[None]:
    """Shoot the target's volley, or prompt for a consequence (WYR-051, WYR-052, WYR-T24)."""
    weapon = find_volley(table, who, target)
    if weapon is None:
        yield note_prompt(table, "consequence", "WYR-052", who, target, support.helper)
        return
    arms = partial(pieces.choose_weapons, table, target, weapon.id, shot=True, rule="WYR-051")
    yield from pieces.take_up(table, target, arms())
    yield from pieces.empty_weapon(table, weapon.id)
    hit = yield from strike(table, target, arms, who, "WYR-051", "WYR-T24", shot=True)
    if hit is not None:
        yield from wound(table, hit, "WYR-051")
        yield from ask_shared_risk(table, hit, support)


def find_volley(table: Table, who: Id, target: Id) -> Item | None:
    """Return the weapon of the target's volley, or nothing.

    The target must be up, unengaged and supplied, see the shooter, and have a loaded weapon.
    """
    if not is_active(table, target) or is_engaged(table, target) or not can_see(table, target, who):
        return None
    if pieces.list_spent_ammunition(table, target):
        return None
    return next(
        (one for one in pieces.list_usable_weapons(table, target, shot=True) if pieces.is_loaded(table, one)), None
    )


def spend_shot(table: Table, who: Id, weapon: Id, *rules: Clause) -> Rule[None]:
    """Spend the black powder of a shot, and the ruling that let an engaged shooter fire."""
    if is_engaged(table, who) and ALLOWED.of(table, who, "contact"):
        yield ALLOWED.clear_on(who, about="contact")
    yield from pieces.empty_weapon(table, weapon, *rules)


def must_be_fit_to_shoot(table: Table, actor: Id, weapon: Id, off: Id = "") -> None:
    """Refuse in rulebook order: engaged, unsupplied, not loaded, no ranged weapon (WYR-053)."""
    if is_engaged(table, actor) and not ALLOWED.of(table, actor, "contact"):
        raise table.refuse(actor, "is engaged in melee", "WYR-053", "engaged_in_melee")
    out = pieces.list_spent_ammunition(table, actor)
    if out:
        raise table.refuse(actor, f"has used up the {out[0].quoted_name}", "WYR-G04", "no_ammunition", out[0].id)
    usual = None if weapon or off else next(iter(pieces.list_ready_weapons(table, actor, shot=True)), None)
    item = usual or table.draft.items.get(weapon or off)
    if item is not None and item.owner == actor and not pieces.is_loaded(table, item):
        raise Refused("not_loaded", "WYR-058", f"the {item.quoted_name} must be reloaded first", source=item.id)
    pieces.choose_weapons(table, actor, weapon, off, shot=True, rule="WYR-050")
    if weapon and off:
        raise Refused("wrong_weapon", "WYR-050", "one weapon is shot at a time", source=off)


def list_hindrances(table: Table, who: Id, target: Id) -> tuple[Modifier, ...]:
    """List the hindrances of a shot: a melee at the target, cover in between (WYR-054)."""
    found = []
    if is_engaged(table, target) and not is_engaged_with(table, who, target):
        found.append(Modifier(value=-1, label="hindrance: into a melee", source=target, rule="WYR-054"))
    if stated_view(table, who, target) not in ("", "clear"):
        found.append(Modifier(value=-1, label="hindrance: cover", source=Source(of=who, to=target), rule="WYR-050"))
    return tuple(found)
