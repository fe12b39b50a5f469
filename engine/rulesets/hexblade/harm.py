"""Damage outside an exchange, by ruling: a fall, a fire, a spell (HEX-025, HEX-G03)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Action
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import CombatantId, Damaged, Id, Modifier

from .blows import against, can_be_hit, guarded, hurt
from .fate import settled
from .sheet import refusal


class Harm(Action, frozen=True, kw_only=True):
    """Take damage that the game master ruled.

    Attributes:
        who: Combatant id.
        amount: Before armour.
        armored: Whether armour is rolled against it.
    """

    kind: ClassVar[str] = "harm"
    says: ClassVar[str] = "damage by ruling"
    words: ClassVar[tuple[str, ...]] = ("who", "amount")

    who: CombatantId
    amount: Annotated[int, Meta(ge=1, le=999)]
    armored: bool = False

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it from anybody but a ruling, which has looked at everything else."""
        if manner not in ("ruled", "pending"):
            raise refusal("HEX-015", "damage of this kind is the game master's to rule", actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll armour if that helps, take the rest from the hit points, and see who fell (HEX-023, HEX-025)."""
        guard = 0
        if self.armored:
            _, guard = yield from guarded(table, self.who)
        if not can_be_hit(table, self.who):
            return
        amount = max(0, self.amount - guard)
        ruled = Modifier(value=self.amount, label="ruling", source="gm")
        yield Damaged(who=self.who, terms=(ruled, *against(self.who, guard)), amount=amount, rules=("HEX-025",))
        yield from hurt(table, self.who, amount, "HEX-025")
        if amount:
            yield from settled(table, self.who)

    def targets(self) -> tuple[Id, ...]:
        """Return whom it hits."""
        return (self.who,)
