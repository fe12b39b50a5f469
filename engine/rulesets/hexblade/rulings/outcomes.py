"""Rulings on harm, fates, effects, free attacks, and the end of the fight."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Ruling, declared_as, ruled_as
from affray.engine.core.changes import end_condition, set_condition, set_pool
from affray.engine.core.effects import Interrupted, Rule
from affray.engine.core.state import Pending
from affray.engine.kit.rulings import blasts, harm_and_end, verdicts
from affray.engine.kit.rulings.values import BRIEF, Count, must_be_a_condition, quote_value
from affray.engine.rulesets.hexblade.attack.melee import Attack
from affray.engine.rulesets.hexblade.attack.shots import Shoot
from affray.engine.rulesets.hexblade.chapters.effects import give_condition, must_not_be_derived
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.flow import FLOW
from affray.engine.rulesets.hexblade.harm import (
    OUTCOMES,
    Fate,
    can_be_hit,
    list_armor_terms,
    roll_armor,
    settle_fallen,
    wound,
)
from affray.engine.rulesets.hexblade.sheet import ROUND, give_state, refusal
from affray.events import (
    Clause,
    CombatantId,
    ConditionChanged,
    ConditionName,
    Damaged,
    Ending,
    Id,
    Modifier,
    ThingName,
)


@declared_as("harm", "damage by ruling", "who", "amount")
class Harm(harm_and_end.RuledHarm, frozen=True, kw_only=True):
    """Take damage that the game master ruled, less armour if it is rolled."""

    refusal: ClassVar[tuple[str, Clause]] = ("HEX-T50", "HEX-T50")

    armored: bool = False

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll armour if it helps, take the damage, and settle the fallen."""
        guard = 0
        if self.armored:
            _, guard = yield from roll_armor(table, self.who)
        if not can_be_hit(table, self.who):
            return
        amount = max(0, self.amount - guard)
        ruled = Modifier(value=self.amount, label="ruling", source="gm")
        yield Damaged(
            who=self.who, terms=(ruled, *list_armor_terms(self.who, guard)), amount=amount, rules=("HEX-025",)
        )
        yield from wound(table, self.who, amount, "HEX-025")
        if amount:
            yield from settle_fallen(table, self.who)


class Blast(blasts.Blast, frozen=True, kw_only=True):
    """Damage dice that the game master ruled, less armour if it is rolled."""

    refusal: ClassVar[tuple[str, Clause]] = ("HEX-T50", "HEX-T50")
    rule: ClassVar[Clause] = "HEX-T50"

    armored: bool = False

    def is_there(self, table: Table, who: Id) -> bool:
        """Return whether a combatant can still be hurt."""
        return can_be_hit(table, who)

    def guard(self, table: Table, who: Id) -> Rule[int]:
        """Roll armour if it helps."""
        return (yield from roll_armor(table, who))[1] if self.armored else 0

    def hurt(self, table: Table, who: Id, term: Modifier, guard: int) -> Rule[int]:
        """Take the damage from the hit points."""
        amount = max(0, term.value - guard)
        yield Damaged(who=who, terms=(term, *list_armor_terms(who, guard)), amount=amount, rules=(self.rule, "HEX-025"))
        yield from wound(table, who, amount, "HEX-025")
        return amount

    def settle(self, table: Table, taken: Mapping[Id, int]) -> Rule[None]:
        """Settle the fate of the fallen, once all damage was applied (HEX-T50)."""
        yield from settle_fallen(table, *(who for who, amount in taken.items() if amount))


@ruled_as("harm", "do damage outside an exchange", "who", "amount")
class Wound(Ruling, frozen=True, kw_only=True):
    """Do damage outside an exchange (HEX-025, HEX-G03)."""

    who: CombatantId
    amount: Annotated[int, Meta(ge=1, le=999)]
    armored: bool = False

    def check(self, table: Table) -> None:
        """Refuse before or after the fight, and against the slain."""
        if table[self.who].has("slain"):
            raise table.refuse(self.who, "is slain", "HEX-G03")
        FLOW.permit(table, self.who, "intervene")

    def decide(self, table: Table) -> Rule[None]:
        """Put the damage on the stack; it resolves at once."""
        harm = Harm(who=self.who, amount=self.amount, armored=self.armored)
        yield Interrupted(by=(("gm", harm),), manner="ruled")


class Damage(blasts.Damage, frozen=True, kw_only=True):
    """Deal dice of harm to one or several combatants at once (HEX-025, HEX-G03)."""

    action: ClassVar[type[blasts.Blast]] = Blast

    armored: bool = False

    def check(self, table: Table) -> None:
        """Refuse before or after the fight, and against the slain."""
        super().check(table)
        for who in self.who:
            if table[who].has("slain"):
                raise table.refuse(who, "is slain", "HEX-G03")
        FLOW.permit(table, self.who[0], "intervene")


@ruled_as("free_attack", "let a combatant attack at no cost, in any turn", "who", "target", "weapon")
class FreeAttack(Ruling, frozen=True, kw_only=True):
    """Let a combatant attack at no cost, also off-turn, which only a ruling can (HEX-010)."""

    who: CombatantId
    target: CombatantId
    weapon: ThingName = ""
    shot: bool = False

    def _build_attack(self, table: Table) -> Attack | Shoot:
        kind = Shoot if self.shot else Attack
        return kind(target=self.target, weapon=self._find_weapon(table))

    def _find_weapon(self, table: Table) -> Id:
        """Return the weapon's id, which may be given without its owner."""
        owned = f"{self.who}.{self.weapon}"
        return owned if owned in table.draft.items else self.weapon

    def check(self, table: Table) -> None:
        """Refuse before or after the fight, and an attack that is not possible."""
        FLOW.permit(table, self.who, "free")
        self._build_attack(table).check(table, self.who, "free")

    def decide(self, table: Table) -> Rule[None]:
        """Put the attack on the stack; it resolves at once, and the pending action goes on."""
        yield Interrupted(by=((self.who, self._build_attack(table)),), manner="free", rules=("HEX-T27", "HEX-010"))


