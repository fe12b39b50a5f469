"""Tests that the game master calls for: of one combatant, or of two opposed ones."""

from typing import Annotated, Any, ClassVar

from msgspec.structs import asdict

from affray.engine.core.actions import Ruling, declared_as, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.events import Clause, CombatantId, ConditionName, Id, Modifier, Words

from .consequences import (
    HarmDice,
    MostHarm,
    Rounds,
    Until,
    apply_consequence,
    check_consequence,
    consequence_of,
)
from .harm_and_end import RuledAction, resolve_at_once
from .values import BRIEF, UNSAID, hide_cause, must_be_a_condition


@declared_as("test", "a test by ruling", "who")
class CalledTest(RuledAction, frozen=True, kw_only=True):
    """Make a test that the game master called for, and apply the stated consequence.

    A system adds the fields that define the test.

    Class attributes:
        rule: The clause by which the test is called for.

    Attributes:
        who: The combatant that is tested; the acting one by default.
        against: Another combatant that rolls against it.
        upon_success: Whether the consequence follows success instead of failure.
        harm, dice, cause, condition, rounds, until: As in ``Consequence``.
    """

    rule: ClassVar[Clause]
    reserved: ClassVar[str] = "the game master calls for tests and saves"
    set_off: ClassVar[tuple[str, ...]] = ("ruled", "called", "pending")

    who: CombatantId = ""
    against: CombatantId = ""
    upon_success: bool = False
    harm: MostHarm = 0
    dice: HarmDice = ""
    cause: Annotated[Words, BRIEF] = UNSAID
    condition: ConditionName = ""
    rounds: Rounds = 0
    until: Until = ""

    def targets(self) -> tuple[Id, ...]:
        """Return the combatants that roll, except the acting one."""
        return tuple([one for one in (self.who, self.against) if one])

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll, and apply the consequence that the game master stated."""
        who = self.who or actor
        succeeds = yield from self.attempt(table, who)
        if succeeds == self.upon_success and self.is_there(table, who):
            yield from apply_consequence(table, who, consequence_of(self), self.hurt, self.rule)

    def attempt(self, table: Table, who: Id) -> Rule[bool]:
        """Roll by the rules of the system, and tell whether the combatant succeeds."""
        raise NotImplementedError

    def is_there(self, table: Table, who: Id) -> bool:
        """Tell whether a consequence can still apply to the combatant."""
        raise NotImplementedError

    def hurt(self, table: Table, who: Id, term: Modifier) -> Rule[None]:
        """Apply the harm of the consequence."""
        raise NotImplementedError


@ruled_as("test", "call for a test, alone or against another, and say what follows", "who")
class Test(Ruling, frozen=True, kw_only=True):
    """Call for a test; the fields are as in ``CalledTest``.

    Attributes:
        own: Whether the condition is one of the table's own, which the rules do not know.

    Class attributes:
        action: The system's own action, which takes the same fields.
    """

    action: ClassVar[type[CalledTest]]

    who: CombatantId
    against: CombatantId = ""
    upon_success: bool = False
    harm: MostHarm = 0
    dice: HarmDice = ""
    cause: Annotated[Words, BRIEF] = UNSAID
    condition: ConditionName = ""
    rounds: Rounds = 0
    until: Until = ""
    own: bool = False

    def check_new(self, table: Table) -> None:
        """Refuse a condition that the rules do not know, unless it is the table's own."""
        if self.condition:
            must_be_a_condition(table, self.condition, own=self.own)

    def check(self, table: Table) -> None:
        """Refuse a combatant against itself, and a contradictory consequence."""
        if self.against == self.who:
            raise Unusable("name another combatant", "against")
        check_consequence(consequence_of(self))

    def decide(self, table: Table) -> Rule[None]:
        """Put the action on the stack, where it resolves at once."""
        yield resolve_at_once(self.action(**self.fields_of_action(table)))

    def fields_of_action(self, table: Table) -> dict[str, Any]:
        """Return the fields of the action, without words that viewers must not read."""
        told = {**asdict(self), "cause": hide_cause(table, self.cause)}
        del told["own"]
        return told
