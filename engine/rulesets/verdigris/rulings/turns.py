"""What somebody may do after all, or may not (VER-015, VER-018, VER-052, VER-066, VER-081, VER-094)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling
from affray.engine.core.changes import marked, pool_moved
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.kit.rulings import BRIEF
from affray.engine.rulesets.verdigris.actions import ACTIONS
from affray.engine.rulesets.verdigris.refusing import ALLOWED, FORBIDDEN, no
from affray.events import ActionName, Clause, CombatantId

WAIVABLE: dict[str, str] = {
    "VER-015": "an action beyond the budget",
    "VER-016": "a move beyond the budget",
    "VER-018": "a way that the map does not have",
    "VER-019": "closing with somebody out of reach",
    "VER-021": "a shot without a line of sight",
    "VER-052": "aiming a melee weapon",
    "VER-065": "grappling from the saddle",
    "VER-066": "firing or reloading in the saddle",
    "VER-081": "grappling with something in hand",
    "VER-094": "acting at Death's Door",
    "VER-100": "a second thing from the belt",
    "VER-S24": "a long weapon indoors",
}
"""The refusals that a game master can waive, by clause."""


class Allow(Ruling, frozen=True, kw_only=True):
    """Waive a refusal for somebody, until the end of its turn.

    Attributes:
        who: Combatant id.
        what: The clause that refuses, such as ``VER-066``.
    """

    kind: ClassVar[str] = "allow"
    says: ClassVar[str] = "waive a refusal (its clause) until the end of somebody's turn"
    words: ClassVar[tuple[str, ...]] = ("who", "what")

    who: CombatantId
    what: Annotated[Clause, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse what cannot be waived."""
        if self.what not in WAIVABLE:
            known = ", ".join(f"{clause} ({says})" for clause, says in WAIVABLE.items())
            raise Unusable(f"can be waived: {known}", "what")

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield marked(self.who, ALLOWED + self.what, True, self.what, until="the end of its turn")
        return ""


class Forbid(Ruling, frozen=True, kw_only=True):
    """Veto a kind of action of somebody's for this round (VER-021, VER-045, VER-052).

    Attributes:
        who: Combatant id.
        what: The action, such as ``called_shot``.
    """

    kind: ClassVar[str] = "forbid"
    says: ClassVar[str] = "veto a kind of action of somebody's for this round"
    words: ClassVar[tuple[str, ...]] = ("who", "what")

    who: CombatantId
    what: Annotated[ActionName, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse what is no action."""
        known = sorted(action.kind for action in ACTIONS if not action.by_gm)
        if self.what not in known:
            raise Unusable(f"there are the actions {', '.join(known)}", "what")

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield marked(self.who, FORBIDDEN + self.what, table.draft.round, until="the next round")
        return ""


class Grant(Ruling, frozen=True, kw_only=True):
    """Give somebody moves or actions in its turn, or take some away (VER-015)."""

    kind: ClassVar[str] = "grant"
    says: ClassVar[str] = "give a move, an action or a reach to the belt (by), or take it away"
    words: ClassVar[tuple[str, ...]] = ("who", "what", "by")

    who: CombatantId
    what: Literal["move", "action", "belt"] = "action"
    by: Annotated[int, Meta(ge=-9, le=9)] = 1

    def check(self, table: Table) -> None:
        """Refuse anybody who does not have the turn."""
        if self.who not in table.draft.acting:
            raise no("VER-004", f"it is not the turn of {self.who}", self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Change what is left of the budget."""
        yield pool_moved(table, self.who, self.what, self.by, "VER-015")
        return ""
