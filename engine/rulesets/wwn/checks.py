"""Skill checks, opposed checks, Morale (WWN-062, WWN-067, WWN-G03)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Literal

from affray.engine.core.actions import Action
from affray.engine.core.changes import condition_set
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.core.table import Table
from affray.engine.kit.modifiers import granted, used_up
from affray.events import Clause, CombatantId, Dice, Id, Judged, Modifier, Rolled, SideName, StatName

from .harm import by_ruling
from .sheet import active, skill_terms
from .tables import Attribute

TWO_D6 = (Dice(count=2, sides=6, kind="check"),)


def checked(
    table: Table,
    who: Id,
    attribute: str,
    skill: str,
    rule: Clause,
    *,
    difficulty: Callable[[], int] | None = None,
    terms: tuple[Modifier, ...] | None = None,
    purpose: str = "check",
) -> Rule[Rolled]:
    """Roll 2d6, attribute modifier and skill level, and judge it if there is a difficulty.

    Args:
        table: The fight.
        who: Who rolls.
        attribute, skill: What is added.
        rule: The clause that asks for it.
        difficulty: Says what must be reached; nothing if another roll decides.
        terms: What is added instead of attribute and skill.
        purpose: Names the dice.
    """

    def wanted() -> Roll:
        own = skill_terms(table, who, attribute, skill, rule) if terms is None else terms
        modifiers = (*own, *granted(table, who, rule))
        against = None if difficulty is None else difficulty()
        return Roll(dice=TWO_D6, purpose=purpose, by=who, modifiers=modifiers, against=against, rules=(rule, "WWN-T29"))

    roll = yield from throw(wanted)
    assert roll is not None
    yield from used_up(table, who)
    if roll.against is not None:
        margin = roll.total - roll.against
        outcome = "success" if margin >= 0 else "failure"
        yield Judged(roll=roll.roll, outcome=outcome, margin=margin, rules=(rule,))
    return roll


def passed(
    table: Table,
    who: Id,
    attribute: str,
    skill: str,
    rule: Clause,
    *,
    difficulty: Callable[[], int],
    purpose: str = "check",
) -> Rule[bool]:
    """Make a check, and come to whether it succeeds; see ``checked``."""
    roll = yield from checked(table, who, attribute, skill, rule, difficulty=difficulty, purpose=purpose)
    return roll.against is not None and roll.total >= roll.against


def opposed(
    table: Table,
    one: Id,
    with_: tuple[str, str],
    other: Id,
    against: tuple[str, str],
    rule: Clause,
    *,
    resisting: Id,
    bonus: int | None = None,
) -> Rule[bool]:
    """Let both roll, and come to whether the first one wins; a tie is settled by the configuration.

    Args:
        table: The fight.
        one, with_: Who rolls first, with which attribute and skill.
        other, against: Who rolls second, with which attribute and skill.
        rule: The clause that asks for it.
        resisting: Which of them keeps things as they are on a tie.
        bonus: What the second one adds instead of attribute and skill.
    """
    first = yield from checked(table, one, *with_, rule)
    if other not in table.draft.combatants:
        return True
    terms = None if bonus is None else (Modifier(value=bonus, label="skill", source="gm", rule=rule),)
    second = yield from checked(table, other, *against, rule, terms=terms, purpose=f"check:{other}")
    margin = first.total - second.total
    tie = (resisting == one) == (table.config.opposed_tie == "defender")
    won = margin > 0 or (margin == 0 and tie)
    yield Judged(roll=first.roll, outcome="success" if won else "failure", margin=margin, rules=(rule, "WWN-T29"))
    return won


class Test(Action, frozen=True, kw_only=True):
    """A skill check, or an opposed one, that the game master asks for."""

    kind: ClassVar[str] = "test"
    says: ClassVar[str] = "a check by ruling"
    words: ClassVar[tuple[str, ...]] = ("who", "attribute", "skill")

    who: CombatantId
    attribute: Attribute
    skill: StatName
    difficulty: int | None = None
    against: CombatantId = ""
    against_attribute: Attribute = "str"
    against_skill: StatName = "exert"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it from anybody but a ruling."""
        by_ruling(manner)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll; what comes of it is for the game master to say."""
        if self.against:
            pairs = (self.attribute, self.skill), (self.against_attribute, self.against_skill)
            yield from opposed(table, self.who, pairs[0], self.against, pairs[1], "WWN-067", resisting=self.against)
        else:
            told = self.difficulty
            difficulty = int(table.config.skill_difficulty) if told is None else told
            yield from passed(table, self.who, self.attribute, self.skill, "WWN-067", difficulty=lambda: difficulty)

    def targets(self) -> tuple[Id, ...]:
        """Return who rolls."""
        return (self.who,)


class MoraleCheck(Action, frozen=True, kw_only=True):
    """A Morale check of a side: one roll, which everybody compares with their own score (WWN-G03)."""

    kind: ClassVar[str] = "morale"
    says: ClassVar[str] = "a Morale check by ruling"
    words: ClassVar[tuple[str, ...]] = ("side", "outcome")

    side: SideName
    outcome: Literal["flee", "yield"] = "flee"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it from anybody but a ruling."""
        by_ruling(manner)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll 2d6: whoever has a lower score flees or gives up (WWN-G03)."""
        roll = yield from throw(partial(self._roll, table))
        if roll is None or roll.against is None:
            return
        margin = roll.against - roll.total
        yield Judged(roll=roll.roll, outcome="failed" if margin < 0 else "held", margin=margin, rules=("WWN-G03",))
        condition = "fled" if self.outcome == "flee" else "surrendered"
        for who in moved_by_morale(table, self.side):
            if roll.total > table[who].stats["morale"]:
                yield condition_set(table, who, condition, 1, "WWN-G03")

    def _roll(self, table: Table) -> Roll | None:
        """Return the roll of whoever checks now, against the lowest of their scores; none if nobody does."""
        tested = moved_by_morale(table, self.side)
        if not tested:
            return None
        dice = (Dice(count=2, sides=6, kind="morale"),)
        lowest = min(table[who].stats["morale"] for who in tested)
        return Roll(dice=dice, purpose="morale", by=tested[0], against=lowest, rules=("WWN-G03", "WWN-T30"))


def moved_by_morale(table: Table, side: str) -> tuple[Id, ...]:
    """Return who of a side has a Morale score to fail: active foes, but no PCs and no mounts (WWN-G03)."""
    return tuple(
        who
        for who, one in table.draft.combatants.items()
        if one.side == side and "morale" in one.stats and not {"pc", "mount"} & {*one.traits} and active(table, who)
    )
