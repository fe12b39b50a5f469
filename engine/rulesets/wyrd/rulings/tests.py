"""Tests of an ability that the game master calls for."""

from typing import ClassVar, Literal

from affray.engine.core.effects import Rule
from affray.engine.kit.rulings import tests
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.rulesets.wyrd.attack.testing import attempt, roll_ability
from affray.engine.rulesets.wyrd.chapters.wear_and_tear import wear_down
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.flow import FLOW
from affray.engine.rulesets.wyrd.harm import Hit, wound
from affray.engine.rulesets.wyrd.sheet import can_be_hurt, is_active, must_be_active
from affray.events import Clause, Id, Judged, Modifier

from .coming_tests import Ability

OUTCOMES = ("success", "failure")
"""The outcomes of an opposed test."""


class Trial(tests.CalledTest, frozen=True, kw_only=True):
    """A test of an ability, or of two abilities against each other.

    Attributes:
        ability: The ability that is tested.
        against_ability: The opponent's ability; by default the same one.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("needs_ruling", "WYR-T66")
    rule: ClassVar[Clause] = "WYR-T66"
    words: ClassVar[tuple[str, ...]] = ("who", "ability")

    ability: Ability
    against_ability: Ability | Literal[""] = ""

    def attempt(self, table: Table, who: Id) -> Rule[bool]:
        """Test the ability, or let both roll: the higher face wins, a tie changes nothing (WYR-T66)."""
        if not self.against:
            return (yield from attempt(table, who, self.ability, tuple, "WYR-T66", "WYR-014")).succeeded
        arguments = tuple, f"test:{who}", None, ("WYR-T66", "WYR-014")
        first = yield from roll_ability(table, who, self.ability, *arguments)
        rolls, margin = [first], first.total
        if is_active(table, self.against):
            arguments = tuple, f"test:{self.against}", None, ("WYR-T66", "WYR-014")
            second = yield from roll_ability(table, self.against, self.against_ability or self.ability, *arguments)
            rolls, margin = [first, second], margin - second.total
        wins = margin > 0
        judged = Judged(roll=first.roll, outcome=OUTCOMES[not wins], margin=margin, rules=("WYR-T66",))
        wins = yield from judge_test(table, who, judged, wins, OUTCOMES, "WYR-T65")
        for roll in rolls:
            yield from wear_down(table, roll)
        return wins

    def is_there(self, table: Table, who: Id) -> bool:
        """Return whether the combatant can still be hurt."""
        return can_be_hurt(table, who)

    def hurt(self, table: Table, who: Id, term: Modifier) -> Rule[None]:
        """Wound the combatant by an amount, less armor."""
        yield from wound(table, Hit(who, term.value, term.label, "gm", self.rule), "WYR-049")


class Test(tests.Test, frozen=True, kw_only=True):
    """Call for a test of an ability; the fields are as in ``CalledTest``."""

    action: ClassVar[type[tests.CalledTest]] = Trial
    words: ClassVar[tuple[str, ...]] = ("who", "ability")

    ability: Ability
    against_ability: Ability | Literal[""] = ""

    def check(self, table: Table) -> None:
        """Refuse before or after the fight, and combatants that are down."""
        FLOW.permit(table, self.who, "intervene")
        for who in (self.who, self.against) if self.against else (self.who,):
            must_be_active(table, who)
        super().check(table)
