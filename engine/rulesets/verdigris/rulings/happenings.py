"""What happens by ruling: free attacks, harm, tests, minutes after the fight."""

from functools import partial
from typing import Annotated, ClassVar, Literal

from msgspec import Meta
from msgspec.structs import asdict

from affray.engine.core.actions import Action, Ruling, declared_as, ruled_as
from affray.engine.core.effects import Interrupted, Rule
from affray.engine.errors import Unusable
from affray.engine.kit.rulings import fates
from affray.engine.kit.rulings.consequences import MostHarm, Rounds, apply_consequence, check_consequence
from affray.engine.rulesets.verdigris.attack.striking import Grip, Mighty
from affray.engine.rulesets.verdigris.chapters.free_attacks import FreeAttack, free_attack, readied_attack
from affray.engine.rulesets.verdigris.chapters.panic import try_test
from affray.engine.rulesets.verdigris.chapters.rolls import save, try_save
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.flow import FLOW
from affray.engine.rulesets.verdigris.gear.things import armor_shares
from affray.engine.rulesets.verdigris.harm.conditions import hold_on
from affray.engine.rulesets.verdigris.harm.damage import deal, wound
from affray.engine.rulesets.verdigris.harm.injuries import is_running, tick
from affray.engine.rulesets.verdigris.sheet import Strike, follow, is_in_play, no
from affray.engine.rulesets.verdigris.tables import people
from affray.events import Clause, CombatantId, ConditionName, Id, Modifier, StatName, ThingName

Save = Literal["", "dodge", "withstand", "panic", "warding"]
Attribute = Literal["", "strength", "agility", "intelligence", "charisma"]


@declared_as("harm", "damage by ruling", "who", "amount")
class Harm(fates.Harm, frozen=True, kw_only=True):
    """Damage that the game master ruled: a fall, a fire, a falling beam.

    Attributes:
        amount: Before any save.
        withstand: Whether a Withstand save lowers it.
        armor: Whether that save has armour dice.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("VER-089", "VER-089")

    withstand: bool = False
    armor: bool = False

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Reckon it up and take it."""
        terms = [Modifier(value=self.amount, label="ruling", source="gm", rule="VER-089")]
        guard = None
        if self.withstand:
            gear = partial(armor_shares, table, self.who) if self.armor else tuple
            guard = yield from save(table, self.who, "withstand", "VER-028", gear=gear)
        amount = yield from deal(table, self.who, terms, guard, "VER-089")
        yield from wound(table, self.who, amount)


@declared_as("check", "a test or save by ruling")
class Check(Action, frozen=True, kw_only=True):
    """A test or save that the game master called for.

    Attributes:
        save: Which save; a test if not given.
        attribute, skill: Of a test.
        needs: The SL to reach.
        upon_success: Whether the rest follows upon success, not upon failure.
        harm, condition, rounds: What follows: harm, and a condition, which may last some rounds.
    """

    by_rules: ClassVar[bool] = True

    save: Save = ""
    attribute: Attribute = ""
    skill: StatName = ""
    needs: Annotated[int, Meta(ge=1, le=20)] = 1
    upon_success: bool = False
    harm: MostHarm = 0
    condition: ConditionName = ""
    rounds: Rounds = 0

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it from anybody but a ruling, which has looked at everything else."""
        if manner == "standard":
            raise no("VER-S04", "the game master calls for tests and saves", actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll it; Withstand at Death's Door is the save for one's life."""
        if self.save == "withstand" and table[actor].has("deaths_door"):
            yield from hold_on(table, actor)
        elif self.save:
            passed = yield from try_save(table, actor, self.save, self.needs, "VER-S04")
            yield from self._follow_up(table, actor, passed)
        else:
            told = actor, "test", self.attribute, self.skill, "VER-S04"
            thrown = yield from try_test(table, *told, needed=self.needs)
            yield from self._follow_up(table, actor, thrown.sl >= self.needs)

    def _follow_up(self, table: Table, who: Id, passed: bool) -> Rule[None]:
        """Let follow what the game master has said."""
        if passed == (self.upon_success) and is_in_play(table, who):
            yield from apply_consequence(table, who, self.harm, self.condition, self.rounds, _hurt, "VER-S04")


def _hurt(table: Table, who: Id, amount: int) -> Rule[None]:
    """Do the harm that follows from a test."""
    terms = [Modifier(value=amount, label="ruling", source="gm", rule="VER-S04")]
    yield from wound(table, who, (yield from deal(table, who, terms, None, "VER-S04")))


SHORT = ("turns", "rounds")
LONG = ("minutes", "heals")
"""Clocks that run out within a minute, and those that go by minutes."""


