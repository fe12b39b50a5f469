"""What happens by ruling: free attacks, harm, tests (VER-071, VER-076, VER-089, VER-096)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Ruling
from affray.engine.core.effects import Interrupted, Rule
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.rulesets.verdigris.flow import FLOW
from affray.engine.rulesets.verdigris.opportunity import FreeAttack, free_attack
from affray.engine.rulesets.verdigris.refusing import no
from affray.engine.rulesets.verdigris.ruled import Attribute, Check, Harm, Save
from affray.engine.rulesets.verdigris.sheet import in_play
from affray.engine.rulesets.verdigris.tables import people
from affray.events import CombatantId, Id, StatName, ThingName


def nothing_awaited(table: Table, trigger: str) -> None:
    """Refuse it while something waits for an answer, and where the flow does not allow it."""
    if table.draft.question is not None or table.draft.awaited is not None:
        raise no("VER-076", "first comes the answer that is awaited", table.draft.phase)
    FLOW.permit(table, "gm", trigger)


class FreeAttackRuled(Ruling, frozen=True, kw_only=True):
    """Let somebody attack outside its turn, for nothing (VER-071)."""

    kind: ClassVar[str] = "free_attack"
    says: ClassVar[str] = "let somebody attack outside its turn"
    words: ClassVar[tuple[str, ...]] = ("attacker", "target", "weapon")

    attacker: CombatantId
    target: CombatantId
    weapon: ThingName = ""
    strike: Literal["", "rider", "mount"] = ""

    def check(self, table: Table) -> None:
        """Refuse an attack that could not be made."""
        nothing_awaited(table, "grant")
        FreeAttack(target=self.target, weapon=self._weapon(table), strike=self.strike).check(
            table, self.attacker, "granted"
        )

    def _weapon(self, table: Table) -> Id:
        """Return the weapon's id, which may be said without its owner."""
        owned = f"{self.attacker}.{self.weapon}"
        return owned if owned in table.draft.items else self.weapon

    def decide(self, table: Table) -> Rule[str]:
        """Put it on the stack; it resolves at once."""
        weapon = self._weapon(table)
        yield free_attack(self.attacker, self.target, "granted", weapon=weapon, strike=self.strike)
        return ""


class FireTrigger(Ruling, frozen=True, kw_only=True):
    """Say that what somebody waited for has happened: its readied attack is made (VER-072, VER-076)."""

    kind: ClassVar[str] = "trigger"
    says: ClassVar[str] = "let a readied attack be made now"
    words: ClassVar[tuple[str, ...]] = ("who", "target")

    who: CombatantId
    target: CombatantId
    strike: Literal["", "rider", "mount"] = ""

    def check(self, table: Table) -> None:
        """Refuse somebody who has readied nothing, and an attack that could not be made."""
        nothing_awaited(table, "fire")
        if not table[self.who].has("readied"):
            raise no("VER-072", f"{self.who} has readied nothing", self.who)
        self._action(table).check(table, self.who, "readied")

    def _action(self, table: Table) -> FreeAttack:
        weapon = str(table.mark(self.who, "readied/weapon") or "")
        return FreeAttack(target=self.target, weapon=weapon, strike=self.strike)

    def decide(self, table: Table) -> Rule[str]:
        """Put it on the stack; it resolves at once."""
        action = self._action(table)
        yield Interrupted(by=((self.who, action),), manner="readied", rules=("VER-072", "VER-076"))
        return ""


class HarmRuled(Ruling, frozen=True, kw_only=True):
    """Do damage outside an attack (VER-089)."""

    kind: ClassVar[str] = "harm"
    says: ClassVar[str] = "do damage outside an attack"
    words: ClassVar[tuple[str, ...]] = ("who", "amount")

    who: CombatantId
    amount: Annotated[int, Meta(ge=1, le=999)]
    withstand: bool = False
    armor: bool = False

    def check(self, table: Table) -> None:
        """Refuse it while something is awaited, and against somebody out of play."""
        nothing_awaited(table, "intervene")
        if not in_play(table, self.who):
            raise no("VER-089", f"{self.who} is out of play", self.who)

    def decide(self, table: Table) -> Rule[str]:
        """Put it on the stack; it resolves at once."""
        harm = Harm(who=self.who, amount=self.amount, withstand=self.withstand, armor=self.armor)
        yield Interrupted(by=(("gm", harm),), manner="ruled", rules=("VER-089",))
        return ""


class CallTest(Ruling, frozen=True, kw_only=True):
    """Call for a test (attribute, skill) or a save of somebody's (VER-S04, VER-096)."""

    kind: ClassVar[str] = "test"
    says: ClassVar[str] = "call for somebody's test (attribute, skill) or save"
    words: ClassVar[tuple[str, ...]] = ("who", "save")

    who: CombatantId
    save: Save = ""
    attribute: Attribute = ""
    skill: StatName = ""
    needs: Annotated[int, Meta(ge=1, le=20)] = 1

    def check(self, table: Table) -> None:
        """Refuse it while something is awaited, of somebody out of play, and what is neither test nor save."""
        nothing_awaited(table, "call")
        if not in_play(table, self.who):
            raise no("VER-S04", f"{self.who} is out of play", self.who)
        if bool(self.save) == bool(self.attribute) or (self.save and self.skill):
            raise Unusable("say either a save, or an attribute and perhaps a skill", "save")
        if self.skill and self.skill not in people().skills:
            raise Unusable(f"there are the skills {', '.join(people().skills)}", "skill")

    def decide(self, table: Table) -> Rule[str]:
        """Put it on the stack; it resolves at once."""
        check = Check(save=self.save, attribute=self.attribute, skill=self.skill, needs=self.needs)
        yield Interrupted(by=((self.who, check),), manner="called", rules=("VER-S04",))
        return ""
