"""Rulings on circumstances, on Main and Move Actions, and on windows."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import change_pool
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused
from affray.engine.kit.rulings import flow
from affray.engine.kit.rulings.turns import must_not_be_over
from affray.engine.rulesets.wwn.attack.modifiers import Circumstance
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.marks import DECLARED, WAIVED
from affray.engine.rulesets.wwn.sheet import must_be_active
from affray.engine.rulesets.wwn.turns.rounds import deny
from affray.events import Clause, CombatantId


@ruled_as(
    "circumstance", "declare or waive (applies=false) a circumstance for a combatant's next attack", "who", "name"
)
class CircumstanceRuled(Ruling, frozen=True, kw_only=True):
    """Declare or waive a circumstance for a combatant's next attack.

    A declared one counts although it does not hold; a waived one does not count although it holds.
    """

    who: CombatantId
    name: Circumstance
    applies: bool = True

    def check(self, table: Table) -> None:
        """Refuse a combatant out of the fight, and a circumstance already noted."""
        must_be_active(table, self.who, "WWN-T65")
        if (DECLARED if self.applies else WAIVED).is_on(table, self.who, self.name):
            message = f"this is noted for the next attack of {table.name_of(self.who)} already"
            raise Refused("no_change", "WWN-014", message, source=self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Note the circumstance."""
        what, other = (DECLARED, WAIVED) if self.applies else (WAIVED, DECLARED)
        yield from other.end_on(table, self.who, "WWN-014", about=self.name)
        yield what.set_on(self.who, True, "WWN-014", about=self.name)


@ruled_as("grant", "give Main or Move Actions this round, or take them away", "who", "action", "by")
class Grant(Ruling, frozen=True, kw_only=True):
    """Give a combatant more Main or Move Actions this round, or take some away."""

    who: CombatantId
    action: Literal["main", "move"] = "main"
    by: Annotated[int, Meta(ge=-9, le=9)] = 1

    def check(self, table: Table) -> None:
        """Refuse a combatant out of the fight, and no change."""
        must_not_be_over(table, "WWN-G02")
        must_be_active(table, self.who, "WWN-T65")
        if max(0, table.pool(self.who, self.action) + self.by) == table.pool(self.who, self.action):
            reason, example = f"{table.name_of(self.who)} has as many as before", f"rule grant {self.who} {self.action}"
            raise Refused("no_change", "WWN-G01", reason, f"{self.who}.{self.action}", example=example)

    def decide(self, table: Table) -> Rule[None]:
        """Change the rest of the budget."""
        yield change_pool(table, self.who, self.action, self.by, "WWN-G01")


@ruled_as("deny", "take a combatant's next Main or Move Action", "who", "action")
class Deny(Ruling, frozen=True, kw_only=True):
    """Deny a combatant's next Main or Move Action, of this round if unspent, else the next."""

    who: CombatantId
    action: Literal["main", "move"]

    def check(self, table: Table) -> None:
        """Refuse a combatant out of the fight."""
        must_be_active(table, self.who, "WWN-T65")

    def decide(self, table: Table) -> Rule[None]:
        """Deny the action."""
        yield from deny(table, self.who, self.action, "WWN-069")


class Close(flow.CloseWindow, frozen=True, kw_only=True):
    """Close the open window without the missing answers."""

    rule: ClassVar[Clause] = "WWN-021"