@declared_as("tick_minute", "let a minute pass after the fight", own_trigger="tick_minute", by_gm=True, stacks=False)
class TickMinute(Action, frozen=True, kw_only=True):
    """Let a minute pass after the fight: saves at Death's Door, clocks of injuries."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse anybody but the game master, and a minute in which nothing happens."""
        if actor != "gm":
            raise no("VER-096", "the game master lets minutes pass", actor)
        if not any(_is_concerned(table, who) for who in table.draft.combatants):
            raise no("VER-096", "nobody's life hangs on the minutes", "fight_over")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Go through everybody in joining order; turns and rounds are over within a minute (table 5.5)."""
        for who in tuple(table.draft.combatants):
            if is_in_play(table, who) and table[who].has("deaths_door") and not table[who].has("stable"):
                yield from follow(hold_on(table, who))
            for kind in SHORT:
                while is_in_play(table, who) and is_running(table, who, kind):
                    yield from tick(table, who, kind, "VER-093")
            for kind in LONG:
                if is_in_play(table, who):
                    yield from tick(table, who, kind, "VER-093")


def _is_concerned(table: Table, who: Id) -> bool:
    dying = table[who].has("deaths_door") and not table[who].has("stable")
    return is_in_play(table, who) and (dying or any(is_running(table, who, kind) for kind in (*SHORT, *LONG)))


@ruled_as("free_attack", "let somebody attack outside its turn", "attacker", "target", "weapon")
class FreeAttackRuled(Ruling, frozen=True, kw_only=True):
    """Let a combatant attack outside its turn, at no cost, at any moment."""

    attacker: CombatantId
    target: CombatantId
    weapon: ThingName = ""
    strike: Strike = ""
    grip: Grip = ""
    mighty: Mighty = 0
    background: bool = False

    def check(self, table: Table) -> None:
        """Refuse an attack that could not be made (VER-071)."""
        FLOW.permit(table, "gm", "grant")
        self._action(table).check(table, self.attacker, "granted")

    def _action(self, table: Table) -> FreeAttack:
        return FreeAttack(
            target=self.target,
            weapon=self._weapon(table),
            strike=self.strike,
            grip=self.grip,
            mighty=self.mighty,
            background=self.background,
        )

    def _weapon(self, table: Table) -> Id:
        """Return the weapon's id, which may be said without its owner."""
        owned = f"{self.attacker}.{self.weapon}"
        return owned if owned in table.draft.items else self.weapon

    def decide(self, table: Table) -> Rule[None]:
        """Put it on the stack at once."""
        yield free_attack(self.attacker, self._action(table), "granted")


@ruled_as("trigger", "let a readied attack be made now", "who", "target")
class FireTrigger(Ruling, frozen=True, kw_only=True):
    """Say that what somebody waited for has happened: its readied attack is made."""

    who: CombatantId
    target: CombatantId
    strike: Strike = ""

    def check(self, table: Table) -> None:
        """Refuse somebody who has readied nothing, and an attack that could not be made."""
        FLOW.permit(table, "gm", "fire")
        if not table[self.who].has("readied"):
            raise no("VER-072", f"{table.called(self.who)} has readied nothing", self.who)
        self._action(table).check(table, self.who, "readied")

    def _action(self, table: Table) -> FreeAttack:
        return readied_attack(table, self.who, self.target, self.strike)

    def decide(self, table: Table) -> Rule[None]:
        """Put it on the stack; it resolves at once."""
        action = self._action(table)
        yield Interrupted(by=((self.who, action),), manner="readied", rules=("VER-072", "VER-076"))


@ruled_as("harm", "do damage outside an attack", "who", "amount")
class HarmRuled(Ruling, frozen=True, kw_only=True):
    """Do damage outside an attack."""

    who: CombatantId
    amount: Annotated[int, Meta(ge=1, le=999)]
    withstand: bool = False
    armor: bool = False

    def check(self, table: Table) -> None:
        """Refuse it outside of the fight, and against a combatant out of play."""
        FLOW.permit(table, "gm", "intervene")
        if not is_in_play(table, self.who):
            raise no("VER-T32", f"{table.called(self.who)} is out of play", self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Put it on the stack; it resolves at once."""
        harm = Harm(who=self.who, amount=self.amount, withstand=self.withstand, armor=self.armor)
        yield Interrupted(by=(("gm", harm),), manner="ruled", rules=("VER-089",))


@ruled_as("test", "call for somebody's test (attribute, skill) or save", "who", "save")
class CallTest(Ruling, frozen=True, kw_only=True):
    """Call for a test (attribute, skill) or a save of somebody's."""

    who: CombatantId
    save: Save = ""
    attribute: Attribute = ""
    skill: StatName = ""
    needs: Annotated[int, Meta(ge=1, le=20)] = 1
    upon_success: bool = False
    harm: MostHarm = 0
    condition: ConditionName = ""
    rounds: Rounds = 0

    def check(self, table: Table) -> None:
        """Refuse it outside of the fight, of a combatant out of play, and what is neither test nor save."""
        FLOW.permit(table, "gm", "call")
        if not is_in_play(table, self.who):
            raise no("VER-T32", f"{table.called(self.who)} is out of play", self.who)
        if bool(self.save) == bool(self.attribute) or (self.save and self.skill):
            raise Unusable("say either a save, or an attribute and perhaps a skill", "save")
        check_consequence(self.condition, self.rounds)
        if self.skill and self.skill not in people().skills:
            there = people().skills
            raise Unusable(f"there are the skills {', '.join(there)}", "skill", known=there)

    def decide(self, table: Table) -> Rule[None]:
        """Put it on the stack; it resolves at once."""
        told = asdict(self)
        del told["who"]
        check = Check(**told)
        yield Interrupted(by=((self.who, check),), manner="called", rules=("VER-S04",))
