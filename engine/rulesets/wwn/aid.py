"""Stabilizing the mortally wounded (WWN-025)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, Literal, Self

from affray.engine.core.actions import Action
from affray.engine.core.changes import condition_set, marked
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.sides import enemies
from affray.events import CombatantId, Id

from .board import adjacent
from .checks import passed
from .play import beastly, paid, playable
from .sheet import attribute


class Stabilize(Action, frozen=True, kw_only=True):
    """Stop an ally's bleeding: Dex/Heal or Int/Heal, harder with every full round since the fall (WWN-025).

    Attributes:
        target: Combatant id.
        attribute: ``dex`` or ``int``; the better one if left out.
    """

    kind: ClassVar[str] = "stabilize"
    says: ClassVar[str] = "stop an ally's bleeding"
    words: ClassVar[tuple[str, ...]] = ("target", "attribute")

    target: CombatantId
    attribute: Literal["", "dex", "int"] = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, nobody to be helped, too far away."""
        playable(table, actor, manner, "WWN-T33", main=True)
        beastly(table, actor, "WWN-T33")
        target = table.draft.combatants.get(self.target)
        if target is None or not target.has("mortally_wounded"):
            raise Refused("not_wounded", "WWN-T33", f"{self.target} is not mortally wounded", source=self.target)
        if enemies(table, actor, self.target):
            raise Refused("not_an_ally", "WWN-T33", f"{self.target} is no ally of {actor}", source=self.target)
        if not adjacent(table, actor, self.target):
            raise Refused("out_of_reach", "WWN-T33", f"{self.target} is not beside {actor}", source=self.target)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the Main Action."""
        yield from paid(table, actor, manner, "main", "WWN-T33")

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on if one of the two is gone, or the wound is stabilized."""
        self.check(table, actor, "pending")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Check against the difficulty and the rounds since the fall."""
        better = "int" if attribute(table, actor, "int") > attribute(table, actor, "dex") else "dex"
        difficulty = partial(self._difficulty, table)
        if (yield from passed(table, actor, self.attribute or better, "heal", "WWN-T33", difficulty=difficulty)):
            yield from stabilized(table, self.target)

    def _difficulty(self, table: Table) -> int:
        return int(table.config.skill_difficulty) + table.pool(self.target, "bleed")

    def targets(self) -> tuple[Id, ...]:
        """Return who is helped."""
        return (self.target,)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return everybody who bleeds, with the better attribute and with each."""
        if field == "attribute":
            return ("", "dex", "int")
        return [who for who, one in table.draft.combatants.items() if one.has("mortally_wounded")]


def stabilized(table: Table, who: Id) -> Rule[None]:
    """Let somebody live, out of the fight (WWN-025)."""
    yield condition_set(table, who, "mortally_wounded", 0, "WWN-T33")
    yield condition_set(table, who, "stabilized", 1, "WWN-T33")
    yield marked(who, "fell", None, "WWN-T33")
