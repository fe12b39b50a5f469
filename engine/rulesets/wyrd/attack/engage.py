"""Melee: one test stands for an exchange of blows, and exactly one side is hit (WYR-013 to WYR-020)."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Self

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import Among
from affray.engine.core.effects import Go, Rule
from affray.engine.errors import Refused
from affray.engine.kit.sides import Enemy
from affray.engine.rulesets.wyrd.chapters.wear_and_tear import draw_thrown_weapons
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear.pieces import (
    choose_weapons,
    list_offered_weapons,
    list_ready_weapons,
    list_weapon_dice,
    take_up,
)
from affray.engine.rulesets.wyrd.harm import wound
from affray.engine.rulesets.wyrd.movement.melee import engage, must_be_in_reach
from affray.engine.rulesets.wyrd.sheet import can_test, cite_hireling_test, is_active, is_helpless, must_be_enemy
from affray.engine.rulesets.wyrd.turns.turn import must_be_able
from affray.events import Id, ItemId

from . import blows
from .testing import ALONE, AbilityAction, Support, attempt


@declared_as("engage", "fight an enemy hand to hand", "target", "weapon", "off", pays=("WYR-010",))
class Engage(AbilityAction, frozen=True, kw_only=True):
    """Fight an enemy within reach: an ability and the weapons, with no opposing roll.

    Attributes:
        weapon, off: Items to fight with, one in each hand; by default those in hand.
        ability: Power or Grace, by default the larger die; other abilities need a ruling.
    """

    target: Enemy
    weapon: Annotated[ItemId, Among(list_offered_weapons, False)] = ""
    off: ItemId = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants that make their own tests."""
        return can_test(table, actor)

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: active, budget, weapons, ability, target, reach (WYR-010, WYR-013)."""
        must_be_able(table, actor, manner)
        blows.must_test(table, actor, self.target, "engage")
        self.check_support(table, actor, manner)
        self.find_weapons(table, actor)
        blows.must_fit(table, actor, self.ability, blows.MELEE_ABILITIES, "WYR-013")
        must_be_enemy(table, actor, self.target, "WYR-013")
        must_be_in_reach(table, actor, self.target, "WYR-013")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Exchange blows, or strike a helpless target without help (WYR-017)."""
        yield Go("carry_out", rules=("WYR-010",))
        support = (yield from self.pay_support(table, actor)) if is_active(table, self.target) else ALONE
        yield from take_up(table, actor, self.find_weapons(table, actor))
        if is_active(table, self.target):
            yield from engage(table, actor, self.target, "WYR-017")
        yield from exchange_blows(
            table, actor, self.target, partial(self.find_weapons, table, actor), self.ability, support
        )

    def find_weapons(self, table: Table, actor: Id) -> tuple[Id, ...]:
        """Return the named weapons, or else those that are ready."""
        return choose_weapons(table, actor, self.weapon, self.off, shot=False, rule="WYR-013")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the candidates of a field.

        With the weapons in hand, a push and both abilities are offered too.
        """
        match field:
            case "ability" if not so_far.weapon:
                return ("", *blows.MELEE_ABILITIES)
            case "push" if not (so_far.weapon or so_far.ability):
                return (False, True)
            case _:
                return super().values(table, actor, manner, field, so_far)


def exchange_blows(table: Table, who: Id, foe: Id, arms: blows.Arms, name: str, support: Support) -> Rule[None]:
    """Test the ability; hit the foe on a success, else be hit by it (WYR-015, WYR-018).

    Help is paid for already. A foe that is helpless before the dice fall is hit without a test (WYR-G03).
    """
    try:
        tested = yield from attempt(
            table,
            who,
            name,
            lambda: list_weapon_dice(table, who, arms()),
            "WYR-014",
            "WYR-013",
            foe=foe,
            versus=foe,
            support=support,
            won="WYR-015",
            lost="WYR-016",
            cited=partial(cite_hireling_test, table, who),
            strikes=True,
        )
    except Refused:
        if not is_helpless(table, foe):
            raise
        hit = yield from blows.strike(table, who, arms, foe, "WYR-G03")
        if hit is not None:
            yield from wound(table, hit, "WYR-G03")
        return
    yield from blows.use_up_ability(table, who, name, blows.MELEE_ABILITIES)
    yield from draw_thrown_weapons(table, who, tested.roll)
    if tested.succeeded:
        yield from blows.land_blow(
            table, tested, arms, who, foe, "WYR-015", "WYR-018", *blows.cite_several_weapons(tested.roll)
        )
    else:
        yield from hit_back(table, who, foe, support)


def hit_back(table: Table, who: Id, foe: Id, support: Support) -> Rule[None]:
    """Let the foe hit after a failed test, unless a consequence replaces it (WYR-016)."""
    if (yield from blows.replace_by_consequence(table, who, "WYR-016")):
        return
    hit = yield from blows.strike(
        table, foe, lambda: tuple([one.id for one in list_ready_weapons(table, foe, shot=False)]), who, "WYR-016"
    )
    if hit is not None:
        yield from wound(table, hit, "WYR-016", "WYR-018")
        yield from blows.ask_shared_risk(table, hit, support)
