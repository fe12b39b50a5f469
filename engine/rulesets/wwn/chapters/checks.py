"""Skill checks, opposed checks, saves, Morale, and stabilizing the wounded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Annotated, Any, ClassVar, Literal, Self

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import EACH, Target
from affray.engine.core.changes import end_condition, set_condition
from affray.engine.core.effects import Roll, Rule, throw
from affray.engine.kit.modifiers import list_granted, use_up_granted
from affray.engine.kit.rulings import tests
from affray.engine.kit.rulings.harm_and_end import RuledAction
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.kit.sheets import is_pc, sheet_modifier, stat
from affray.engine.kit.sides import are_enemies
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.harm import wound
from affray.engine.rulesets.wwn.marks import FELL
from affray.engine.rulesets.wwn.movement.board import is_adjacent
from affray.engine.rulesets.wwn.sheet import dex_or_int, is_active, level, own_attribute
from affray.engine.rulesets.wwn.tables import Attribute
from affray.engine.rulesets.wwn.turns.acting import MainAction, lose_denied, must_be_no_beast
from affray.events import Clause, Dice, Id, Judged, Modifier, Rolled, SideName, StatName

TWO_D6 = (Dice(count=2, sides=6, kind="check"),)

OUTCOMES = ("success", "failure")
"""The outcomes of a check."""


def list_skill_terms(table: Table, who: Id, attribute: str, skill: str, rule: Clause) -> tuple[Modifier, ...]:
    """List the terms of a skill check: attribute and level, or a foe's skill bonus."""
    if skill not in table[who].stats and not is_pc(table, who):
        return (sheet_modifier(who, "skill", stat(table, who, "skill"), rule),)
    return own_attribute(table, who, attribute, "WWN-T01"), sheet_modifier(
        who, skill, level(table, who, skill), "WWN-T04"
    )


