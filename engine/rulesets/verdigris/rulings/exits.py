"""Rulings on combatants out of the fight, and on its end."""

from typing import ClassVar

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import end_condition, set_condition, set_pool
from affray.engine.core.effects import Rule
from affray.engine.kit.fight_end import record_fight_end
from affray.engine.kit.rulings import harm_and_end
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.harm import conditions
from affray.engine.rulesets.verdigris.movement.melees import end_grapples_of, leave_melee
from affray.engine.rulesets.verdigris.sheet import is_mount, refusal_by
from affray.events import Clause, CombatantId

OUT_OF_FIGHT = ("unable", "slain", "dead")
"""Conditions that a return to the fight ends."""


@ruled_as("unable", "put a combatant out of the fight alive, or back into it", "who")
class Unable(Ruling, frozen=True, kw_only=True):
    """Put a combatant out of the fight alive, or back into it."""

    who: CombatantId
    able: bool = False

    def check(self, table: Table) -> None:
        """Refuse no change, and name the condition that keeps a combatant from acting."""
        one, called = table[self.who], table.name_of(self.who)
        if not self.able and one.has("unable"):
            raise refusal_by("VER-090", f"{called} is out of the fight already", self.who)
        if not self.able or any(one.has(condition) for condition in OUT_OF_FIGHT):
            return
        if one.has("deaths_door"):
            raise refusal_by(
                "VER-095", f"{called} is at Death's Door; healing ends that: rule pool {self.who} hp to=1", self.who
            )
        for condition in ("unconscious", "paralysed"):
            if one.has(condition):
                message = (
                    f"{called} is {condition}, and in the fight; rule condition {self.who} {condition} 0 ends that"
                )
                raise refusal_by("VER-T36", message, self.who)
        raise refusal_by("VER-090", f"{called} is in the fight already", self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Change it.

        A combatant comes back with at least one hit point. A mount out of the fight carries no rider.
        """
        if self.able:
            if not table.pool(self.who, "hp"):
                yield set_pool(table, self.who, "hp", 1, "VER-090")
            for condition in OUT_OF_FIGHT:
                yield from end_condition(table, self.who, condition, "VER-090")
            return
        for condition in ("slain", "dead"):
            yield from end_condition(table, self.who, condition, "VER-090")
        yield set_condition(table, self.who, "unable", 1, "VER-090")
        yield from end_grapples_of(table, self.who, "VER-090")
        yield from conditions.lose_readied(table, self.who)
        yield from leave_melee(table, self.who, "VER-090")
        if is_mount(table, self.who):
            yield from conditions.unhorse(table, self.who)


@ruled_as("stabilize", "let a character at Death's Door make no further saves", "who")
class Stabilize(Ruling, frozen=True, kw_only=True):
    """Let a combatant at Death's Door make no further saves."""

    who: CombatantId

    def check(self, table: Table) -> None:
        """Refuse a combatant not at Death's Door, or stable there."""
        if not table[self.who].has("deaths_door") or table[self.who].has("stable"):
            raise table.refuse(self.who, "has no saves to make", "VER-097")

    def decide(self, table: Table) -> Rule[None]:
        """Make the combatant stable."""
        yield set_condition(table, self.who, "stable", 1, "VER-097")


class End(harm_and_end.End, frozen=True, kw_only=True):
    """End the fight, and name the victors if any (P43)."""

    refusal: ClassVar[tuple[str, Clause]] = ("VER-T36", "VER-T36")

    def end(self, table: Table) -> Rule[None]:
        """Name the victors."""
        yield from record_fight_end(table, self.winners, "ruled", "VER-T36")
