"""Rulings on harm, the brink, combatants' states and the end of the fight (VES-028, VES-056 to VES-061)."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import end_condition, set_condition
from affray.engine.core.effects import Rule
from affray.engine.core.state import Pending
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.rulings import blasts, combatants, harm_and_end, verdicts
from affray.engine.kit.rulings.values import Bonus, Change
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.flow import FLOW
from affray.engine.rulesets.vestige.harm import Blast, Harm, end_fight, forfeit, keep_morale_change
from affray.engine.rulesets.vestige.marks import BRINK_MODIFIER, BRINK_OUTCOME, BRINK_SIDES, BRINK_TARGET
from affray.engine.rulesets.vestige.sheet import must_be_active
from affray.events import Clause, CombatantId, ConditionChanged, Ending, Id

from .actions import ActiveRuling


@ruled_as("harm", "do damage outside an attack", "who", "amount")
class Wound(Ruling, frozen=True, kw_only=True):
    """Do damage outside an attack; at the brink it tests survival."""

    who: CombatantId
    amount: harm_and_end.Amount
    protected: bool = False

    def check(self, table: Table) -> None:
        """Refuse a combatant out of the fight, and damage before or after the fight."""
        must_be_active(table, self.who)
        FLOW.permit(table, self.who, "intervene")

    def decide(self, table: Table) -> Rule[None]:
        """Put the damage on the stack; it resolves before an open question (VES-T47)."""
        rules = ("VES-T47",) if table.draft.waits_for else ()
        yield harm_and_end.resolve_at_once(Harm(who=self.who, amount=self.amount, protected=self.protected), *rules)


class Damage(blasts.Damage, frozen=True, kw_only=True):
    """Deal dice of harm to one or several combatants at once."""

    action: ClassVar[type[blasts.Blast]] = Blast

    protected: bool = False

    def check(self, table: Table) -> None:
        """Refuse a combatant out of the fight, and a moment that admits no interruption."""
        super().check(table)
        for who in self.who:
            must_be_active(table, who)
        FLOW.permit(table, self.who[0], "intervene")


@ruled_as("brink", "rule on a combatant's next roll at the brink: sides, target, modifier, or outcome", "who")
class Brink(ActiveRuling, frozen=True, kw_only=True):
    """Rule on the next roll at the brink: its die, target, modifier or outcome."""

    sides: Annotated[int, Meta(ge=2, le=1000)] | None = None
    target: Change | None = None
    modifier: Bonus | None = None
    outcome: Literal["holds on", "dies", "unable"] | None = None

    def check(self, table: Table) -> None:
        """Refuse a combatant out of the fight, and a ruling without content."""
        super().check(table)
        if all(value is None for value in (self.sides, self.target, self.modifier, self.outcome)):
            raise Unusable("say sides, target, modifier or outcome", "outcome")

    def decide(self, table: Table) -> Rule[None]:
        """Note each part for that roll."""
        numbers = ((BRINK_SIDES, self.sides), (BRINK_TARGET, self.target), (BRINK_MODIFIER, self.modifier))
        for mark, value in numbers:
            if value is not None:
                yield mark.set_on(self.who, value, "VES-058")
        if self.outcome is not None:
            yield BRINK_OUTCOME.set_on(self.who, self.outcome, "VES-058")


@ruled_as("forfeit", "let a foe forfeit at any health", "who")
class GiveUp(ActiveRuling, frozen=True, kw_only=True):
    """Let a combatant forfeit at any health."""

    def decide(self, table: Table) -> Rule[None]:
        """Take the combatant out of the fight, beaten and alive."""
        yield from forfeit(table, self.who)


FOLLOWS = ("readied", "delayed")
"""The conditions that only a combatant in the fight can have."""


def must_not_be_derived(who: Id, condition: str, count: int = 1) -> None:
    """Refuse the condition ``brink``, which follows from health alone."""
    if condition == "brink":
        message = f"being at the brink follows from health; rule pool {who} health to={0 if count else 1}"
        raise Refused("no_change", "VES-T29", message, source=f"{who}.health")


class Condition(combatants.Condition, frozen=True, kw_only=True):
    """Give a condition, or take it away; being at the brink follows from health alone."""

    def check(self, table: Table) -> None:
        """Refuse a condition that is there already, or that the rules would undo at once.

        By VES-T29 and VES-T02.
        """
        super().check(table)
        must_not_be_derived(self.who, self.condition, self.count)
        if self.count and self.condition in FOLLOWS:
            must_be_active(table, self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Change the condition.

        A combatant that dies or returns after the end keeps the morale that the end brought.
        """
        if self.condition == "dead" and table[self.who].has("dead") != bool(self.count):
            yield from keep_morale_change(table, self.who)
        yield from super().decide(table)


class Side(combatants.Side, frozen=True, kw_only=True):
    """Let a combatant fight for another side."""

    def decide(self, table: Table) -> Rule[None]:
        """Change the side. After the end, the morale that the end brought stays."""
        if table[self.who].side != self.side:
            yield from keep_morale_change(table, self.who)
        yield from super().decide(table)


@ruled_as("unable", "make a combatant unable to fight, or able again", "who")
class Unable(Ruling, frozen=True, kw_only=True):
    """Make a combatant unable to fight (bound, unconscious, fled), or able again."""

    who: CombatantId
    able: bool = False

    def check(self, table: Table) -> None:
        """Refuse a change without effect, and one that death or a forfeit prevents (VES-T32)."""
        others = [one for one in ("dead", "forfeited") if table[self.who].has(one)]
        if self.able and others:
            way_out = f"rule condition {self.who} {others[0]} 0"
            raise table.refuse(self.who, f"is {others[0]}; {way_out} brings them back", "VES-T32", "no_change")

    def decide(self, table: Table) -> Rule[None]:
        """Change the condition ``unable``."""
        if self.able:
            yield from end_condition(table, self.who, "unable", "VES-T32")
        else:
            yield set_condition(table, self.who, "unable", 1, "VES-T32")

    def already(self, table: Table) -> str:
        """Say whether the combatant can fight."""
        return f"{table.name_of(self.who)} is {'able' if self.able else 'unable'} to fight already"

    def instead(self, table: Table) -> str:
        """Return the command that does the opposite."""
        return f"rule unable {self.who}{'' if self.able else ' able=yes'}"


class Verdict(verdicts.Verdict, frozen=True, kw_only=True):
    """Decide the current or this round's next attack or roll at the brink."""

    rule: ClassVar[Clause] = "VES-T54"

    verdict: verdicts.Plain

    def stage(self, table: Table, item: Pending) -> verdicts.Stage:
        """Return how far an attack has come. Its harm precedes the question at the brink (VES-T54)."""
        is_attack = item.kind in ("attack", "skill") and item.actor == self.who
        return "over" if is_attack and not self.is_on_test and table.draft.phases[item.id] == "brink" else "open"


class End(harm_and_end.End, frozen=True, kw_only=True):
    """End the fight, and name the victors if there are any."""

    refusal: ClassVar[tuple[str, Clause]] = ("fight_over", "VES-059")
    rules: ClassVar[tuple[Clause, ...]] = ("VES-059",)

    def end(self, table: Table) -> Rule[None]:
        """End the fight with the named victors."""
        yield from end_fight(table, self.winners, "ruled")


def set_condition_until(
    table: Table, who: Id, condition: str, count: int, source: Id, ends: Ending | None
) -> ConditionChanged:
    """Give a condition with an end, or end it (VES-T49)."""
    return set_condition(table, who, condition, count, "VES-T49", source=source, ends=ends)
