"""Dice of harm to several combatants by ruling, and their saves."""

from collections.abc import Mapping
from functools import partial
from typing import ClassVar, Literal

from affray.engine.core.effects import Rule
from affray.engine.kit.rulings import blasts
from affray.engine.rulesets.verdigris.chapters.pushing import Thrown
from affray.engine.rulesets.verdigris.chapters.rolls import save, try_save
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.flow import FLOW
from affray.engine.rulesets.verdigris.gear.things import list_armor_shares
from affray.engine.rulesets.verdigris.harm.damage import deal, wound
from affray.engine.rulesets.verdigris.sheet import is_in_play
from affray.events import Clause, Id, Modifier

from .tests import Save

Saved = Literal["half", "none"]
"""The harm that a passed save leaves."""


class Blast(blasts.Blast, frozen=True, kw_only=True):
    """Dice of harm that the game master ruled.

    Attributes:
        save: The save against it. Withstand lowers the harm by its SL, any other passed save by ``saved``.
        saved: The harm that a passed save leaves.
        armor: Whether a Withstand save has armour dice.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("VER-089", "VER-089")
    rule: ClassVar[Clause] = "VER-T77"

    save: Save = ""
    saved: Saved = "half"
    armor: bool = False

    def is_there(self, table: Table, who: Id) -> bool:
        """Tell whether a combatant is still in play."""
        return who in table.draft.combatants and is_in_play(table, who)

    def guard(self, table: Table, who: Id) -> Rule[Thrown | bool | None]:
        """Roll the save."""
        if not self.save:
            return None
        if self.save != "withstand":
            return (yield from try_save(table, who, self.save, 1, self.rule, purpose=f"{self.save}:{who}"))
        gear = partial(list_armor_shares, table, who) if self.armor else tuple
        return (yield from save(table, who, "withstand", self.rule, "VER-028", purpose=f"withstand:{who}", gear=gear))

    def hurt(self, table: Table, who: Id, term: Modifier, guard: Thrown | bool | None) -> Rule[int]:
        """Sum up the damage to a combatant."""
        terms = [term]
        if guard is True:
            off = term.value - (term.value // 2 if self.saved == "half" else 0)
            terms.append(Modifier(value=-off, label=self.save, source=f"{who}.{self.save}", rule=self.rule))
        return (yield from deal(table, who, terms, guard if isinstance(guard, Thrown) else None, self.rule))

    def settle(self, table: Table, taken: Mapping[Id, int]) -> Rule[None]:
        """Apply the damage, once it is known for all (VER-T77)."""
        for who, amount in taken.items():
            if self.is_there(table, who):
                yield from wound(table, who, amount)


class Damage(blasts.Damage, frozen=True, kw_only=True):
    """Deal dice of harm to one or several combatants; the fields are as in ``Blast``."""

    action: ClassVar[type[blasts.Blast]] = Blast

    save: Save = ""
    saved: Saved = "half"
    armor: bool = False

    def check(self, table: Table) -> None:
        """Refuse it outside of the fight, and against a combatant out of play."""
        super().check(table)
        FLOW.permit(table, "gm", "intervene")
        for who in self.who:
            if not is_in_play(table, who):
                raise table.refuse(who, "is out of play", "VER-T32")
