"""Shots: firing, into a melee too, volleys in answer, reloading (WYR-050 to WYR-059, WYR-G04)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, Self

from affray.engine.core.changes import item_counted, marked
from affray.engine.core.effects import Go, Roll, Rule, throw
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.sides import enemies_of
from affray.events import Clause, CombatantId, Dice, Id, ItemId, Rolled, Scalar

from . import melee, prompts
from .aiming import a_mark, ammunition, contact, fit_to_shoot, hindrances, spent
from .damage import Arms, Hit, blow, dealt, struck
from .engage import armed_with, fitting, instead, must_test, ruled_ability, shared
from .gear import carried, dice_of, has, loaded, taken_up
from .play import action_spent, may_act, sees
from .rolling import ALONE, Support, attempt
from .sheet import active, helpless, like_a_pc
from .testing import Trying, critical
from .throwing import drawn, highest, used

USUAL = ("grace",)
"""The ability that fits a shot without a ruling (WYR-050)."""


class Fire(Trying, frozen=True, kw_only=True):
    """Shoot at an enemy in sight: an ability and the weapon (WYR-050 to WYR-058).

    Attributes:
        target: Combatant id.
        weapon: Item to shoot with; the first that is in hand or carried if none is named.
        ability: Grace; others need a ruling.
    """

    kind: ClassVar[str] = "fire"
    says: ClassVar[str] = "shoot at an enemy"
    words: ClassVar[tuple[str, ...]] = ("target", "weapon")

    target: CombatantId
    weapon: ItemId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: active, budget, engaged, supplied, loaded, weapon, ability, target, sight."""
        may_act(table, actor, manner, "WYR-050")
        must_test(table, actor, "fire")
        self.check_support(table, actor, manner)
        fit_to_shoot(table, actor, self.weapon)
        fitting(table, actor, self.ability, USUAL, "WYR-050")
        a_mark(table, actor, self.target)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (WYR-007)."""
        yield from action_spent(table, actor, "WYR-050")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Shoot; somebody helpless is hit without a test, for which nobody helps (WYR-G03)."""
        yield Go("carry_out", rules=("WYR-050",))
        support = (yield from self.braced(table, actor)) if active(table, self.target) else ALONE
        arms = partial(armed_with, table, actor, self.weapon, shot=True, rule="WYR-050")
        yield from taken_up(table, actor, arms())
        yield from shoot(table, actor, self.target, arms, self.ability or "grace", support)

    def targets(self) -> tuple[Id, ...]:
        """Return the one who is shot at."""
        return (self.target,)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every enemy, and what is at hand, for a push too, or every weapon that shoots."""
        match field:
            case "target":
                return enemies_of(table, actor)
            case "weapon":
                return ("", *(item.id for item in carried(table, actor, shot=True)))
            case "push" if not so_far.weapon:
                return (False, True)
            case _:
                return super().values(table, actor, manner, field, so_far)


def shoot(table: Table, who: Id, target: Id, arms: Arms, name: str, support: Support) -> Rule[None]:
    """Test, and hit, or hit somebody else in the melee, or face a volley (WYR-050 to WYR-055); help is paid for.

    A target that is helpless, or falls before the dice do, is hit without a test (WYR-G03).
    """
    try:
        tested = yield from attempt(
            table,
            who,
            name,
            partial(_shots, table, who, arms),
            "WYR-050",
            foe=target,
            versus=target,
            support=support,
            hindrances=partial(hindrances, table, who, target),
            won="WYR-050",
            lost="WYR-051",
            cited=partial(like_a_pc, table, who),
        )
    except Refused:
        if not helpless(table, target):
            raise
        yield from shot_off(table, who, arms()[0])
        hit = yield from blow(table, who, arms, target, "WYR-G03", shot=True)
        yield from dealt(table, hit, "WYR-G03")
        return
    yield from ruled_ability(table, who, name, USUAL)
    yield from drawn(table, who, tested.roll)
    yield from shot_off(table, who, used(tested.roll)[0])
    stray = table.mark(who, "stray")
    if stray is not None:
        yield marked(who, "stray", None)
    if tested.succeeded:
        hit = struck(table, tested.roll, arms, target, shot=True)
        yield from critical(table, tested, who, target)
        yield from dealt(table, hit, "WYR-050")
    elif _near(table, who, target):
        yield from _strayed(table, who, target, tested.roll, stray)
    elif not (yield from instead(table, who, "WYR-052")):
        yield from _answered(table, who, target, support)


def _shots(table: Table, who: Id, arms: Arms) -> tuple[Dice, ...]:
    """Return the dice of a shot: the weapon's, and the ammunition's if one is set up (WYR-G04)."""
    return (*dice_of(table, who, arms()), *ammunition(table, who))


def _near(table: Table, who: Id, target: Id) -> tuple[Id, ...]:
    """Return who may be hit instead: who else is in the melee that is fired into from a distance (WYR-055)."""
    return () if melee.together(table, who, target) else melee.others(table, target, who)


def _strayed(table: Table, who: Id, target: Id, roll: Rolled, ruled: Scalar) -> Rule[None]:
    """Hit another one of that melee with the face already rolled; a die picks among several (WYR-055)."""
    if ruled not in _near(table, who, target):
        pick = yield from throw(partial(_pick, table, who, target))
        near = _near(table, who, target)
        ruled = near[pick.total - 1] if pick and near else next(iter(near), "")
    face, item = highest(roll, "weapon")
    label = table.item(item).name
    yield from dealt(table, Hit(str(ruled), face, label, item, "WYR-055", shot=True), "WYR-055")


def _pick(table: Table, who: Id, target: Id) -> Roll | None:
    """Return the die that picks among several who may be hit; whoever else is in the melee when it falls."""
    near = _near(table, who, target)
    if len(near) < 2:
        return None
    dice = (Dice(count=1, sides=len(near), kind="stray"),)
    return Roll(dice=dice, purpose=f"stray:{who}", by=who, rules=("WYR-055",))


def _answered(table: Table, who: Id, target: Id, support: Support) -> Rule[None]:
    """Face the target's volley, or whatever the game master makes of the miss (WYR-051 to WYR-053)."""
    weapon = _volley(table, who, target)
    if weapon is None:
        yield prompts.due(table, "consequence", prompts.among(who, target, support.helper), "WYR-052")
        return
    arms = partial(armed_with, table, target, weapon.id, shot=True, rule="WYR-051")
    yield from taken_up(table, target, arms())
    yield from emptied(table, weapon.id)
    hit = yield from blow(table, target, arms, who, "WYR-051", "WYR-T24", shot=True)
    yield from dealt(table, hit, "WYR-051")
    yield from shared(table, hit, support)


def _volley(table: Table, who: Id, target: Id) -> Item | None:
    """Return what the target shoots back with: it is up, not engaged, sees the shooter, and has something loaded."""
    if not active(table, target) or melee.engaged(table, target) or not sees(table, target, who):
        return None
    if spent(table, target):
        return None
    return next((one for one in carried(table, target, shot=True) if loaded(table, one)), None)


def shot_off(table: Table, who: Id, weapon: Id, *rules: Clause) -> Rule[None]:
    """Have shot: black powder is spent, and so is a ruling that let somebody engaged do it (WYR-053, WYR-058)."""
    yield from contact(table, who)
    yield from emptied(table, weapon, *rules)


def emptied(table: Table, weapon: Id, *rules: Clause) -> Rule[None]:
    """Leave a black powder weapon empty behind a shot (WYR-058)."""
    item = table.item(weapon)
    if has(table, item, "black_powder") and loaded(table, item):
        yield item_counted(table, weapon, "loaded", 0, "WYR-058", "WYR-T26", *rules)
