"""Damage outside a test: a fall, a fire, what comes of a stunt (WYR-049, WYR-061)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Action
from affray.engine.core.effects import Roll, Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import CombatantId, Dice, Id, Words

from .damage import Hit, dealt
from .play import undecided
from .sheet import hurtable


class Harm(Action, frozen=True, kw_only=True):
    """Damage that the game master ruled.

    Attributes:
        who: Combatant id.
        amount: How much before armor; 0 if a die says it.
        die: The size of that die.
        ignores_armor: Whether armor does not count.
        cause: Where it comes from.
    """

    kind: ClassVar[str] = "harm"
    says: ClassVar[str] = "damage by ruling"
    words: ClassVar[tuple[str, ...]] = ("who", "amount")

    who: CombatantId
    amount: Annotated[int, Meta(ge=0, le=999)] = 0
    die: Annotated[int, Meta(ge=0, le=100)] = 0
    ignores_armor: bool = False
    cause: Words = "ruling"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it from anybody but a ruling, which has looked at everything else."""
        if manner not in ("ruled", "pending"):
            raise Refused("needs_ruling", "WYR-049", "damage of this kind is the game master's to rule", actor)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to hurt somebody who is gone before the die has fallen (WYR-049)."""
        if undecided(table) and not hurtable(table, self.who):
            raise Refused("target_out", "WYR-049", f"{self.who} is out of the fight", source=self.who)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Throw the die if there is one, and deal the damage."""
        amount = self.amount
        if self.die:
            dice = (Dice(count=1, sides=self.die, kind="harm"),)
            roll = yield Roll(dice=dice, purpose="harm", by="gm", reading="highest", rules=("WYR-049",))
            amount = roll.total
        hit = Hit(self.who, amount, self.cause, "gm", "WYR-049", ignores_armor=self.ignores_armor)
        yield from dealt(table, hit, "WYR-049")

    def targets(self) -> tuple[Id, ...]:
        """Return whom it hits."""
        return (self.who,)
