"""Spells (WYR-008)."""

from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, Self

from msgspec import Meta

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import Target
from affray.engine.core.effects import Go, Rule
from affray.engine.rulesets.wyrd.attack.blows import must_fit, note_multiple, use_up_ability
from affray.engine.rulesets.wyrd.attack.testing import AbilityAction, attempt
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear.pieces import list_item_dice, must_be_usable
from affray.engine.rulesets.wyrd.harm import tire
from affray.engine.rulesets.wyrd.sheet import ABILITIES, CASTER
from affray.engine.rulesets.wyrd.turns.turn import must_be_able
from affray.events import Id, ItemId

from .foes import announce_maneuver, is_test_left_to, must_leave_the_test
from .stunts import Remark
from .wear_and_tear import note_prompt

SPELL_ABILITIES = ("intellect", "will")
"""The abilities that cast spells without a ruling (WYR-008)."""


@declared_as("spell", "cast a spell", "what", "target", pays=("WYR-008",))
class Spell(AbilityAction, frozen=True, kw_only=True):
    """Cast a spell: a test of Intellect or Will, and fatigue as great as its scope.

    Attributes:
        scope: The size of the effect, which is the fatigue too.
        ability: Intellect by default; abilities other than Will need a ruling.
        item: The item used for it, such as a staff.
    """

    what: Remark
    scope: Annotated[int, Meta(ge=0, le=99)] = 1
    target: Target = ""
    item: ItemId = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants that know a spell, or have the trait to cast any."""
        return CASTER in table[actor].traits or any(item.kind == "spell" for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: active, budget, item, ability, an unknown target."""
        must_be_able(table, actor, manner)
        self.check_support(table, actor, manner)
        must_leave_the_test(table, actor, self.target, self)
        if self.item:
            must_be_usable(table, table.item(self.item), actor)
        must_fit(table, actor, self.ability, SPELL_ABILITIES, "WYR-008")
        if self.target:
            table[self.target]

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the known spells; a caster without a list names its spell in free words."""
        known = [item.name for item in table.items_of(actor) if item.kind == "spell"] if field == "what" else []
        return known or super().values(table, actor, manner, field, so_far)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Test the spell, take the fatigue, and prompt for effect or paradox (WYR-008, WYR-T32).

        A foe's spell against a player character is a test of that player (WYR-T59).
        """
        if is_test_left_to(table, actor, self.target):
            what = f"{table[actor].name} casts {self.what} on {table[self.target].name}"
            yield from announce_maneuver(table, actor, self, self.target, what, None, ABILITIES)
            if self.scope:
                yield from tire(table, actor, self.scope, "WYR-T32", "WYR-T41")
            return
        yield Go("carry_out", rules=("WYR-008",))
        support = yield from self.pay_support(table, actor)
        name, gear = self.ability or "intellect", partial(list_item_dice, table, self.item)
        rules = ("WYR-008", "WYR-T08", "WYR-T32")
        tested = yield from attempt(table, actor, name, gear, *rules, foe=self.target, support=support)
        yield from use_up_ability(table, actor, self.ability, SPELL_ABILITIES)
        if self.scope:
            yield from tire(table, actor, self.scope, "WYR-T32", "WYR-T41")
        yield from note_multiple(table, tested, actor, self.target)
        kind = "outcome" if tested.succeeded else "paradox"
        yield note_prompt(table, kind, "WYR-008", what=f"{table[actor].name} casts {self.what}")
