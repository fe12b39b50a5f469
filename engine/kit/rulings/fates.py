"""Harm and the end of a fight by ruling: every system has them, and names the clauses they rest on."""

from itertools import combinations
from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Action, Ruling, ruled_as
from affray.engine.core.awaiting import what_comes_first
from affray.engine.core.effects import Interrupted, Rule
from affray.engine.core.ruleset import load
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.fight_end import ended, no_longer_asked
from affray.engine.kit.sides import are_hostile, known_side
from affray.events import Clause, CombatantId, Id, SideName

from .words import in_quotes

Amount = Annotated[int, Meta(ge=1, le=999)]
"""How much damage is ruled."""


def must_await_nothing(table: Table, code: str, rule: Clause) -> None:
    """Refuse what cannot be ruled while something waits for an answer or for dice, and say whose."""
    if first := what_comes_first(table.draft, load(table.draft.system).vocabulary):
        raise Refused(code, rule, first, table.draft.phase)


def set_going(action: Action, *rules: Clause) -> Interrupted:
    """Return an action of the game master as a rule puts it on the stack, to resolve at once."""
    return Interrupted(by=(("gm", action),), manner="ruled", rules=rules)


class Harm(Action, frozen=True, kw_only=True):
    """Take damage that the game master ruled.

    Class attributes:
        refusal: The code and the clause that leave it to the game master.
    """

    refusal: ClassVar[tuple[str, Clause]]
    by_rules: ClassVar[bool] = True

    who: CombatantId
    amount: Amount

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it from anybody but a ruling, which has looked at everything else."""
        if manner not in ("ruled", "pending"):
            raise Refused(*self.refusal, "damage of this kind is the game master's to rule", actor)

    def targets(self) -> tuple[Id, ...]:
        """Return whom it hits."""
        return (self.who,)


@ruled_as("end", "end the fight and name the victors, if any", "victors", "allies")
class End(Ruling, frozen=True, kw_only=True):
    """End the fight, and name the victors if there are any.

    Attributes:
        victors: The side that has won.
        allies: Further sides that have won with it.

    Class attributes:
        refusal: The code and the clause that refuse a second end.
        rules: The clauses that withdraw what was asked, and end the fight unless the system ends it otherwise.
    """

    refusal: ClassVar[tuple[str, Clause]]
    rules: ClassVar[tuple[Clause, ...]] = ()

    victors: SideName = ""
    allies: tuple[SideName, ...] = ()

    @property
    def winners(self) -> tuple[str, ...]:
        """The sides that have won, the first one first."""
        return (self.victors, *self.allies) if self.victors else ()

    def check(self, table: Table) -> None:
        """Refuse sides that do not exist, are named twice or are hostile to each other, and a second end."""
        known_side(table, self.victors, "victors")
        for side in self.allies:
            known_side(table, side, "allies")
        if self.allies and not self.victors:
            raise Unusable("name the first side that has won as victors", "victors")
        if len(set(self.winners)) < len(self.winners):
            raise Unusable("name each side once", "allies")
        if table.draft.ended:
            raise Refused(*self.refusal, "the fight is over; undo its end to end it otherwise", "fight_over")
        hostile = next((both for both in combinations(self.winners, 2) if are_hostile(table, *both)), None)
        if hostile:
            message = f"the {hostile[0]} and the {hostile[1]} are enemies; say: rule end {in_quotes(self.victors)}"
            raise Refused("two_sides", self.refusal[1], message, source=hostile[1])

    def decide(self, table: Table) -> Rule[str]:
        """End it."""
        yield from no_longer_asked(table, *self.rules)
        yield from self.end(table)
        return "over"

    def end(self, table: Table) -> Rule[None]:
        """Drop what is pending, and name the victors."""
        yield from ended(table, self.winners, "ruled", *self.rules)
