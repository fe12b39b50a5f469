"""Rulings on coming tests and blows: permissions, consequences, unawareness."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.state import Pending
from affray.engine.errors import Refused
from affray.engine.kit.rulings import verdicts
from affray.engine.kit.rulings.values import Word
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear.pieces import list_usable_weapons
from affray.engine.rulesets.wyrd.marks import ALLOWED, BLOW, CONSEQUENCE, REVIVAL_TEST, STRAY, UNAWARE
from affray.engine.rulesets.wyrd.sheet import can_be_hurt, must_be_active
from affray.events import Clause, CombatantId

What = Literal["power", "grace", "intellect", "will", "sunder", "dodge", "overflow", "contact"]

Ability = Literal["power", "grace", "intellect", "will"]

ALLOWED_BY: dict[str, Clause] = {"sunder": "WYR-T53", "dodge": "WYR-T53", "overflow": "WYR-033", "contact": "WYR-053"}
"""The clauses of the permissions; that of an unusual ability is WYR-013."""


@ruled_as("allow", "allow once: an ability off the list, sunder, dodge, overflow or contact", "who", "what")
class Allow(Ruling, frozen=True, kw_only=True):
    """Allow a combatant once what is otherwise refused.

    Attributes:
        what: An unusual ability; ``sunder`` or ``dodge`` against unavoidable damage; ``overflow``, a dodge
            beyond the free slots; ``contact``, a shot while engaged.
    """

    who: CombatantId
    what: What

    def check(self, table: Table) -> None:
        """Refuse a combatant that is down."""
        must_be_active(table, self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Note the permission."""
        rule = ALLOWED_BY.get(self.what, "WYR-013")
        yield ALLOWED.set_on(self.who, True, rule, about=self.what)

    def already(self, table: Table) -> str:
        """Say what is allowed already."""
        return f"{table.name_of(self.who)} is allowed {self.what} already, until it is used"


@ruled_as("blow", "say which weapon dice the next blow is rolled with", "who", "dice")
class Blow(Ruling, frozen=True, kw_only=True):
    """Set the weapon dice, by their sizes, of a combatant's next blow."""

    who: CombatantId
    dice: Annotated[tuple[Annotated[int, Meta(ge=1, le=100)], ...], Meta(min_length=1, max_length=9)]

    def decide(self, table: Table) -> Rule[None]:
        """Note the dice."""
        yield BLOW.set_on(self.who, tuple(map(str, self.dice)), "WYR-020")


@ruled_as("consequence", "name a consequence in place of the hit after a combatant's next failed test", "who", "text")
class Consequence(Ruling, frozen=True, kw_only=True):
    """Name a consequence in place of the next hit or volley after a failed test.

    The game master rules its effects.
    """

    who: CombatantId
    text: Word

    def check(self, table: Table) -> None:
        """Refuse a combatant that is down."""
        must_be_active(table, self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Note the consequence."""
        yield CONSEQUENCE.set_on(self.who, self.text, "WYR-016", "WYR-052")


@ruled_as("stray", "name the victim of a shot that goes astray in a melee", "who", "victim")
class Stray(Ruling, frozen=True, kw_only=True):
    """Name the victim of a combatant's next stray shot, also outside the melee."""

    who: CombatantId
    victim: CombatantId

    def check(self, table: Table) -> None:
        """Refuse a combatant that cannot shoot, and a victim that cannot be hit."""
        must_be_active(table, self.who)
        if not list_usable_weapons(table, self.who, shot=True):
            raise table.refuse(self.who, "has nothing to shoot with", "WYR-055", "wrong_weapon")
        if not can_be_hurt(table, self.victim):
            message = f"{table.name_of(self.victim)} is out of the fight; name somebody who is still there"
            raise Refused("target_out", "WYR-055", message, source=self.victim)
        pending = table.pending()
        aimed_at = pending.targets if pending and pending.actor == self.who else ()
        if self.victim in (self.who, *aimed_at):
            message = f"a stray shot hits neither {table.name_of(self.who)} nor the target; name somebody else"
            raise Refused("wrong_victim", "WYR-055", message, source=self.victim)

    def decide(self, table: Table) -> Rule[None]:
        """Note the victim."""
        yield STRAY.note_list(self.who, (self.victim,), "WYR-055")

    def already(self, table: Table) -> str:
        """Say which victim is named already."""
        return f"the next stray shot of {table.name_of(self.who)} hits {table.name_of(self.victim)} already"


@ruled_as("revival", "ask for a test of an ability when a combatant next revives a companion", "who", "ability")
class Revival(Ruling, frozen=True, kw_only=True):
    """Ask for a test when a combatant next revives a companion."""

    who: CombatantId
    ability: Ability

    def check(self, table: Table) -> None:
        """Refuse a combatant that is down."""
        must_be_active(table, self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Note the ability."""
        yield REVIVAL_TEST.set_on(self.who, self.ability, "WYR-069")


@ruled_as("unaware", "let the next attack on a combatant hit without a test", "who")
class Unaware(Ruling, frozen=True, kw_only=True):
    """Let the next attack on a combatant come unannounced: it hits without a test."""

    who: CombatantId

    def check(self, table: Table) -> None:
        """Refuse a combatant that is down."""
        must_be_active(table, self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Note the unawareness."""
        yield UNAWARE.set_on(self.who, True, "WYR-028")

    def already(self, table: Table) -> str:
        """Say that the combatant is unaware already."""
        return f"{table.name_of(self.who)} is unaware already"


AFTER = ("armor", "blow", "critical", "damage", "power", "shared_risk", "stray")
"""The dice and questions that follow a decided test."""


class Verdict(verdicts.Verdict, frozen=True, kw_only=True):
    """Decide the current or this round's next test or blow."""

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
        """Return whether the verdict is a miss, or denies a 6++ before its answer."""
        awaits = self.verdict == "no_critical" and verdicts.is_awaiting(table, item.id, "critical")
        return awaits or super().turns_back(table, item)
