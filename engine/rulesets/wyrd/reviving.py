"""Bringing somebody round who is incapacitated (WYR-068, WYR-069)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, Self

from affray.engine.core.changes import condition_ended, marked
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, CombatantId, Id

from .play import action_spent, in_reach, may_act
from .rolling import attempt
from .sheet import an_ally
from .testing import FREE, WHICH_TEST, Trying, bonus


class Revive(Trying, frozen=True, kw_only=True):
    """Bring a companion round who is incapacitated (WYR-069).

    Attributes:
        target: Combatant id.
        ability: What is tested if the game master wants a test.
    """

    kind: ClassVar[str] = "revive"
    says: ClassVar[str] = "bring a companion round"
    words: ClassVar[tuple[str, ...]] = ("target",)

    target: CombatantId

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: active, budget, somebody who is dead or not down, a companion, in reach."""
        may_act(table, actor, manner, "WYR-069")
        self.check_support(table, actor, manner)
        down(table, self.target, "WYR-069")
        an_ally(table, actor, self.target, "WYR-069")
        in_reach(table, actor, self.target, "WYR-069")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (WYR-007)."""
        yield from action_spent(table, actor, "WYR-069")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the condition away; the companion may act from its next turn (WYR-069)."""
        wanted = table.mark(actor, "revive/test")
        name = str(wanted or "")
        if wanted is None and table.config.revive_test == "gm":
            yield Go("submit", rules=("WYR-069",))
            answer = yield from choice(partial(_whether, table, actor))
            yield Go("ruled", rules=("WYR-069",))
            if answer is None:
                name = str(table.mark(actor, "revive/test"))
            elif answer.choice == "test":
                name = str(answer.fields.get("ability") or self.ability or "intellect")
        else:
            yield Go("carry_out", rules=("WYR-069",))
        support = yield from self.braced(table, actor)
        if name:
            tested = yield from attempt(
                table, actor, name, tuple, "WYR-069", "WYR-T08", support=support, won="WYR-069", lost="WYR-069"
            )
            if table.mark(actor, "revive/test") is not None:
                yield marked(actor, "revive/test", None)
            yield from bonus(table, tested, actor)
            if not tested.succeeded:
                return
        yield from comes_round(table, self.target, "WYR-069")

    def targets(self) -> tuple[Id, ...]:
        """Return who is brought round."""
        return (self.target,)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return everybody who is down."""
        if field == "target":
            return [who for who, one in table.draft.combatants.items() if one.conditions and one.has("incapacitated")]
        return super().values(table, actor, manner, field, so_far)


def down(table: Table, who: Id, rule: Clause) -> None:
    """Refuse to bring round somebody who is dead, or not down (WYR-068, WYR-069)."""
    combatant = table[who]
    if combatant.has("dead"):
        raise Refused("dead", rule, f"{who} is dead", source=who)
    if not combatant.has("incapacitated"):
        raise Refused("not_incapacitated", rule, f"{who} is not incapacitated", source=who)


def comes_round(table: Table, who: Id, rule: Clause) -> Rule[None]:
    """Be up again, and wait for the next turn of one's own (WYR-068, WYR-069)."""
    yield from condition_ended(table, who, "incapacitated", rule, "WYR-T29")
    yield marked(who, "revived", rule, rule, until="its next turn")


def _whether(table: Table, actor: Id) -> Ask | None:
    """Return what the game master is asked, unless the ability to be tested has been ruled."""
    if table.mark(actor, "revive/test") is not None:
        return None
    return Ask(of=("gm",), about="revive", options=(FREE, WHICH_TEST), rules=("WYR-069",))
