"""Rulings on harm, checks, Morale, fates, and the end of the fight."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import asdict

from affray.engine.core.actions import Ruling, declared_as, ruled_as
from affray.engine.core.changes import end_condition, set_condition
from affray.engine.core.effects import Rule
from affray.engine.core.state import Pending
from affray.engine.errors import NoSuch, Refused, Unusable
from affray.engine.kit.rulings import blasts, combatants, harm_and_end, tests, verdicts
from affray.engine.rulesets.wwn.chapters.checks import MoraleCheck, Save, SkillCheck, list_morale_checkers
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.flow import FLOW
from affray.engine.rulesets.wwn.harm import FATES, begin_to_bleed, bring_back, end_fates, fell, lower_hp, wound
from affray.engine.rulesets.wwn.marks import AT_ZERO, FATE, FELL
from affray.engine.rulesets.wwn.sheet import ATTRIBUTES, is_active, must_be_active
from affray.engine.rulesets.wwn.tables import Attribute, skills
from affray.engine.rulesets.wwn.turns.acting import lose_denied
from affray.engine.texts import name_said
from affray.events import (
    Clause,
    CombatantId,
    ConditionChanged,
    Damaged,
    Ending,
    Id,
    Modifier,
    SideName,
    StatName,
)


@declared_as("harm", "damage by ruling", "who", "amount")
class Harm(harm_and_end.RuledHarm, frozen=True, kw_only=True):
    """Damage by ruling: a fall, a fire, a consequence of an improvised action.

    Attributes:
        spare: Whether a felled combatant lives.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("not_an_action", "WWN-065")

    spare: bool = False

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the damage from the hit points."""
        term = Modifier(value=self.amount, label="ruling", source="gm")
        yield from wound(table, self.who, (term,), spare=self.spare)


@ruled_as("harm", "do damage outside an attack", "who", "amount")
class Wound(Ruling, frozen=True, kw_only=True):
    """Deal damage outside an attack; ``pool`` heals it."""

    who: CombatantId
    amount: harm_and_end.Amount
    spare: bool = False

    def check(self, table: Table) -> None:
        """Refuse harm against a combatant out of the fight, and outside of the fight."""
        must_be_active(table, self.who, "WWN-T33")
        FLOW.permit(table, self.who, "intervene")

    def decide(self, table: Table) -> Rule[None]:
        """Put the harm on the stack."""
        yield harm_and_end.resolve_at_once(Harm(who=self.who, amount=self.amount, spare=self.spare))


class Blast(blasts.Blast, frozen=True, kw_only=True):
    """Dice of harm by ruling; with ``spare`` felled combatants live."""

    refusal: ClassVar[tuple[str, Clause]] = ("not_an_action", "WWN-065")
    rule: ClassVar[Clause] = "WWN-T75"

    spare: bool = False

    def is_there(self, table: Table, who: Id) -> bool:
        """Tell whether a combatant is still in the fight."""
        return is_active(table, who)

    def hurt(self, table: Table, who: Id, term: Modifier, guard: Any) -> Rule[int]:
        """Take the damage from the hit points."""
        yield Damaged(who=who, terms=(term,), amount=term.value, rules=(self.rule,))
        yield from lower_hp(table, who, term.value, self.rule)
        return term.value

    def settle(self, table: Table, taken: Mapping[Id, int]) -> Rule[None]:
        """Fell all without hit points, after all have lost theirs (WWN-T75)."""
        for who in taken:
            if who in table.draft.combatants:
                yield from fell(table, who, spare=self.spare)


class Damage(blasts.Damage, frozen=True, kw_only=True):
    """Deal dice of harm to one or several combatants."""

    action: ClassVar[type[blasts.Blast]] = Blast

    spare: bool = False

    def check(self, table: Table) -> None:
        """Refuse harm against a combatant out of the fight, and outside of the fight."""
        super().check(table)
        for who in self.who:
            must_be_active(table, who, "WWN-T33")
        FLOW.permit(table, self.who[0], "intervene")


@ruled_as("test", "ask for a skill check, an opposed one, or a save", "who", "attribute", "skill")
class Test(tests.Test, frozen=True, kw_only=True):
    """Call for a skill check, an opposed one, or a save.

    The fields are as in ``SkillCheck``.
    """

    action: ClassVar[type[tests.CalledTest]] = SkillCheck

    attribute: Attribute | Literal[""] = ""
    skill: StatName = ""
    save: Save = ""
    difficulty: Annotated[int, Meta(ge=2, le=30)] | None = None
    against_attribute: Attribute = "str"
    against_skill: StatName = "exert"

    def check(self, table: Table) -> None:
        """Refuse neither check nor save, unknown skills, and a check outside of the fight."""
        super().check(table)
        if self.save:
            self._check_save(table)
        elif not self.attribute:
            raise Unusable(
                "say an attribute and a skill, or a save, such as save=evasion", "attribute", known=ATTRIBUTES
            )
        elif not self.skill:
            raise Unusable("say a skill, too", "skill", known=skills())
        for name, skill in (("skill", self.skill), ("against_skill", self.against_skill)):
            if skill and skill not in skills():
                raise NoSuch("skill", skill, skills(), name)
        FLOW.permit(table, self.who, "intervene")

    def _check_save(self, table: Table) -> None:
        """Refuse a save with fields of a check, and a save without a number."""
        if self.attribute or self.skill or self.against:
            raise Unusable("a save has neither attribute, skill nor opponent", "save")
        if self.difficulty is None and self.save not in table[self.who].stats:
            name = table.name_of(self.who)
            raise Unusable(
                f"the sheet of {name} has no {self.save} save; say its number, such as difficulty=15", "save"
            )


@ruled_as("morale", "call for a side's Morale check", "side", "outcome")
class Morale(Ruling, frozen=True, kw_only=True):
    """Call for a Morale check of a side; the fields are as in ``MoraleCheck``."""

    side: SideName
    outcome: Literal["flee", "yield"] = "flee"
    fails: bool = False

    def check(self, table: Table) -> None:
        """Refuse a side without members who check Morale: PCs never do."""
        if not list_morale_checkers(table, self.side):
            raise Refused(
                "nobody_checks", "WWN-G03", f"nobody of {name_said(self.side)} makes Morale checks", source=self.side
            )
        FLOW.permit(table, "gm", "intervene")

    def decide(self, table: Table) -> Rule[None]:
        """Put the check on the stack."""
        yield harm_and_end.resolve_at_once(MoraleCheck(**asdict(self)))


@ruled_as("fate", "set the fate of a combatant at 0 hp", "who", "fate")
class Fate(Ruling, frozen=True, kw_only=True):
    """Set a combatant's fate at 0 hp: its present one, or that of its next fall."""

    who: CombatantId
    fate: Literal["dead", "downed", "mortally_wounded", "stabilized"]

    def check(self, table: Table) -> None:
        """Refuse a fate that already holds."""
        if table[self.who].has(self.fate):
            raise table.refuse(self.who, f"is {self.fate} already", "WWN-T33", "no_change")
        if table.pool(self.who, "hp") and FATE.of(table, self.who) == self.fate:
            message = f"this is noted for the next fall of {table.name_of(self.who)} already"
            raise Refused("no_change", "WWN-T33", message, source=self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Change the fate, or note it for the next fall."""
        if table.pool(self.who, "hp"):
            yield FATE.set_on(self.who, self.fate, "WWN-T33")
            return
        yield from end_fates(table, self.who, FATES)
        if self.fate != "dead":
            yield AT_ZERO.set_on(self.who, True, "WWN-T33")
        yield set_condition(table, self.who, self.fate, 1, "WWN-T33")
        if self.fate == "mortally_wounded":
            yield from begin_to_bleed(table, self.who)
        elif FELL.is_on(table, self.who):
            yield FELL.clear_on(self.who, "WWN-T33")


WAYS_BACK = {
    "dead": "condition {} dead 0",
    "mortally_wounded": "pool {} hp to=1",
    "stabilized": "pool {} hp to=1",
    "downed": "unable {} downed able=true",
    "fled": "unable {} fled able=true",
    "surrendered": "unable {} surrendered able=true",
}
"""The ruling that brings a combatant back, by the condition that put it out."""


@ruled_as("unable", "let a combatant flee, surrender or lie still, or come back (able)", "who", "how")
class Unable(Ruling, frozen=True, kw_only=True):
    """Take a combatant out of the fight by flight or surrender, or bring it back."""

    who: CombatantId
    how: Literal["fled", "surrendered", "downed"] = "fled"
    able: bool = False

    def check(self, table: Table) -> None:
        """Refuse no change; for a combatant out otherwise, name the ruling that helps."""
        called = table.name_of(self.who)
        if not self.able and not is_active(table, self.who):
            raise Refused("no_change", "WWN-G02", f"{called} is out of the fight already", source=self.who)
        if self.able and not table[self.who].has(self.how):
            raise Refused("no_change", "WWN-G02", f"{called} is not {self.how}{self._way_back(table)}", source=self.who)

    def _way_back(self, table: Table) -> str:
        """Return how to bring back a combatant that is out otherwise."""
        for condition, ruling in WAYS_BACK.items():
            if table[self.who].has(condition):
                return f" but {condition.replace('_', ' ')}; rule {ruling.format(self.who)} brings them back"
        return ", but in the fight"

    def decide(self, table: Table) -> Rule[None]:
        """Change it."""
        if self.able:
            yield from end_condition(table, self.who, self.how, "WWN-G02", "WWN-G03")
            yield from bring_back(table, self.who)
        else:
            yield set_condition(table, self.who, self.how, 1, "WWN-G02", "WWN-G03")


class Condition(combatants.Condition, frozen=True, kw_only=True):
    """Give a condition or remove it.

    A combatant brought back by this has at least one hit point. A denied action is lost at once (WWN-069).
    """

    def decide(self, table: Table) -> Rule[None]:
        """Change it."""
        yield from super().decide(table)
        if self.count:
            yield from lose_denied(table, self.who, self.condition)
        else:
            yield from bring_back(table, self.who)


class Verdict(verdicts.Verdict, frozen=True, kw_only=True):
    """Decide the outcome of an attack or a check: this one, or the next of this round."""

    rule: ClassVar[Clause] = "WWN-T78"

    verdict: verdicts.Plain

    def stage(self, table: Table, item: Pending) -> verdicts.Stage:
        """Return the stage of an attack; checks have their consequences at once (WWN-T78)."""
        if self.is_on_test or item.actor != self.who or item.kind not in ("attack", "improvise"):
            return "open"
        if verdicts.is_awaiting(table, item.id, "damage"):
            return "harm"
        is_decided = table.draft.phases[item.id] == "downed" or verdicts.is_awaiting(table, item.id, "weapon")
        return "over" if is_decided else "open"


class End(harm_and_end.End, frozen=True, kw_only=True):
    """End the fight, and name the victors if any."""

    refusal: ClassVar[tuple[str, Clause]] = ("fight_over", "WWN-G02")
    rules: ClassVar[tuple[Clause, ...]] = ("WWN-G02",)


def set_condition_until(
    table: Table, who: Id, condition: str, count: int, source: Id, ends: Ending | None
) -> ConditionChanged:
    """Give a condition with an end, or end it (WWN-T73)."""
    return set_condition(table, who, condition, count, "WWN-T73", source=source, ends=ends)
