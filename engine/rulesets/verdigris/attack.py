"""Attacks (VER-023 to VER-051)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta

from affray.engine.core.actions import Action
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import CombatantId, Id, ItemId

from .acting import begins
from .exchange import exchange
from .gear import held
from .sheet import enemies, in_play
from .striking import (
    Strike,
    blow,
    bold_enough,
    meant,
    shootable,
    strikable,
    strikes_at,
    wieldable,
)
from .tests import has_background
from .turns import manner_of, paid, playable, unforbidden

Grip = Literal["", "one", "two"]
AtLeast0 = Annotated[int, Meta(ge=0, le=9)]


class Attack(Action, frozen=True, kw_only=True):
    """Strike an enemy in the same melee, or shoot at one anywhere: a test against its Dodge save (VER-023, VER-026).

    Attributes:
        target: Combatant id.
        weapon: Item id; what is in hand and fits if not given.
        strike: Whether rider or mount is struck, needed against somebody mounted (VER-067).
        grip: One hand or two, for a flexible weapon (VER-S21).
        mighty: Stress taken on a hit for as much more damage, up to the level of Strike Mighty Blow.
        background: Whether the background fits (VER-S01).
    """

    kind: ClassVar[str] = "attack"
    says: ClassVar[str] = "strike or shoot at an enemy"
    words: ClassVar[tuple[str, ...]] = ("target", "weapon")
    own_trigger: ClassVar[str] = "attack"

    target: CombatantId
    weapon: ItemId = ""
    strike: Strike = ""
    grip: Grip = ""
    mighty: AtLeast0 = 0
    background: bool = False

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, shot, weapon, target, reach."""
        playable(table, actor, manner, "action", self.kind)
        weapon = meant(table, actor, self.target, self.weapon)
        shootable(table, actor, weapon)
        wieldable(table, actor, weapon, self.grip)
        has_background(table, actor, self.background)
        bold_enough(table, actor, self.mighty, weapon)
        strikable(table, actor, self.target, weapon, self.strike, manner_of(table, manner))
        unforbidden(table, actor, manner, self.kind, "VER-023")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action."""
        yield from paid(table, actor, "action", "VER-023")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Strike."""
        if not (yield from begins(table, self, actor)):
            return
        strike = blow(
            table,
            actor,
            self.target,
            self.weapon,
            strike=self.strike,
            grip=self.grip,
            mighty=self.mighty,
            fits=self.background,
        )
        yield from exchange(table, strike)

    def targets(self) -> tuple[Id, ...]:
        """Return the one who is attacked."""
        return (self.target,)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every enemy, every weapon in hand, both rider and mount, and every grip."""
        match field:
            case "target":
                return foes(table, actor)
            case "weapon":
                return arms(table, actor)
            case "strike":
                return strikes_at(table, so_far.target)
            case "grip" if "flexible" in table.item(so_far.weapon).traits:
                return ("", "two")
            case _:
                return super().values(table, actor, manner, field, so_far)


def foes(table: Table, actor: Id) -> list[Id]:
    """Return the enemies who are in play."""
    return [who for who in table.draft.combatants if enemies(table, actor, who) and in_play(table, who)]


def arms(table: Table, actor: Id) -> list[Id]:
    """Return the weapons that somebody has in hand, and its bare hands."""
    return [*(item.id for item in held(table, actor) if item.kind == "weapon"), f"{actor}.unarmed"]
