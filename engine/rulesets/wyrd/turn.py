"""Beginning the fight, and ending one's turn (WYR-002 to WYR-005)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Literal, Self

from affray.engine.core.actions import Action
from affray.engine.core.changes import marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Id, MemberDone

from .sheet import standing


class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; the game master's to declare (WYR-002 to WYR-004).

    Attributes:
        pcs_surprised: Whether the player characters were surprised, so that their foes go first; if nothing is said,
            the d6 tells where it is rolled, and otherwise they were not.
        cause: ``narrative``, or ``encounter_roll`` for a bad roll: the d6, unless what it came to is said.
    """

    kind: ClassVar[str] = "begin"
    says: ClassVar[str] = "begin the fight"
    words: ClassVar[tuple[str, ...]] = ("cause",)
    by_gm: ClassVar[bool] = True
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "begin"

    pcs_surprised: bool | None = None
    cause: Literal["", "narrative", "encounter_roll"] = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a fight of one side."""
        if actor != "gm":
            raise Refused("not_your_turn", "WYR-002", "the game master begins the fight", source=actor)
        if len(table.derived(standing)) < 2:
            raise Refused("need_two_sides", "WYR-T35", "a fight needs two sides with somebody active each", "sides")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Note what is known of surprise (WYR-003, WYR-004)."""
        rolled = self.cause == "encounter_roll" or (not self.cause and table.config.surprise_roll == "roll")
        if self.pcs_surprised is None and rolled:
            yield marked("fight", "surprise", "roll", "WYR-004")
        elif self.pcs_surprised:
            rule = "WYR-004" if self.cause == "encounter_roll" else "WYR-003"
            yield marked("fight", "surprise", self.cause or "narrative", rule)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return a plain beginning, one with the player characters surprised, and one by the encounter roll."""
        match field:
            case "cause":
                return ("", "encounter_roll")
            case "pcs_surprised" if not so_far.cause:
                return (None, True)
            case _:
                return super().values(table, actor, manner, field, so_far)


class EndTurn(Action, frozen=True, kw_only=True):
    """End one's own turn; the side is done when all its members are (WYR-006, WYR-007)."""

    kind: ClassVar[str] = "end_turn"
    says: ClassVar[str] = "end the turn"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "end_turn"

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Be done."""
        yield MemberDone(who=actor, rules=("WYR-T36",))
