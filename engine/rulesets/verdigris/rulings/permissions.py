"""Rulings on permissions: waivers, vetoes and budgets."""

from typing import Annotated, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import change_pool
from affray.engine.core.effects import Rule
from affray.engine.errors import Unusable
from affray.engine.kit.rulings.turns import must_not_be_over
from affray.engine.kit.rulings.values import BRIEF
from affray.engine.kit.turn_order import must_be_acting
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.turns.actions import ACTIONS
from affray.events import ActionName, Clause, CombatantId

WAIVABLE: dict[str, str] = {
    "VER-015": "an action beyond the budget",
    "VER-016": "a move beyond the budget",
    "VER-018": "a way that the map does not have",
    "VER-019": "closing with a combatant out of reach",
    "VER-021": "a shot without a line of sight",
    "VER-052": "aiming a melee weapon",
    "VER-065": "grappling from the saddle",
    "VER-066": "firing or reloading in the saddle",
    "VER-081": "grappling with an item in hand",
    "VER-094": "acting at Death's Door",
    "VER-100": "a second thing from the belt",
    "VER-S24": "a long weapon indoors",
}
"""The refusals that a game master can waive, by clause."""


@ruled_as("allow", "waive a refusal (its clause) until the end of a combatant's turn", "who", "what")
class Allow(Ruling, frozen=True, kw_only=True):
    """Waive a refusal for a combatant, until the end of its turn.

    Attributes:
        what: The clause that refuses, such as ``VER-066``.
    """

    who: CombatantId
    what: Annotated[Clause, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse a clause that cannot be waived."""
        if self.what not in WAIVABLE:
            known = ", ".join(f"{clause} ({says})" for clause, says in WAIVABLE.items())
            raise Unusable(f"can be waived: {known}", "what", known=WAIVABLE)

    def decide(self, table: Table) -> Rule[None]:
        """Note the waiver."""
        yield marks.ALLOWED.set_on(self.who, True, self.what, about=self.what)

    def already(self, table: Table) -> str:
        """Say that the clause is already waived."""
        return f"that is waived for {table.name_of(self.who)} already"


@ruled_as("forbid", "veto a kind of action of a combatant for this round", "who", "what")
class Forbid(Ruling, frozen=True, kw_only=True):
    """Veto a kind of action of a combatant for this round.

    Attributes:
        what: The action, such as ``called_shot``.
    """

    who: CombatantId
    what: Annotated[ActionName, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse an unknown action, and a fight without another turn in this round."""
        must_not_be_over(table, "VER-T36")
        known = sorted(action.kind for action in ACTIONS if not action.by_gm)
        if self.what not in known:
            raise Unusable(f"there are the actions {', '.join(known)}", "what", known=known)

    def decide(self, table: Table) -> Rule[None]:
        """Note the veto."""
        yield marks.FORBIDDEN.set_on(self.who, table.draft.round, about=self.what)

    def already(self, table: Table) -> str:
        """Say that the action is already vetoed."""
        return f"{self.what} is vetoed this round for {table.name_of(self.who)} already"


@ruled_as("grant", "give a move, an action or a use of the belt, or take it away", "who", "what", "by")
class Grant(Ruling, frozen=True, kw_only=True):
    """Give a combatant moves or actions in its turn, or take some away."""

    who: CombatantId
    what: Literal["move", "action", "belt"] = "action"
    by: Annotated[int, Meta(ge=-9, le=9)] = 1

    def check(self, table: Table) -> None:
        """Refuse a combatant who does not have the turn."""
        must_not_be_over(table, "VER-T36")
        must_be_acting(table, self.who, "VER-004", "VER-004")
        if not self.by:
            raise Unusable("say how many more, or with a minus how many fewer", "by")
        if self.by < 0 and not table.pool(self.who, self.what):
            raise table.refuse(self.who, f"has no {self.what} left to take away", "VER-015")

    def decide(self, table: Table) -> Rule[None]:
        """Change the rest of the budget."""
        yield change_pool(table, self.who, self.what, self.by, "VER-015")
