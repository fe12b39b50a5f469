"""Spells, and whatever is on no list (WYR-008, WYR-012)."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.core.table import Table
from affray.events import CombatantId, Id, ItemId, Option, Words

from . import prompts
from .engage import fitting, ruled_ability
from .fatigue import tired
from .gear import usable
from .play import action_spent, may_act
from .rolling import attempt
from .stunt import FORBID, forbidden
from .testing import WHICH_TEST, Trying, bonus, used
from .throwing import stepped

USUAL = ("intellect", "will")
"""The abilities that cast spells without a ruling (WYR-008)."""

Remark = Annotated[Words, Meta(min_length=1, max_length=200)]
ALLOW = Option(choice="allow", says="it works without a test")


class Spell(Trying, frozen=True, kw_only=True):
    """Cast a spell: a test of Intellect or Will, and fatigue as great as its scope (WYR-008).

    Attributes:
        what: In plain words.
        scope: How great it is.
        target: At whom it is aimed, if at anybody.
        ability: Intellect if nothing is said; others than Will need a ruling.
        item: What is used for it, such as a staff.
    """

    kind: ClassVar[str] = "spell"
    says: ClassVar[str] = "cast a spell"
    words: ClassVar[tuple[str, ...]] = ("what", "target")

    what: Remark
    scope: Annotated[int, Meta(ge=0, le=99)] = 1
    target: CombatantId = ""
    item: ItemId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: active, budget, item, ability, somebody who is not there."""
        may_act(table, actor, manner, "WYR-008")
        self.check_support(table, actor, manner)
        if self.item:
            usable(table.item(self.item), actor, "WYR-008")
        fitting(table, actor, self.ability, USUAL, "WYR-008")
        if self.target:
            table[self.target]

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (WYR-007)."""
        yield from action_spent(table, actor, "WYR-008")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Test, take the fatigue, and leave the effect or the paradox to the game master (WYR-008)."""
        yield Go("carry_out", rules=("WYR-008",))
        support = yield from self.braced(table, actor)
        tested = yield from attempt(
            table,
            actor,
            self.ability or "intellect",
            partial(used, table, self.item),
            "WYR-008",
            "WYR-T08",
            "WYR-T32",
            foe=self.target,
            support=support,
            won="WYR-008",
            lost="WYR-008",
        )
        yield from ruled_ability(table, actor, self.ability, USUAL)
        if self.scope:
            yield from tired(table, actor, self.scope, "WYR-T32", "WYR-T41")
        yield from bonus(table, tested, actor, self.target)
        kind = "outcome" if tested.succeeded else "paradox"
        yield prompts.due(table, kind, f"{table[actor].name} casts {self.what}", "WYR-008")

    def targets(self) -> tuple[Id, ...]:
        """Return at whom it is aimed."""
        return (self.target,) if self.target else ()


class Improvise(Trying, frozen=True, kw_only=True):
    """Do something that is on no list; the game master rules on all of it (WYR-012).

    Attributes:
        what: In plain words.
        ability: The one the player would test.
        item: What is used for it; if it is good for one use only, that was it.
    """

    kind: ClassVar[str] = "improvise"
    says: ClassVar[str] = "do something else, as the game master rules"
    words: ClassVar[tuple[str, ...]] = ("what", "item")

    what: Remark
    item: ItemId = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: active, budget, item."""
        may_act(table, actor, manner, "WYR-012")
        self.check_support(table, actor, manner)
        if self.item:
            usable(table.item(self.item), actor, "WYR-012")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (WYR-007)."""
        yield from action_spent(table, actor, "WYR-012")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Wait for the ruling: allowed or not, tested or not, and what comes of it (WYR-012)."""
        what = f"{table[actor].name}: {self.what}"
        yield Go("submit", rules=("WYR-012",))
        answer = yield from choice(_whether)
        assert answer is not None
        yield Go("ruled", rules=("WYR-012",))
        if answer.choice == "forbid":
            yield from forbidden(table, actor, what)
        elif answer.choice == "allow":
            if self.item and table.item(self.item).die == 1:
                yield stepped(table, self.item, "WYR-012")
            yield prompts.due(table, "outcome", what, "WYR-012")
        else:
            name = str(answer.fields.get("ability") or self.ability)
            yield from self._tried(table, actor, name, what)

    def _tried(self, table: Table, actor: Id, name: str, what: str) -> Rule[None]:
        support = yield from self.braced(table, actor)
        gear = partial(used, table, self.item)
        tested = yield from attempt(
            table, actor, name, gear, "WYR-012", "WYR-T08", support=support, won="WYR-012", lost="WYR-012"
        )
        if tested.succeeded:
            yield from bonus(table, tested, actor)
            yield prompts.due(table, "outcome", what, "WYR-012")
        else:
            yield prompts.due(table, "consequence", prompts.among(actor, support.helper), "WYR-012")


def _whether() -> Ask:
    return Ask(of=("gm",), about="improvise", options=(ALLOW, WHICH_TEST, FORBID), rules=("WYR-012",))
