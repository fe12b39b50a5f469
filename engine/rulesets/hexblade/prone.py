"""Knocking somebody prone: weapon against evade (HEX-055 to HEX-057)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, Self

from affray.engine.core.actions import Action
from affray.engine.core.effects import Go, Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import Clause, CombatantId, Id, Modifier

from .disarm import TWO_HANDS
from .exchange import CRITICAL, FUMBLE, attack, evade, judged, lead
from .levels import Levels
from .play import adjacent, another, not_just_drawn, others, paid, playable, used
from .sheet import blade
from .states import borne
from .wear import fumbled


class KnockProne(Action, frozen=True, kw_only=True):
    """Knock somebody adjacent off their feet, without hurting them (HEX-011, HEX-055 to HEX-057)."""

    kind: ClassVar[str] = "knock_prone"
    says: ClassVar[str] = "knock somebody adjacent off their feet"
    words: ClassVar[tuple[str, ...]] = ("target",)

    target: CombatantId

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: able, budget, target and distance (HEX-055)."""
        playable(table, actor, manner)
        not_just_drawn(table, actor, blade(table, actor))
        another(table, actor, self.target)
        adjacent(table, actor, self.target, "HEX-055")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (HEX-011)."""
        yield from paid(table, actor, manner, "HEX-011")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll an attack against an evade; a tie fails, and nobody is hurt (HEX-055, HEX-056)."""
        weapon = partial(blade, table, actor)
        first = yield from attack(table, actor, self.target, weapon, "HEX-055", "HEX-T10", extra=clumsiness)
        second = yield from evade(table, actor, self.target, lambda: first.total, "HEX-055")
        yield from used(table, actor, "HEX-055", "HEX-065")
        success = lead(first, second) > 0
        both: tuple[Clause, ...] = ("HEX-037",) if first.critical and second.critical else ()
        natural: tuple[Clause, ...] = ("HEX-T30",) if first.face in (CRITICAL, FUMBLE) or second.critical else ()
        rules = ("HEX-056", *both, *natural)
        yield judged(first, second, "success" if success else "failure", *rules)
        yield Go("no_blow", rules=("HEX-055",))
        yield from fumbled(table, first)
        yield Go("settled")
        if success:
            yield from borne(table, self.target, "prone", "HEX-056", "HEX-G01")

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on with what could not be declared now; once the rolls are made, nothing is waited for."""
        self.check(table, actor, "pending")

    def targets(self) -> tuple[Id, ...]:
        """Return the one who is to fall."""
        return (self.target,)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return everybody else."""
        return others(table, actor)


def clumsiness(weapon: Item) -> Levels:
    """Return the disadvantage of a weapon that is not held in both hands, or of none at all (HEX-057)."""
    if weapon.stats["hands"] >= TWO_HANDS:
        return ()
    return (Modifier(value=-1, label="one hand", source=weapon.id, rule="HEX-057"),)
