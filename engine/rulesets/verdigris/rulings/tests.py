"""Tests, saves and nerve by ruling."""

from functools import partial
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import asdict

from affray.engine.core.actions import Action, Ruling, declared_as, ruled_as
from affray.engine.core.effects import Interrupted, Rule
from affray.engine.errors import Unusable
from affray.engine.kit.rulings import tests
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.rulesets.verdigris.chapters.panic import attempt, build_test_pool, keep_nerve, panic, try_test
from affray.engine.rulesets.verdigris.chapters.pushing import Thrown, exhaust
from affray.engine.rulesets.verdigris.chapters.rolls import PASSED, save, try_save
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.flow import FLOW
from affray.engine.rulesets.verdigris.harm.conditions import hold_on
from affray.engine.rulesets.verdigris.harm.damage import deal, wound
from affray.engine.rulesets.verdigris.sheet import is_in_play, refusal_by
from affray.engine.rulesets.verdigris.tables import people
from affray.events import Clause, CombatantId, Id, Judged, Modifier, StatName

Save = Literal["", "dodge", "withstand", "panic", "warding"]
Attribute = Literal["", "strength", "agility", "intelligence", "charisma"]


@declared_as("check", "a test or save by ruling")
class Check(tests.CalledTest, frozen=True, kw_only=True):
    """A test or save that the game master called for.

    Attributes:
        save: The save; empty for a test.
        attribute, skill: The attribute and the skill of a test.
        needs: The SL to reach without an opponent.
        against_save, against_attribute, against_skill: The opponent's roll; the same if none is named.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("VER-S04", "VER-S04")
    rule: ClassVar[Clause] = "VER-S04"

    save: Save = ""
    attribute: Attribute = ""
    skill: StatName = ""
    needs: Annotated[int, Meta(ge=1, le=20)] = 1
    against_save: Save = ""
    against_attribute: Attribute = ""
    against_skill: StatName = ""

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll it; Withstand at Death's Door is the save to hold on."""
        if self.save == "withstand" and table[actor].has("deaths_door"):
            yield from hold_on(table, actor)
        else:
            yield from super().resolve(table, actor)

    def attempt(self, table: Table, who: Id) -> Rule[bool]:
        """Roll a save or a test, or two opposed ones."""
        if self.against:
            return (yield from self._oppose(table, who))
        if self.save:
            return (yield from try_save(table, who, self.save, self.needs, "VER-S04"))
        parameters = who, "test", self.attribute, self.skill, "VER-S04"
        thrown = yield from try_test(table, *parameters, needed=self.needs)
        return thrown.sl >= self.needs

    def _oppose(self, table: Table, who: Id) -> Rule[bool]:
        """Let both roll; the tested combatant succeeds only with more SL."""
        own = self.save, self.attribute, self.skill
        first = yield from _throw(table, who, *own)
        others = self.against_save, self.against_attribute, self.against_skill
        net = first.sl
        if is_in_play(table, self.against):
            net -= (yield from _throw(table, self.against, *(others if any(others) else own))).sl
        judged = Judged(roll=first.roll, outcome=PASSED[net <= 0], margin=net, rules=("VER-T07", "VER-S04"))
        passed = yield from judge_test(table, who, judged, net > 0, PASSED, "VER-T80")
        if self.save and not passed:
            yield from exhaust(table, who, first)
        return passed

    def is_there(self, table: Table, who: Id) -> bool:
        """Tell whether the combatant is still in play."""
        return is_in_play(table, who)

    def hurt(self, table: Table, who: Id, term: Modifier) -> Rule[None]:
        """Sum up the damage and apply it."""
        yield from wound(table, who, (yield from deal(table, who, [term], None, "VER-S04")))


def _throw(table: Table, who: Id, kind: Save, of: str, with_skill: str) -> Rule[Thrown]:
    """Roll one side's save or test of an opposed roll."""
    if kind:
        return (yield from save(table, who, kind, "VER-S04"))
    return (yield from attempt(table, who, partial(build_test_pool, table, who, "test", of, with_skill, "VER-S04")))


