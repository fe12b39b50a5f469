"""Reloading, and lighting the match."""

from functools import partial
from typing import Annotated

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import EACH, Among
from affray.engine.core.changes import set_item_counter
from affray.engine.core.effects import Rule
from affray.engine.kit.riding import mount_of
from affray.engine.kit.sheets import stat
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.attack.attacks import begin_action
from affray.engine.rulesets.verdigris.chapters.panic import try_test
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.sheet import must_be_allowed, refusal_by
from affray.engine.rulesets.verdigris.turns.order import Deed, done_for
from affray.events import Id, ItemId

from .things import find_weapon_for, group_of, list_held, must_have_shots, usage_of


def list_in_hand(table: Table, actor: Id, counter: str) -> list[Id]:
    """Return the weapons in hand that have a counter: ``loaded`` or ``lit``."""
    return [item.id for item in list_held(table, actor) if counter in item.counters]


@declared_as("reload", "load the weapon in hand again", "weapon")
@done_for("action", "VER-S25")
class Reload(Deed, frozen=True, kw_only=True):
    """Load a weapon that needs it, for the action, or with training for the move and a passed test.

    Attributes:
        weapon: Item id; by default the weapon in hand.
        quick: Whether it takes the move instead of the action.
    """

    weapon: Annotated[ItemId, Among(list_in_hand, "loaded")] = ""
    quick: Annotated[bool, EACH] = False

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants with a weapon that is reloaded."""
        return any("reloading" in item.traits for item in table.items_of(actor))

    def costs(self, table: Table, actor: Id) -> str:
        """Return the cost: the action, or the move if quick."""
        return "move" if self.quick else "action"

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: ammunition, weapon, saddle (VER-S25)."""
        weapon = find_weapon_for(table, actor, self.weapon, melee=False)
        if weapon.owner != actor or weapon.where != "hand" or "reloading" not in weapon.traits:
            raise refusal_by("VER-S25", f"{table.name_of(actor)} has nothing in hand that is reloaded", weapon.id)
        if weapon.counters.get("loaded"):
            raise refusal_by("VER-S25", f"the {weapon.quoted_name} is loaded", weapon.id)
        must_have_shots(table, actor, weapon)
        talent = "practiced-gunner" if group_of(weapon) == "blackpowder" else "ready-loose"
        if self.quick and not stat(table, actor, talent):
            raise refusal_by("VER-S25", f"{table.name_of(actor)} cannot reload on the move", f"{actor}.{talent}")
        trained = group_of(weapon) == "blackpowder" and stat(table, actor, "caracole")
        stands = manner == "pending" or (not self.quick and table.pool(actor, "move") > 0)
        if mount_of(table, actor) and not (trained and stands):
            message = f"{table.name_of(actor)} cannot reload the {weapon.quoted_name} in the saddle"
            must_be_allowed("VER-066", table, actor, message, weapon.id)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Pay the cost, and keep the mount still."""
        yield from super().pay(table, actor, manner)
        if mount_of(table, actor):
            yield marks.STANDS_STILL.set_on(actor, True, "VER-066")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Load the weapon; if quick, only on a passed test."""
        if not (yield from begin_action(table, self, actor)):
            return
        weapon = find_weapon_for(table, actor, self.weapon, melee=False)
        if self.quick:
            ground = partial(self.check, table, actor, "pending")
            of = usage_of(weapon).skill
            outcome = yield from try_test(table, actor, "reload", "agility", of, "VER-S25", ground=ground)
            if not outcome.sl:
                return
        yield set_item_counter(table, weapon.id, "loaded", 1, "VER-S25")


@declared_as("light_match", "light the match of a firearm", "weapon")
@done_for("action", "VER-S29")
class LightMatch(Deed, frozen=True, kw_only=True):
    """Light the match of a firearm, for the action."""

    weapon: Annotated[ItemId, Among(list_in_hand, "lit")] = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants with a matchlock."""
        return any("lit" in item.counters for item in table.items_of(actor))

    def must_fit(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a weapon without a match, or with a burning one."""
        weapon = find_weapon_for(table, actor, self.weapon, melee=False)
        if weapon.owner != actor or weapon.where != "hand" or "lit" not in weapon.counters:
            raise refusal_by("VER-S29", f"{table.name_of(actor)} has no firearm in hand", weapon.id)
        if weapon.counters["lit"]:
            raise refusal_by("VER-S29", f"the match of the {weapon.quoted_name} burns already", weapon.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Light the match."""
        if (yield from begin_action(table, self, actor)):
            weapon = find_weapon_for(table, actor, self.weapon, melee=False)
            yield set_item_counter(table, weapon.id, "lit", 1, "VER-S29")
