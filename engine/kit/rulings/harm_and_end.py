"""Shared base of the rulings that deal harm or end the fight.

Each system names the clauses that they cite.
"""

from itertools import combinations
from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Action, Ruling, ruled_as
from affray.engine.core.awaiting import describe_awaited
from affray.engine.core.effects import Interrupted, Rule
from affray.engine.core.loading import load
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.fight_end import record_fight_end, withdraw_questions
from affray.engine.kit.sides import are_hostile, must_be_a_side
from affray.events import Clause, CombatantId, Id, SideName

from .values import quote_value

Amount = Annotated[int, Meta(ge=1, le=999)]
"""The amount of damage."""


def must_await_nothing(table: Table, code: str, rule: Clause) -> None:
    """Refuse a ruling while an answer or dice are pending, and say which."""
    if first := describe_awaited(table.draft, load(table.draft.system).vocabulary):
        raise Refused(code, rule, first, table.draft.phase)


def resolve_at_once(action: Action, *rules: Clause) -> Interrupted:
    """Return a game master's action for the stack, where it resolves at once."""
    return Interrupted(by=(("gm", action),), manner="ruled", rules=rules)


class RuledAction(Action, frozen=True, kw_only=True):
    """An action that only a ruling sets off, after it has checked it.

    Class attributes:
        refusal: The code and the clause of the refusal, if a player declares it.
        reserved: The reason of that refusal.
        set_off: The manners in which rulings set it off.
    """

    refusal: ClassVar[tuple[str, Clause]]
    reserved: ClassVar[str] = "damage of this kind is the game master's to rule"
    set_off: ClassVar[tuple[str, ...]] = ("ruled", "pending")
    by_rules: ClassVar[bool] = True

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse the action unless a ruling takes it."""
        if manner not in self.set_off:
            raise Refused(*self.refusal, self.reserved, actor)


class RuledHarm(RuledAction, frozen=True, kw_only=True):
    """Take damage by ruling."""

    who: CombatantId
    amount: Amount

    def targets(self) -> tuple[Id, ...]:
        """Return the combatant to harm."""
        return (self.who,)


@ruled_as("end", "end the fight and name the victors, if any", "victors", "allies")
class End(Ruling, frozen=True, kw_only=True):
    """End the fight, and name the victors if there are any.

    Attributes:
        victors: The winning side.
        allies: Further sides that win with it.

    Class attributes:
        refusal: The code and the clause that refuse a second end.
        rules: The clauses that withdraw pending questions. They also end the fight, unless the system ends it
            otherwise.
    """

    refusal: ClassVar[tuple[str, Clause]]
    rules: ClassVar[tuple[Clause, ...]] = ()

    victors: SideName = ""
    allies: tuple[SideName, ...] = ()

    @property
    def winners(self) -> tuple[str, ...]:
        """The winning sides, the first one first."""
        return (self.victors, *self.allies) if self.victors else ()

    def check(self, table: Table) -> None:
        """Refuse unknown, repeated or mutually hostile sides, and a second end."""
        must_be_a_side(table, self.victors, "victors")
        for side in self.allies:
            must_be_a_side(table, side, "allies")
        if self.allies and not self.victors:
            raise Unusable("name the first side that has won as victors", "victors")
        if len(set(self.winners)) < len(self.winners):
            raise Unusable("name each side once", "allies")
        if table.draft.ended:
            raise Refused(*self.refusal, "the fight is over; undo its end to end it otherwise", "fight_over")
        hostile = next((both for both in combinations(self.winners, 2) if are_hostile(table, *both)), None)
        if hostile:
            reason, line = f"the {hostile[0]} and the {hostile[1]} are enemies", f"rule end {quote_value(self.victors)}"
            raise Refused("two_sides", self.refusal[1], reason, hostile[1], example=line)

    def decide(self, table: Table) -> Rule[str]:
        """End the fight."""
        yield from withdraw_questions(table, *self.rules)
        yield from self.end(table)
        return "over"

    def end(self, table: Table) -> Rule[None]:
        """Drop pending actions, and record the victors."""
        yield from record_fight_end(table, self.winners, "ruled", *self.rules)