def make_check(
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
    """Roll 2d6, attribute modifier and skill level (WWN-T29).

    ``difficulty`` returns the number to reach, if no other roll decides. ``terms`` take the place of attribute and
    skill.
    """

    def build_roll() -> Roll:
        own = list_skill_terms(table, who, attribute, skill, rule) if terms is None else terms
        modifiers = (*own, *list_granted(table, who, rule))
        against = None if difficulty is None else difficulty()
        return Roll(dice=TWO_D6, purpose=purpose, by=who, modifiers=modifiers, against=against, rules=(rule, "WWN-T29"))

    roll = yield from throw(build_roll)
    assert roll is not None
    yield from use_up_granted(table, who)
    return roll


def try_check(
    table: Table,
    who: Id,
    attribute: str,
    skill: str,
    rule: Clause,
    *,
    difficulty: Callable[[], int],
    purpose: str = "check",
) -> Rule[bool]:
    """Make a check, and return whether it succeeds; see ``make_check``."""
    roll = yield from make_check(table, who, attribute, skill, rule, purpose=purpose, difficulty=difficulty)
    assert roll.against is not None
    margin = roll.total - roll.against
    return (yield from _judge(table, who, roll, margin >= 0, margin, rule))


def _judge(table: Table, who: Id, roll: Rolled, rolled: bool, margin: int, *rules: Clause) -> Rule[bool]:
    """Judge whether a check succeeds, by the dice or by a verdict."""
    judged = Judged(roll=roll.roll, outcome=OUTCOMES[not rolled], margin=margin, rules=rules)
    return (yield from judge_test(table, who, judged, rolled, OUTCOMES, "WWN-T78"))


def oppose(
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
    """Let both roll, and return whether the first wins; the configuration settles ties.

    Args:
        one, with_: The combatant who rolls first, its attribute and its skill.
        other, against: The combatant who rolls second, its attribute and its skill.
        resisting: The one of them that defends, for ties.
        bonus: The second combatant's bonus, instead of attribute and skill.
    """
    first = yield from make_check(table, one, *with_, rule)
    if other not in table.draft.combatants:
        return True
    terms = None if bonus is None else (Modifier(value=bonus, label="skill", source="gm", rule=rule),)
    second = yield from make_check(table, other, *against, rule, terms=terms, purpose=f"check:{other}")
    margin = first.total - second.total
    tie = (resisting == one) == (table.config.opposed_tie == "defender")
    won = margin > 0 or (margin == 0 and tie)
    return (yield from _judge(table, one, first, won, margin, rule, "WWN-T29"))


Save = Literal["", "physical", "evasion", "mental", "luck"]
"""A save, by the name of its number on the sheet; empty for a check."""

MOST_SAVE = 20
"""The highest number of a save, used if a sheet has lost its own."""


@declared_as("test", "a check or save by ruling", "who", "attribute", "skill")
class SkillCheck(tests.CalledTest, frozen=True, kw_only=True):
    """A skill check, an opposed check, or a save, by ruling.

    Attributes:
        attribute, skill: The attribute and the skill of a check.
        save: The save, instead of a check.
        difficulty: The number that a check must reach, or a save's number instead of the sheet's.
        against_attribute, against_skill: The attribute and the skill of the opponent.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("not_an_action", "WWN-T79")
    rule: ClassVar[Clause] = "WWN-067"

    attribute: Attribute | Literal[""] = ""
    skill: StatName = ""
    save: Save = ""
    difficulty: int | None = None
    against_attribute: Attribute = "str"
    against_skill: StatName = "exert"

    def attempt(self, table: Table, who: Id) -> Rule[bool]:
        """Roll a save, two opposed checks, or one check."""
        own = (self.attribute, self.skill)
        if self.save:
            return (yield from _try_save(table, who, self.save, self.difficulty))
        if self.against:
            others = (self.against_attribute, self.against_skill)
            return (yield from oppose(table, who, own, self.against, others, "WWN-067", resisting=self.against))
        difficulty = table.config.skill_difficulty if self.difficulty is None else self.difficulty
        return (yield from try_check(table, who, *own, "WWN-067", difficulty=lambda: difficulty))

    def is_there(self, table: Table, who: Id) -> bool:
        """Tell whether the combatant is still in the fight."""
        return who in table.draft.combatants

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll and apply the consequences; a denying condition takes its action."""
        yield from super().resolve(table, actor)
        if self.condition and self.is_there(table, self.who) and table[self.who].has(self.condition):
            yield from lose_denied(table, self.who, self.condition)

    def hurt(self, table: Table, who: Id, term: Modifier) -> Rule[None]:
        """Take the damage from the hit points."""
        yield from wound(table, who, (term,), self.rule)


def _try_save(table: Table, who: Id, save: str, number: int | None) -> Rule[bool]:
    """Roll 1d20 against a save's number; a natural 1 fails, a natural 20 succeeds (WWN-T79)."""

    def find_roll() -> Roll:
        against = table[who].stats.get(save, MOST_SAVE) if number is None else number
        dice = (Dice(count=1, sides=20, kind="save"),)
        modifiers = list_granted(table, who, "WWN-T79")
        return Roll(dice=dice, purpose="save", by=who, modifiers=modifiers, against=against, rules=("WWN-T79",))

    roll = yield from throw(find_roll)
    assert roll is not None
    assert roll.against is not None
    yield from use_up_granted(table, who)
    face, margin = roll.dice[0].counted[0], roll.total - roll.against
    saved = face == 20 or (face > 1 and margin >= 0)
    return (yield from _judge(table, who, roll, saved, margin, "WWN-T79"))


@declared_as("morale", "a Morale check by ruling", "side", "outcome")
class MoraleCheck(RuledAction, frozen=True, kw_only=True):
    """A Morale check of a side: one roll, compared with the score of each member.

    Attributes:
        outcome: The effect of a failure.
        fails: Whether all fail without a roll.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("not_an_action", "WWN-065")
    reserved: ClassVar[str] = "a Morale check is the game master's to rule"

    side: SideName
    outcome: Literal["flee", "yield"] = "flee"
    fails: bool = False

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll 2d6: members with a lower score flee or surrender (WWN-G03).

        Without a roll, all of them do.
        """
        moved, total = list_morale_checkers(table, self.side), 0
        if not self.fails:
            roll = yield from throw(partial(self._build_roll, table))
            if roll is None or roll.against is None:
                return
            margin, total = roll.against - roll.total, roll.total
            yield Judged(roll=roll.roll, outcome="failed" if margin < 0 else "held", margin=margin, rules=("WWN-G03",))
            moved = list_morale_checkers(table, self.side)
        condition = "fled" if self.outcome == "flee" else "surrendered"
        for who in moved:
            if self.fails or total > table[who].stats["morale"]:
                yield set_condition(table, who, condition, 1, "WWN-G03")

    def _build_roll(self, table: Table) -> Roll | None:
        """Return the roll of a side, against the lowest Morale of its known members.

        If all members are concealed, they are tested themselves, and the roll is sealed.
        Return no roll for a side without a member to test.
        """
        tested = list_morale_checkers(table, self.side)
        tested = table.list_known(tested) or tested
        if not tested:
            return None
        dice = (Dice(count=2, sides=6, kind="morale"),)
        lowest = min(table[who].stats["morale"] for who in tested)
        return Roll(dice=dice, purpose="morale", by=tested[0], against=lowest, rules=("WWN-G03", "WWN-T30"))


def list_morale_checkers(table: Table, side: str) -> tuple[Id, ...]:
    """Return the members of a side who check Morale: active foes, no PCs, no mounts."""
    members = [one for one in table.draft.combatants.values() if one.side == side and is_active(table, one.id)]
    return tuple(one.id for one in members if "morale" in one.stats and not {"pc", "mount"} & {*one.traits})


@declared_as("stabilize", "stop an ally's bleeding", "target", "attribute", throughout=True)
class Stabilize(MainAction, frozen=True, kw_only=True):
    """Stop an ally's bleeding, harder with every full round.

    Without an attribute it is the better of Dex/Heal and Int/Heal.
    """

    rule: ClassVar[Clause] = "WWN-T33"

    target: Target
    attribute: Annotated[Literal["", "dex", "int"], EACH] = ""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, no ally to help, too far away."""
        super().check(table, actor, manner)
        must_be_no_beast(table, actor)
        target = table.draft.combatants.get(self.target)
        if target is None or not target.has("mortally_wounded"):
            raise table.refuse(self.target, "is not mortally wounded", "WWN-T33", "not_wounded")
        if are_enemies(table, actor, self.target):
            raise table.refuse(self.target, f"is no ally of {table.name_of(actor)}", "WWN-T33", "not_an_ally")
        if not is_adjacent(table, actor, self.target):
            raise table.refuse(self.target, f"is not beside {table.name_of(actor)}", "WWN-T33", "out_of_reach")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Check Heal against the difficulty plus the rounds since the fall."""

        def difficulty() -> int:
            return table.config.skill_difficulty + table.pool(self.target, "bleed")

        way = self.attribute or dex_or_int(table, actor)
        if (yield from try_check(table, actor, way, "heal", "WWN-T33", difficulty=difficulty)):
            yield from stabilize(table, self.target)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return all mortally wounded combatants."""
        if field == "target":
            return [who for who, one in table.draft.combatants.items() if one.has("mortally_wounded")]
        return super().values(table, actor, manner, field, so_far)


def stabilize(table: Table, who: Id) -> Rule[None]:
    """Let a combatant live, out of the fight."""
    yield from end_condition(table, who, "mortally_wounded", "WWN-T33")
    yield set_condition(table, who, "stabilized", 1, "WWN-T33")
    yield FELL.clear_on(who, "WWN-T33")
