"""Verdicts: the game master overrules the outcome of an attack or a test.

A verdict is a condition of the combatant that ends with the round. The rules look for it where they decide an outcome,
and use it up. While the dice of harm are awaited, a miss still ends an attack.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal

from msgspec.structs import replace

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import set_condition
from affray.engine.core.effects import Rule
from affray.engine.core.endings import ending
from affray.engine.core.state import Pending
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, CombatantId, ConditionChanged, Id, Judged, about_of, name_of_path, topic_of

MISS, HIT, CRITICAL, NO_CRITICAL = "ruled_miss", "ruled_hit", "ruled_critical", "ruled_no_critical"
FAILURE, SUCCESS = "ruled_failure", "ruled_success"

CONDITIONS: Mapping[str, str] = {
    "miss": MISS, "hit": HIT, "critical": CRITICAL, "no_critical": NO_CRITICAL, "fails": FAILURE, "succeeds": SUCCESS,
}  # fmt: skip
"""The condition for each word of a verdict."""

CONTRADICTS: Mapping[str, tuple[str, ...]] = {
    MISS: (HIT, CRITICAL, NO_CRITICAL),
    HIT: (MISS, CRITICAL),
    CRITICAL: (MISS, HIT, NO_CRITICAL),
    NO_CRITICAL: (MISS, CRITICAL),
    FAILURE: (SUCCESS,),
    SUCCESS: (FAILURE,),
}
"""The earlier verdicts that a verdict replaces."""

ON_ATTACKS = (MISS, HIT, CRITICAL, NO_CRITICAL)
ON_TESTS = (FAILURE, SUCCESS)

CALLED = ("check", "test")
"""The kinds of actions by which the game master calls for a test."""

RULED = frozenset(CONTRADICTS)

Stage = Literal["open", "harm", "over"]
"""The progress of an attack or a test: nothing is decided, the dice of harm are awaited, or harm has been done."""

Plain = Literal["miss", "hit", "fails", "succeeds"]
"""The verdicts of a system without critical hits."""

Word = Literal["miss", "hit", "critical", "no_critical", "fails", "succeeds"]


def is_under_any_verdict(table: Table, who: Id) -> bool:
    """Tell whether a combatant is under any verdict."""
    one = table.draft.combatants.get(who)
    if one is None or not one.conditions:
        return False
    return not RULED.isdisjoint(one.conditions)


def is_under_verdict(table: Table, who: Id, *verdicts: str) -> bool:
    """Tell whether a combatant is under one of these verdicts."""
    one = table.draft.combatants.get(who)
    if one is None or not one.conditions:
        return False
    return any(verdict in one.conditions for verdict in verdicts)


def decide_attack(table: Table, who: Id, hits: bool, critical: bool = False) -> tuple[bool, bool]:
    """Return whether an attack hits and whether it is critical, after any verdict."""
    if not is_under_any_verdict(table, who):
        return hits, critical
    if is_under_verdict(table, who, MISS):
        return False, False
    hits = hits or is_under_verdict(table, who, HIT, CRITICAL)
    return hits, is_under_verdict(table, who, CRITICAL) or (critical and not is_under_verdict(table, who, NO_CRITICAL))


def decide_test(table: Table, who: Id, passes: bool) -> bool:
    """Return whether a test is passed, after any verdict."""
    if not is_under_any_verdict(table, who):
        return passes
    return is_under_verdict(table, who, SUCCESS) or (passes and not is_under_verdict(table, who, FAILURE))


def use_up_verdicts(table: Table, who: Id, verdicts: tuple[str, ...], rule: Clause) -> Iterable[ConditionChanged]:
    """End these verdicts on a combatant, once they have been applied."""
    if not is_under_any_verdict(table, who):
        return ()
    return [set_condition(table, who, verdict, 0, rule) for verdict in verdicts if table[who].has(verdict)]


def overrule(judged: Judged, outcome: str, rule: Clause) -> Judged:
    """Return a judgement with a verdict's outcome; the same one if they agree."""
    if outcome == judged.outcome:
        return judged
    return replace(judged, outcome=outcome, rolled=judged.outcome, rules=(rule,))


