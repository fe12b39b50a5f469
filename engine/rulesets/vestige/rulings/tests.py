"""Tests that the game master calls for."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.errors import Unusable
from affray.engine.kit.modifiers import list_granted, use_up_granted
from affray.engine.kit.rulings import tests
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.kit.sheets import sheet_modifier, stat
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.flow import FLOW
from affray.engine.rulesets.vestige.harm import lose_health
from affray.engine.rulesets.vestige.sheet import is_active, must_be_active
from affray.events import Clause, Damaged, Dice, Id, Judged, Modifier, Rolled

from .outcomes import must_not_be_derived

Number = Literal["", "accuracy", "agility", "might", "protection", "morale"]
"""A number of the sheet, or the morale counter, that is added to the die."""

OUTCOMES = ("success", "failure")
"""The outcomes of a test."""

DIE = (Dice(count=1, sides=20, kind="test"),)


class Trial(tests.CalledTest, frozen=True, kw_only=True):
    """A test: one d20 against a number, or against another combatant's d20.

    Attributes:
        number: The number of the sheet that is added to the die.
        difficulty: The target number, if no combatant rolls against it.
        against_number: The number that the opponent adds; by default the same one.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("not_a_standard_action", "VES-011")
    rule: ClassVar[Clause] = "VES-T55"
    words: ClassVar[tuple[str, ...]] = ("who", "number", "difficulty")

    number: Number = ""
    difficulty: int = 0
    against_number: Number = ""

    def attempt(self, table: Table, who: Id) -> Rule[bool]:
        """Roll and compare; as in an attack, an equal total succeeds (VES-T55)."""
        need = None if self.against else self.difficulty
        first = yield from _roll(table, who, self.number, need)
        margin = first.total - self.difficulty
        if self.against:
            other = 0
            if is_active(table, self.against):
                other = (yield from _roll(table, self.against, self.against_number or self.number)).total
            margin = first.total - other
        success = margin >= 0
        judged = Judged(roll=first.roll, outcome=OUTCOMES[not success], margin=margin, rules=("VES-T55",))
        return (yield from judge_test(table, who, judged, success, OUTCOMES, "VES-T54"))

    def is_there(self, table: Table, who: Id) -> bool:
        """Return whether the combatant is still in the fight."""
        return is_active(table, who)

    def hurt(self, table: Table, who: Id, term: Modifier) -> Rule[None]:
        """Take damage from health, unprotected; at the brink it tests survival."""
        yield Damaged(who=who, terms=(term,), amount=term.value, rules=(self.rule,))
        yield from lose_health(table, who, term.value)


def _roll(table: Table, who: Id, number: str, need: int | None = None) -> Rule[Rolled]:
    """Roll one d20 with a number of the sheet and the modifiers that were granted."""

    def find_roll() -> Roll:
        must_be_active(table, who)
        value = table.pool(who, number) if number == "morale" else stat(table, who, number)
        terms = (sheet_modifier(who, number, value, "VES-T55"),) if number else ()
        modifiers = (*terms, *list_granted(table, who, "VES-T55"))
        return Roll(dice=DIE, purpose="test", by=who, modifiers=modifiers, against=need, rules=("VES-T55",))

    roll = yield from throw(find_roll)
    assert roll is not None
    yield from use_up_granted(table, who)
    return roll


class Test(tests.Test, frozen=True, kw_only=True):
    """Call for a test; the fields are as in ``CalledTest``."""

    action: ClassVar[type[tests.CalledTest]] = Trial
    words: ClassVar[tuple[str, ...]] = ("who", "number", "difficulty")

    number: Number = ""
    difficulty: Annotated[int, Meta(ge=0, le=99)] = 0
    against_number: Number = ""

    def check(self, table: Table) -> None:
        """Refuse before or after the fight, inactive combatants, or without a target number."""
        FLOW.permit(table, self.who, "intervene")
        for who in (self.who, self.against) if self.against else (self.who,):
            must_be_active(table, who)
        if bool(self.difficulty) == bool(self.against):
            raise Unusable(
                "say what the total must reach, such as difficulty=12, or who rolls against it", "difficulty"
            )
        super().check(table)
        must_not_be_derived(self.who, self.condition)
