"""What somebody may do after all, where they are, and how hard it is (HEX-009, HEX-033, HEX-039, HEX-071)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.actions import Ruling
from affray.engine.errors import Unusable
from affray.engine.facts import marked, pool_moved
from affray.engine.rule import Rule
from affray.engine.rulesets.hexblade.formation import rearranged
from affray.engine.rulesets.hexblade.ground import on_the_board, taken
from affray.engine.rulesets.hexblade.hexes import hex_of, name
from affray.engine.rulesets.hexblade.play import WAIVABLE
from affray.engine.rulesets.hexblade.sheet import refusal
from affray.engine.rulings import Word
from affray.engine.table import Table
from affray.events import Id, Moved


class Grant(Ruling, frozen=True, kw_only=True):
    """Give somebody more actions or feet of movement this turn, or take some away (HEX-009)."""

    kind: ClassVar[str] = "grant"
    says: ClassVar[str] = "give actions or movement this turn (by), or take them away"
    words: ClassVar[tuple[str, ...]] = ("who", "by")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    by: int = 1
    pool: Literal["actions", "movement"] = "actions"

    def check(self, table: Table) -> None:
        """Refuse anybody who does not have the turn."""
        table[self.who]
        if self.who not in table.draft.acting:
            raise refusal("HEX-001", f"it is not the turn of {self.who}", self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Change what is left of the budget."""
        yield pool_moved(table, self.who, self.pool, self.by, "HEX-009")
        return ""


class Allow(Ruling, frozen=True, kw_only=True):
    """Waive a refusal for somebody, once: reach, a line of sight, a pack opened late, a way through an enemy."""

    kind: ClassVar[str] = "allow"
    says: ClassVar[str] = "waive a refusal for somebody once, such as rule=HEX-016"
    words: ClassVar[tuple[str, ...]] = ("who", "rule")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    rule: Word

    def check(self, table: Table) -> None:
        """Refuse a clause that cannot be waived."""
        table[self.who]
        if self.rule not in WAIVABLE:
            raise Unusable(f"can be one of {', '.join(WAIVABLE)}", "rule")

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield marked(self.who, f"allowed/{self.rule}", True, self.rule, until="it is used")
        return ""


class Test(Ruling, frozen=True, kw_only=True):
    """Set what somebody's next evade out of a crowd, or crafting test, must reach (HEX-033, HEX-039)."""

    kind: ClassVar[str] = "test"
    says: ClassVar[str] = "set what somebody's next evade out of a crowd, or crafting test, must reach"
    words: ClassVar[tuple[str, ...]] = ("who", "dc")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    dc: Annotated[int, Meta(ge=1, le=40)]

    def check(self, table: Table) -> None:
        """Refuse somebody who is not there."""
        table[self.who]

    def decide(self, table: Table) -> Rule[str]:
        """Note it."""
        yield marked(self.who, "dc", self.dc, "HEX-033", until="that test")
        return ""


class Place(Ruling, frozen=True, kw_only=True):
    """Put a combatant into another hex (HEX-071)."""

    kind: ClassVar[str] = "place"
    says: ClassVar[str] = "put a combatant into another hex"
    words: ClassVar[tuple[str, ...]] = ("who", "to")
    people: ClassVar[tuple[str, ...]] = ("who",)

    who: Id
    to: Word

    def check(self, table: Table) -> None:
        """Refuse the slain, and what is no hex of the map."""
        if table[self.who].has("slain"):
            raise refusal("HEX-G03", f"{self.who} is slain and has left the map", self.who)
        if not on_the_board(table, self.to):
            raise Unusable("must be a hex of the map, such as 3,-1", "to")
        other = taken(table, self.who, _written(self.to))
        if other:
            raise refusal("HEX-071", f"{other} is at {self.to}, and a hex holds one combatant", other)

    def decide(self, table: Table) -> Rule[str]:
        """Put them there, and see who stands around whom now."""
        before, here = table[self.who].place, _written(self.to)
        yield Moved(who=self.who, before=before, after=here, rules=("HEX-071",))
        yield from rearranged(table, before, here)
        return ""


def _written(place: Id) -> Id:
    """Return a hex in the one form it has."""
    found = hex_of(place)
    return name(found) if found else place