def judge_test(table: Table, who: Id, judged: Judged, passes: bool, words: tuple[str, str], rule: Clause) -> Rule[bool]:
    """Record the outcome of a test after any verdict, and tell whether it is passed.

    Args:
        judged: The judgement by the dice.
        passes: Whether it is passed by the dice.
        words: The outcomes of a passed and of a failed test.
        rule: The clause about verdicts.
    """
    passed = decide_test(table, who, passes)
    yield judged if passed == passes else overrule(judged, words[not passed], rule)
    yield from use_up_verdicts(table, who, ON_TESTS, rule)
    return passed


def is_awaiting(table: Table, item: Id, *topics: str, about: Id = "") -> bool:
    """Tell whether a pending action waits for a roll or a question on given topics.

    Args:
        about: The combatant that the roll or the question must name, if any.
    """
    draft = table.draft
    for waits in (draft.waits_for, *(one.id for one in draft.postponed)):
        if waits.startswith(f"{item}/") or waits.partition(":")[2].startswith(f"{item}/"):
            name = name_of_path(waits)
            if topic_of(name) in topics and about in ("", about_of(name)):
                return True
    return False


@ruled_as("verdict", "overrule an attack or a test under way, or the next one of this round", "who", "verdict")
class Verdict(Ruling, frozen=True, kw_only=True):
    """Overrule an attack or a test: the one under way, or the next one of this round.

    Attributes:
        verdict: ``miss``, ``hit``, ``critical`` or ``no_critical`` of an attack; ``fails`` or ``succeeds`` of a test.

    Class attributes:
        rule: The clause about verdicts.
    """

    rule: ClassVar[Clause]

    who: CombatantId
    verdict: Word

    @property
    def condition(self) -> str:
        """The condition that holds the verdict."""
        return CONDITIONS[self.verdict]

    @property
    def is_on_test(self) -> bool:
        """True if the verdict is on a test, not on an attack."""
        return self.condition in ON_TESTS

    def check(self, table: Table) -> None:
        """Refuse a verdict after the fight, and on an outcome that cannot be turned back."""
        name = table.name_of(self.who)
        if table.draft.ended:
            raise Refused("fight_over", self.rule, "the fight is over; undo its end to rule on it", "fight_over")
        for item in reversed(table.draft.stack):
            stage = self.stage(table, item) if self.who in (item.actor, *item.targets) else "open"
            if self.is_on_test and item.kind in CALLED and is_awaiting(table, item.id, "harm"):
                stage = "over"
            if stage == "over" or (stage == "harm" and not self.turns_back(table, item)):
                line = f"rule verdict {self.who} {self.verdict}"
                message = f"the outcome for {name} is decided already; undo it, say: {line}, and declare it again"
                raise Refused("decided", self.rule, message, source=item.id)

    def stage(self, table: Table, item: Pending) -> Stage:
        """Return the progress of a pending action by the combatant or aimed at it."""
        raise NotImplementedError

    def turns_back(self, table: Table, item: Pending) -> bool:
        """Tell whether the verdict can still be given while dice of harm are awaited."""
        return self.verdict == "miss"

    def decide(self, table: Table) -> Rule[None]:
        """Record the verdict until the end of the round, and end contradicting ones."""
        one = table[self.who]
        for other in CONTRADICTS[self.condition]:
            if one.has(other):
                yield set_condition(table, self.who, other, 0, self.rule)
        ends = ending(table, self.who, "end of round")
        yield set_condition(table, self.who, self.condition, 1, self.rule, ends=ends)

    def already(self, table: Table) -> str:
        """Say that this is the present verdict."""
        return f"the verdict on {table.name_of(self.who)} is {self.verdict} already"

    def instead(self, table: Table) -> str:
        """Return a ruling that takes the verdict back."""
        return f"rule condition {self.who} {self.condition} 0"
