"""Tests that the game master calls for, and the target number of the next test."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.kit.rulings import tests
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.rulesets.hexblade.attack.rolls import SUCCEEDS, Swing, find_lead, judge_swings
from affray.engine.rulesets.hexblade.chapters.attempts import MOST_DC, roll_plain
from affray.engine.rulesets.hexblade.chapters.effects import must_not_be_derived
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.flow import FLOW
from affray.engine.rulesets.hexblade.harm import can_be_hit, settle_fallen, wound
from affray.engine.rulesets.hexblade.marks import DC
from affray.engine.rulesets.hexblade.sheet import is_active, must_be_active
from affray.engine.rulesets.hexblade.tables import difficulties
from affray.events import Clause, CombatantId, Damaged, Id, Judged, Modifier

Tested = Literal[
    "str", "dex", "con", "int", "wis", "cha", "evade", "brawl", "crafting", "sneak", "notice", "acrobatics"
]
"""The tests that can be called for: an attribute, or a skill with its attribute."""

Difficulty = Annotated[int, Meta(ge=1, le=MOST_DC)]
"""The target number of a test."""


class Trial(tests.CalledTest, frozen=True, kw_only=True):
    """A DC test, or an opposed test.

    Attributes:
        test: The attribute or skill that is tested.
        dc: The target number, if no combatant rolls against it; by default the standard difficulty.
        against_test: The opponent's test; by default the same one.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("HEX-T54", "HEX-T54")
    rule: ClassVar[Clause] = "HEX-T54"
    words: ClassVar[tuple[str, ...]] = ("who", "test", "dc")

    test: Tested
    dc: Difficulty | None = None
    against_test: Tested | Literal[""] = ""

    def attempt(self, table: Table, who: Id) -> Rule[bool]:
        """Roll against a number, or against an opponent; a tie between rolls fails (HEX-T54)."""
        first = yield from roll_plain(table, who, self.test, "test", "HEX-T54")
        if self.against:
            second = yield from self._answer(table, first)
            success = find_lead(first, second) > 0
            judged = judge_swings(first, second, SUCCEEDS[not success], "HEX-T54", "HEX-T04")
        else:
            margin = first.total - (self.dc or difficulties()["standard"])
            success = margin >= 0
            rules = ("HEX-T54", "HEX-T03")
            judged = Judged(roll=first.roll, outcome=SUCCEEDS[not success], margin=margin, rules=rules)
        return (yield from judge_test(table, who, judged, success, SUCCEEDS, "HEX-T53"))

    def _answer(self, table: Table, first: Swing) -> Rule[Swing]:
        """Roll for the opponent, unless it cannot act."""
        if not is_active(table, self.against):
            return Swing(self.against, "")
        test = self.against_test or self.test
        return (yield from roll_plain(table, self.against, test, "answer", "HEX-T54", first=first))

    def is_there(self, table: Table, who: Id) -> bool:
        """Return whether the combatant can still be harmed."""
        return can_be_hit(table, who)

    def hurt(self, table: Table, who: Id, term: Modifier) -> Rule[None]:
        """Take the damage from the hit points, and settle the fallen."""
        yield Damaged(who=who, terms=(term,), amount=term.value, rules=(self.rule, "HEX-025"))
        yield from wound(table, who, term.value, "HEX-025")
        yield from settle_fallen(table, who)


class Test(tests.Test, frozen=True, kw_only=True):
    """Call for a DC test or an opposed test; the fields are as in ``CalledTest``."""

    action: ClassVar[type[tests.CalledTest]] = Trial
    words: ClassVar[tuple[str, ...]] = ("who", "test", "dc")

    test: Tested
    dc: Difficulty | None = None
    against_test: Tested | Literal[""] = ""

    def check(self, table: Table) -> None:
        """Refuse before or after the fight, an inactive combatant, and a derived state."""
        FLOW.permit(table, self.who, "intervene")
        must_be_active(table, self.who)
        super().check(table)
        must_not_be_derived(self.condition)


@ruled_as("dc", "set what a combatant's next evade out of a crowd, or crafting test, must reach", "who", "dc")
class NextDc(Ruling, frozen=True, kw_only=True):
    """Set the target number of the next evade in a crowd or crafting test (HEX-033, HEX-039)."""

    who: CombatantId
    dc: Difficulty

    def decide(self, table: Table) -> Rule[None]:
        """Note the number."""
        yield DC.set_on(self.who, self.dc, "HEX-033")
