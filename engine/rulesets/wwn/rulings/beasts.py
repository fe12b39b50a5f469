"""Rulings on beasts: permission to fight, and the check they make."""

from typing import Annotated, Literal

from msgspec import Meta, field

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.marks import ALLOWED, DIFFICULTY, NERVE
from affray.engine.rulesets.wwn.sheet import is_mount, must_be_enemy
from affray.events import CombatantId


@ruled_as("allow", "let a beast fight an enemy who has not attacked it", "who", "target")
class Allow(Ruling, frozen=True, kw_only=True):
    """Let an ordinary beast fight an enemy who has not attacked it."""

    who: CombatantId
    target: CombatantId

    def check(self, table: Table) -> None:
        """Refuse it for a combatant that needs no permission."""
        if not is_mount(table, self.who) or "war_trained" in table[self.who].traits:
            raise table.refuse(self.who, "may fight whom it likes", "WWN-059", "no_change")
        must_be_enemy(table, self.who, self.target, "WWN-059")

    def decide(self, table: Table) -> Rule[None]:
        """Note the permission."""
        yield ALLOWED.set_on(self.who, True, "WWN-059", about=self.target)

    def already(self, table: Table) -> str:
        """Say that the beast may already."""
        return f"{table.name_of(self.who)} may fight {table.name_of(self.target)} already"


@ruled_as("mount_check", "say which check a beast makes, and how hard it is to make it obey", "mount", "check")
class MountCheck(Ruling, frozen=True, kw_only=True):
    """Set a beast's check from now on, and the difficulty to make it obey.

    Attributes:
        nerve: The check, recorded as ``check``; ``none`` for no check.
        difficulty: The difficulty for its rider to make it obey.
    """

    mount: CombatantId
    nerve: Literal["morale", "instinct", "none"] | None = field(default=None, name="check")
    difficulty: Annotated[int, Meta(ge=2, le=20)] | None = None

    def check(self, table: Table) -> None:
        """Refuse a combatant that makes no such check, and a ruling without a change."""
        if not is_mount(table, self.mount):
            raise Unusable(f"{table.name_of(self.mount)} is no mount", "mount")
        if self.nerve is None and self.difficulty is None:
            raise Unusable("say check or difficulty", "check")
        called = table.name_of(self.mount)
        if "war_trained" in table[self.mount].traits:
            message = f"{called} is trained for war; rule trait {self.mount} war_trained present=false ends that"
            raise Refused("no_change", "WWN-058", message, source=self.mount)
        check = self.nerve in (None, NERVE.of(table, self.mount) or table.config.mount_check)
        if check and self.difficulty in (None, DIFFICULTY.of(table, self.mount) or table.config.skill_difficulty):
            raise Refused("no_change", "WWN-060", f"this holds for {called} already", source=self.mount)

    def decide(self, table: Table) -> Rule[None]:
        """Note check and difficulty."""
        if self.nerve is not None:
            yield NERVE.set_on(self.mount, self.nerve, "WWN-060")
        if self.difficulty is not None:
            yield DIFFICULTY.set_on(self.mount, self.difficulty, "WWN-062")