@ruled_as("test", "call for a test (attribute, skill) or save, alone or against another", "who", "save")
class CallTest(tests.Test, frozen=True, kw_only=True):
    """Call for a test (attribute, skill) or a save; the fields are as in ``Check``."""

    action: ClassVar[type[tests.CalledTest]] = Check

    save: Save = ""
    attribute: Attribute = ""
    skill: StatName = ""
    needs: Annotated[int, Meta(ge=1, le=20)] = 1
    against_save: Save = ""
    against_attribute: Attribute = ""
    against_skill: StatName = ""

    def check(self, table: Table) -> None:
        """Refuse a call outside the fight, out of play, or for neither test nor save."""
        FLOW.permit(table, "gm", "call")
        for who in (self.who, self.against) if self.against else (self.who,):
            if not is_in_play(table, who):
                raise table.refuse(who, "is out of play", "VER-T32")
        _must_be_one(self.save, self.attribute, self.skill, "")
        if self.against_save or self.against_attribute or self.against_skill:
            _must_be_one(self.against_save, self.against_attribute, self.against_skill, "against_")
        super().check(table)

    def decide(self, table: Table) -> Rule[None]:
        """Put the test on the stack; it resolves at once."""
        fields = self.fields_of_action(table)
        yield Interrupted(by=((fields.pop("who"), Check(**fields)),), manner="called", rules=("VER-S04",))


def _must_be_one(kind: str, of: str, with_skill: str, whose: str) -> None:
    """Refuse neither or both of save and test, and an unknown skill."""
    if bool(kind) == bool(of) or (kind and with_skill):
        raise Unusable("say either a save, or an attribute and perhaps a skill", f"{whose}save")
    if with_skill and with_skill not in people().skills:
        there = people().skills
        raise Unusable(f"there are the skills {', '.join(there)}", f"{whose}skill", known=there)


@declared_as("morale", "whether a combatant keeps its nerve, by ruling", "who")
class KeepNerve(Action, frozen=True, kw_only=True):
    """A Panic save that the game master called for.

    Attributes:
        needs: The SL to reach.
        fails: Whether it fails without a roll.
    """

    by_rules: ClassVar[bool] = True

    who: CombatantId
    needs: Annotated[int, Meta(ge=1, le=20)] = 1
    fails: bool = False

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse the action without a ruling, which has checked the rest."""
        if manner == "standard":
            raise refusal_by("VER-S04", "the game master calls for tests and saves", actor)

    def targets(self) -> tuple[Id, ...]:
        """Return the tested combatant."""
        return (self.who,)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Make the Panic save, or panic."""
        if self.fails:
            yield from panic(table, self.who)
        else:
            yield from keep_nerve(table, self.who, self.needs, is_ruled=True)


@ruled_as("morale", "test whether a combatant keeps its nerve, or say that it panics", "who")
class Morale(Ruling, frozen=True, kw_only=True):
    """Call for a Panic save; the fields are as in ``KeepNerve``."""

    who: CombatantId
    needs: Annotated[int, Meta(ge=1, le=20)] = 1
    fails: bool = False

    def check(self, table: Table) -> None:
        """Refuse a call outside the fight, and combatants out of play or without stress."""
        FLOW.permit(table, "gm", "call")
        if not is_in_play(table, self.who):
            raise table.refuse(self.who, "is out of play", "VER-T32")
        if "stress" not in table[self.who].pools:
            reason = f"{table.name_of(self.who)} has no stress and does not panic"
            raise refusal_by("VER-T14", reason, self.who, example=f"rule test {self.who} panic")

    def decide(self, table: Table) -> Rule[None]:
        """Put the save on the stack; it resolves at once."""
        yield Interrupted(by=(("gm", KeepNerve(**asdict(self))),), manner="called", rules=("VER-S11",))
