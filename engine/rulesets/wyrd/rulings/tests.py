"""Rulings on tests and blows to come: what is allowed, what happens instead, who is unaware."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.state import Pending
from affray.engine.errors import Refused
from affray.engine.kit.rulings import verdicts
from affray.engine.kit.rulings.words import Word
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear.pieces import carried
from affray.engine.rulesets.wyrd.marks import ALLOWED, BLOW, CONSEQUENCE, REVIVAL_TEST, STRAY, UNAWARE
from affray.engine.rulesets.wyrd.sheet import can_be_hurt, must_be_active
from affray.events import Clause, CombatantId

What = Literal["power", "grace", "intellect", "will", "sunder", "dodge", "overflow", "contact"]

Ability = Literal["power", "grace", "intellect", "will"]

ALLOWED_BY: dict[str, Clause] = {"sunder": "WYR-T53", "dodge": "WYR-T53", "overflow": "WYR-033", "contact": "WYR-053"}
"""The clauses that let the game master allow what they forbid; an ability off the list is WYR-013."""


@ruled_as("allow", "allow once: an ability off the list, sunder, dodge, overflow or contact", "who", "what")
class Allow(Ruling, frozen=True, kw_only=True):
    """Allow somebody once what is otherwise refused.

    Attributes:
        what: An ability off the list; ``sunder`` or ``dodge`` against damage that is unavoidable; ``overflow``, a dodge
            beyond the free slots; ``contact``, a shot although one is engaged.
    """

    who: CombatantId
    what: What

    def check(self, table: Table) -> None:
        """Refuse a combatant that is down."""
        must_be_active(table, self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Note the permission."""
        rule = ALLOWED_BY.get(self.what, "WYR-013")
        yield ALLOWED.noted(self.who, True, rule, about=self.what)

    def already(self, table: Table) -> str:
        """Say what is allowed."""
        return f"{table.called(self.who)} is allowed {self.what} already, until it is used"


@ruled_as("blow", "say which weapon dice the next blow is rolled with", "who", "dice")
class Blow(Ruling, frozen=True, kw_only=True):
    """Say which weapon dice, by their sizes, somebody's next blow is rolled with."""

    who: CombatantId
    dice: Annotated[tuple[Annotated[int, Meta(ge=1, le=100)], ...], Meta(min_length=1, max_length=9)]

    def decide(self, table: Table) -> Rule[None]:
        """Note them."""
        yield BLOW.noted(self.who, "+".join(map(str, self.dice)), "WYR-020")


@ruled_as("consequence", "name what happens instead when somebody's next failed test would get them hit", "who", "text")
class Consequence(Ruling, frozen=True, kw_only=True):
    """Name what happens in place of the next hit or volley that a failed test brings; its effects are ruled."""

    who: CombatantId
    text: Word

    def check(self, table: Table) -> None:
        """Refuse somebody who is down."""
        must_be_active(table, self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Note it."""
        yield CONSEQUENCE.noted(self.who, self.text, "WYR-016", "WYR-052")


@ruled_as("stray", "name whom a shot hits that goes astray in a melee", "who", "victim")
class Stray(Ruling, frozen=True, kw_only=True):
    """Name the victim of a combatant's next stray shot, also outside the melee."""

    who: CombatantId
    victim: CombatantId

    def check(self, table: Table) -> None:
        """Refuse a combatant that cannot shoot, and a victim that cannot be hit."""
        must_be_active(table, self.who)
        if not carried(table, self.who, shot=True):
            raise Refused("wrong_weapon", "WYR-055", f"{table.called(self.who)} has nothing to shoot with", self.who)
        if not can_be_hurt(table, self.victim):
            message = f"{table.called(self.victim)} is out of the fight; name somebody who is still there"
            raise Refused("target_out", "WYR-055", message, source=self.victim)
        pending = table.pending()
        aimed_at = pending.targets if pending and pending.actor == self.who else ()
        if self.victim in (self.who, *aimed_at):
            message = f"a stray shot hits neither {table.called(self.who)} nor the target; name somebody else"
            raise Refused("wrong_victim", "WYR-055", message, source=self.victim)

    def decide(self, table: Table) -> Rule[None]:
        """Note it."""
        yield STRAY.noted(self.who, self.victim, "WYR-055")

    def already(self, table: Table) -> str:
        """Say whom it hits."""
        return f"the next stray shot of {table.called(self.who)} hits {table.called(self.victim)} already"


@ruled_as("revival", "ask for a test of an ability when a combatant next revives a companion", "who", "ability")
class Revival(Ruling, frozen=True, kw_only=True):
    """Ask for a test when a combatant next revives a companion."""

    who: CombatantId
    ability: Ability

    def check(self, table: Table) -> None:
        """Refuse somebody who is down."""
        must_be_active(table, self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Note it."""
        yield REVIVAL_TEST.noted(self.who, self.ability, "WYR-069")


@ruled_as("unaware", "let the next attack on somebody hit without a test", "who")
class Unaware(Ruling, frozen=True, kw_only=True):
    """Let the next attack on somebody come unannounced: it hits without a test."""

    who: CombatantId

    def check(self, table: Table) -> None:
        """Refuse somebody who is down."""
        must_be_active(table, self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Note it."""
        yield UNAWARE.noted(self.who, True, "WYR-028")

    def already(self, table: Table) -> str:
        """Say that they are unaware."""
        return f"{table.called(self.who)} is unaware already"


AFTER = ("armor", "blow", "critical", "damage", "power", "shared_risk", "stray")
"""What is rolled and asked once a test has been decided."""


class Verdict(verdicts.Verdict, frozen=True, kw_only=True):
    """Say what a test or a blow comes to: the one under way, or the next one of this round."""

    rule: ClassVar[Clause] = "WYR-T65"

    def stage(self, table: Table, item: Pending) -> verdicts.Stage:
        """Return how far a test, or a blow without one, has come (WYR-T65)."""
        strikes = item.actor == self.who and item.kind in ("attack", "engage", "fire")
        if not self.is_on_test:
            is_to_hurt = strikes and verdicts.is_awaiting(table, item.id, "critical")
            if is_to_hurt or verdicts.is_awaiting(table, item.id, "blow", about=self.who):
                return "harm"
            if not strikes:
                return "open"
        is_decided = table.draft.phases[item.id] == "downed" or verdicts.is_awaiting(table, item.id, *AFTER)
        return "over" if is_decided else "open"

    def turns_back(self, table: Table, item: Pending) -> bool:
        """Tell whether it is a miss, or no 6++ while it is asked when that comes."""
        awaits = self.verdict == "no_critical" and verdicts.is_awaiting(table, item.id, "critical")
        return awaits or super().turns_back(table, item)