@ruled_as("effect", "give a combatant a state, for some rounds or seconds", "who", "condition")
class Effect(Ruling, frozen=True, kw_only=True):
    """Give a combatant a state that lasts for a time (HEX-048, HEX-002).

    Attributes:
        rounds, seconds: The duration; a round is six seconds, and the end of a round ends states that are due.
        own: Whether it is a house state that the rules do not know.
    """

    who: CombatantId
    condition: Annotated[ConditionName, BRIEF]
    rounds: Count = 0
    seconds: Count = 0
    own: bool = False

    def check_new(self, table: Table) -> None:
        """Refuse a state that the rules do not know, unless it is a house state."""
        must_be_a_condition(table, self.condition, own=self.own)

    def check(self, table: Table) -> None:
        """Refuse the slain, derived states, and an end that would never come."""
        if table[self.who].has("slain"):
            raise table.refuse(self.who, "is slain", "HEX-G03")
        must_not_be_derived(self.condition)
        if table.draft.ended and (self.rounds or self.seconds):
            lasts = f"rule effect {self.who} {quote_value(self.condition)}"
            raise refusal("HEX-002", "the fight is over, and no round ends any more", self.who, example=lasts)

    def decide(self, table: Table) -> Rule[None]:
        """Give the state."""
        yield from give_condition(table, self.who, self.condition, self.rounds * ROUND + self.seconds, "HEX-048")


FATE_SAID: dict[Fate, str] = {"slain": "is slain", "down": "is down", "stands": "stands"}
"""Each fate as a sentence says it of a combatant."""


@ruled_as("outcome", "decide the fate of a combatant: slain, down, or stands", "who", "to")
class Outcome(Ruling, frozen=True, kw_only=True):
    """Decide the fate of a combatant: slain, down, or on its feet again (HEX-G03)."""

    who: CombatantId
    to: Fate

    def check(self, table: Table) -> None:
        """Refuse a fate that the combatant already has."""
        one = table[self.who]
        if one.has(self.to) or (self.to == "stands" and not (one.has("slain") or one.has("down"))):
            raise table.refuse(self.who, f"{FATE_SAID[self.to]} already", "HEX-G03")

    def decide(self, table: Table) -> Rule[None]:
        """Apply the fate; a combatant that is down has no hit points left."""
        other = "down" if self.to == "slain" else "slain"
        if self.to != "stands":
            yield from end_condition(table, self.who, other, "HEX-G03")
            if table.pool(self.who, "hp"):
                yield set_pool(table, self.who, "hp", 0, "HEX-G03")
        elif not table.pool(self.who, "hp"):
            yield set_pool(table, self.who, "hp", 1, "HEX-G03")
        yield from OUTCOMES[self.to](table, self.who)


@ruled_as("unable", "make a combatant unable to act, or able again", "who")
class Unable(Ruling, frozen=True, kw_only=True):
    """Make a combatant unable to act (bound, fled, asleep), or able again (HEX-001)."""

    who: CombatantId
    able: bool = False

    def decide(self, table: Table) -> Rule[None]:
        """Change the condition ``unable``."""
        if self.able:
            yield from end_condition(table, self.who, "unable", "HEX-001")
        else:
            yield from give_state(table, self.who, "unable", "HEX-001")

    def already(self, table: Table) -> str:
        """Say whether the combatant can act."""
        return f"{table.name_of(self.who)} is {'able' if self.able else 'unable'} to act already"

    def instead(self, table: Table) -> str:
        """Return the command that does the opposite."""
        return f"rule unable {self.who}{'' if self.able else ' able=yes'}"


class Verdict(verdicts.Verdict, frozen=True, kw_only=True):
    """Decide the current or this round's next attack or test."""

    rule: ClassVar[Clause] = "HEX-T53"

    def stage(self, table: Table, item: Pending) -> verdicts.Stage:
        """Return how far an attack, the blow that answers it, or a test has come (HEX-T53)."""
        phase = table.draft.phases[item.id]
        is_attack = item.kind == "attack" or (item.kind in ("disarm", "shoot") and item.actor == self.who)
        if self.is_on_test:
            return "over" if phase in ("wear", "consequences") and not is_attack and item.actor == self.who else "open"
        if not is_attack or phase == "exchange":
            return "open"
        diverts = phase == "crowd" and table.config.crowd_when == "divert"
        return "harm" if phase == "blows" or diverts else "over"

    def turns_back(self, table: Table, item: Pending) -> bool:
        """Return whether the verdict is a miss, or denies a critical before the damage."""
        awaits = self.verdict == "no_critical" and verdicts.is_awaiting(table, item.id, "damage")
        return awaits or super().turns_back(table, item)


class End(harm_and_end.End, frozen=True, kw_only=True):
    """End the fight, and name the victors if there are any (HEX-001)."""

    refusal: ClassVar[tuple[str, Clause]] = ("HEX-001", "HEX-001")
    rules: ClassVar[tuple[Clause, ...]] = ("HEX-001",)


def set_condition_until(
    table: Table, who: Id, condition: str, count: int, source: Id, ends: Ending | None
) -> ConditionChanged:
    """Give a condition with an end, or end it (HEX-T48)."""
    return set_condition(table, who, condition, count, "HEX-T48", source=source, ends=ends)
