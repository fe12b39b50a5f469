"""What somebody may do after all, where they are, and how hard it is (HEX-009, HEX-033, HEX-039, HEX-071)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling
from affray.engine.core.changes import marked, pool_moved
from affray.engine.core.effects import Rule
from affray.engine.core.references import must_be_a_count
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.kit.rulings import BRIEF, Change
from affray.engine.rulesets.hexblade.grip import torn_apart
from affray.engine.rulesets.hexblade.ground import on_the_board, taken
from affray.engine.rulesets.hexblade.play import WAIVABLE, allowed
from affray.engine.rulesets.hexblade.sheet import refusal
from affray.events import Clause, CombatantId, Moved, PlaceId


class Grant(Ruling, frozen=True, kw_only=True):
    """Give somebody more actions or feet of movement this turn, or take some away (HEX-009)."""

    kind: ClassVar[str] = "grant"
    says: ClassVar[str] = "give actions or movement this turn (by), or take them away"
    words: ClassVar[tuple[str, ...]] = ("who", "by")

    who: CombatantId
    by: Change = 1
    pool: Literal["actions", "movement"] = "actions"

    def check(self, table: Table) -> None:
        """Refuse anybody who does not have the turn."""
        if self.who not in table.draft.acting:
            raise refusal("HEX-001", f"it is not the turn of {self.who}", self.who)
        must_be_a_count(table, self.pool, max(0, table.pool(self.who, self.pool) + self.by), "by")

    def decide(self, table: Table) -> Rule[str]:
        """Change what is left of the budget."""
        yield pool_moved(table, self.who, self.pool, self.by, "HEX-009")
        return ""


class Allow(Ruling, frozen=True, kw_only=True):
    """Waive a refusal for somebody, once: reach, a line of sight, a pack opened late, a way through an enemy."""

    kind: ClassVar[str] = "allow"
    says: ClassVar[str] = "waive a refusal for somebody once, such as rule=HEX-016"
    words: ClassVar[tuple[str, ...]] = ("who", "rule")

    who: CombatantId
    rule: Annotated[Clause, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse a clause that cannot be waived."""
        if self.rule not in WAIVABLE:
            raise Unusable(f"can be one of {', '.join(WAIVABLE)}", "rule")

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield allowed(table, self.who, self.rule)
        return ""


class Test(Ruling, frozen=True, kw_only=True):
    """Set what somebody's next evade out of a crowd, or crafting test, must reach (HEX-033, HEX-039)."""

    kind: ClassVar[str] = "test"
    says: ClassVar[str] = "set what somebody's next evade out of a crowd, or crafting test, must reach"
    words: ClassVar[tuple[str, ...]] = ("who", "dc")

    who: CombatantId
    dc: Annotated[int, Meta(ge=1, le=40)]

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield marked(self.who, "dc", self.dc, "HEX-033", until="that test")
        return ""


class Place(Ruling, frozen=True, kw_only=True):
    """Put a combatant into another hex (HEX-071)."""

    kind: ClassVar[str] = "place"
    says: ClassVar[str] = "put a combatant into another hex"
    words: ClassVar[tuple[str, ...]] = ("who", "to")

    who: CombatantId
    to: Annotated[PlaceId, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse the slain, and what is no hex of the map."""
        if table[self.who].has("slain"):
            raise refusal("HEX-G03", f"{self.who} is slain and has left the map", self.who)
        if not on_the_board(table, self.to):
            raise Unusable("must be a hex of the map, such as 3,-1", "to")
        other = taken(table, self.who, self.to)
        if other:
            raise refusal("HEX-071", f"{other} is at {self.to}, and a hex holds one combatant", other)

    def decide(self, table: Table) -> Rule[str]:
        """Put them there; whom they held, or who held them, must be beside them still."""
        before = table[self.who].place
        yield Moved(who=self.who, before=before, after=self.to, rules=("HEX-071",))
        yield from torn_apart(table, self.who)
        return ""
