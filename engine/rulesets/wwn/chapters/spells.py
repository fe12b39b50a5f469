"""Spells, with effects settled by the game master."""

from collections.abc import Iterable
from typing import Any, ClassVar, Self

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import Target
from affray.engine.core.effects import Ask, Rule, choice
from affray.engine.errors import Refused
from affray.engine.kit.riding import mount_of
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.sheet import CASTER
from affray.engine.rulesets.wwn.turns.acting import MainAction, must_afford, must_be_able_to_act, must_be_no_beast
from affray.events import Clause, Field, Id, Noted, Option

from .maneuvers import Text


@declared_as("cast", "cast a spell, not while riding", "spell", "target", throughout=True)
class Cast(MainAction, frozen=True, kw_only=True):
    """Cast a spell, with or without a target, but not while riding.

    The game master settles its effect.
    """

    rule: ClassVar[Clause] = "WWN-052"

    spell: Text
    target: Target = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to combatants who know a spell or are casters."""
        return CASTER in table[actor].traits or any(item.kind == "spell" for item in table.items_of(actor))

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, riding (WWN-052)."""
        must_be_able_to_act(table, actor, manner)
        if manner == "standard":
            must_afford(table, actor, "main", "WWN-T12")
        must_be_no_beast(table, actor)
        mount = mount_of(table, actor)
        if mount:
            raise Refused("unusable_while_riding", "WWN-052", "spells cannot be cast while riding", source=mount)
        if self.target and self.target not in table.draft.combatants:
            raise table.refuse(self.target, "is not in the fight", "WWN-T65", "target_out")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask the game master for the outcome."""
        says = f"{actor} casts {self.spell}: say what comes of it, and rule its effects"
        option = Option(choice="settled", says=says, fields=(Field(name="outcome", kind="text"),))
        asked = Ask(of=("gm",), about="outcome", options=(option,), rules=("WWN-052",))
        answer = yield from choice(lambda: asked)
        assert answer is not None
        parts = {"who": actor, "what": self.spell, "outcome": answer.fields["outcome"]}
        yield Noted(kind="cast", parts=parts, rules=("WWN-052",))

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every known spell, or else a nameless one, without a target."""
        known = tuple(item.name for item in table.items_of(actor) if item.kind == "spell")
        return (known or ("a spell",)) if field == "spell" else super().values(table, actor, manner, field, so_far)
