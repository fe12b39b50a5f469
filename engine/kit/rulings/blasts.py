"""Rulings that deal dice of harm to combatants, such as a fire, a fall or a burst."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import asdict

from affray.engine.core.actions import Ruling, declared_as, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.events import Clause, CombatantId, Id, Modifier, Words

from .dice import DiceText, read_dice, throw_harm
from .harm_and_end import RuledAction, resolve_at_once
from .values import BRIEF, UNSAID, hide_cause

Several = Annotated[tuple[CombatantId, ...], Meta(min_length=1)]
"""Combatants that are harmed together."""


@declared_as("damage", "dice of harm by ruling", "who", "dice")
class Blast(RuledAction, frozen=True, kw_only=True):
    """Harm several combatants at once.

    All dice are thrown first. Then all harm is applied, and then it is settled who falls.

    Class attributes:
        rule: The clause by which the dice are thrown.

    Attributes:
        who: The combatants to harm, in this order.
        dice: The dice of harm, such as ``3d6+1``.
        each: Whether the dice are thrown for each combatant, or once for all.
        cause: The cause of the harm.
    """

    rule: ClassVar[Clause]
    one_by_one: ClassVar[bool] = True

    who: Several
    dice: DiceText
    each: bool = False
    cause: Annotated[Words, BRIEF] = UNSAID

    def targets(self) -> tuple[Id, ...]:
        """Return the combatants to harm."""
        return self.who

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Throw all dice, make all saves, apply all harm, and settle who falls."""
        total = 0
        totals: dict[Id, int] = {}
        for nth, who in enumerate(self.who):
            if self.each or not nth:
                total = yield from throw_harm(
                    self.dice, f"harm:{who}" if self.each else "harm", lambda: "gm", self.rule
                )
            totals[who] = total
        guards: dict[Id, Any] = {}
        for who in self.who:
            if self.is_there(table, who):
                guards[who] = yield from self.guard(table, who)
        taken: dict[Id, int] = {}
        for who, guard in guards.items():
            if self.is_there(table, who):
                term = Modifier(value=totals[who], label=self.cause, source="gm", rule=self.rule)
                taken[who] = yield from self.hurt(table, who, term, guard)
        yield from self.settle(table, taken)

    def is_there(self, table: Table, who: Id) -> bool:
        """Tell whether a combatant can still be harmed."""
        raise NotImplementedError

    def guard(self, table: Table, who: Id) -> Rule[Any]:
        """Roll a combatant's protection."""
        yield from ()

    def hurt(self, table: Table, who: Id, term: Modifier, guard: Any) -> Rule[int]:
        """Apply harm to a combatant, and return the amount after protection."""
        raise NotImplementedError

    def settle(self, table: Table, taken: Mapping[Id, int]) -> Rule[None]:
        """Settle the consequences for the harmed combatants, given the harm of each."""
        yield from ()


@ruled_as("damage", "deal dice of harm to one or several at once, such as 3d6", "who", "dice")
class Damage(Ruling, frozen=True, kw_only=True):
    """Deal dice of harm to one or several combatants; the fields are as in ``Blast``.

    Class attributes:
        action: The system's own action, which takes the same fields.
    """

    action: ClassVar[type[Blast]]

    who: Several
    dice: DiceText
    each: bool = False
    cause: Annotated[Words, BRIEF] = UNSAID

    def check(self, table: Table) -> None:
        """Refuse malformed dice, and a combatant that is named twice."""
        read_dice(self.dice)
        if len({*self.who}) != len(self.who):
            raise Unusable("name each of them once", "who")

    def has_open_part(self, table: Table) -> bool:
        """Tell whether a known combatant is harmed, too."""
        return any(who not in table.draft.concealed for who in self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Put the action on the stack, where it resolves at once.

        It goes through known combatants first. So no open roll or question of theirs counts those of a concealed one.
        """
        who = tuple(sorted(self.who, key=table.draft.concealed.__contains__))
        yield resolve_at_once(self.action(**{**asdict(self), "who": who, "cause": hide_cause(table, self.cause)}))
