"""Rulings on free attacks and readied attacks."""

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Interrupted, Rule
from affray.engine.rulesets.verdigris.attack.striking import Grip, Mighty
from affray.engine.rulesets.verdigris.chapters.free_attacks import FreeAttack, build_readied_attack, free_attack
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.flow import FLOW
from affray.engine.rulesets.verdigris.sheet import Strike
from affray.events import CombatantId, Id, ThingName


@ruled_as("free_attack", "let a combatant attack outside its turn", "attacker", "target", "weapon")
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
        """Refuse an attack that is not possible (VER-071)."""
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
        """Return the weapon's id, which may be given without its owner."""
        owned = f"{self.attacker}.{self.weapon}"
        return owned if owned in table.draft.items else self.weapon

    def decide(self, table: Table) -> Rule[None]:
        """Put the attack on the stack at once."""
        yield free_attack(self.attacker, self._action(table), "granted")


@ruled_as("trigger", "let a readied attack be made now", "who", "target")
class FireTrigger(Ruling, frozen=True, kw_only=True):
    """Fire a combatant's readied attack: its trigger has happened."""

    who: CombatantId
    target: CombatantId
    strike: Strike = ""

    def check(self, table: Table) -> None:
        """Refuse a combatant without a readied attack, and an impossible attack."""
        FLOW.permit(table, "gm", "fire")
        if not table[self.who].has("readied"):
            raise table.refuse(self.who, "has readied nothing", "VER-072")
        self._action(table).check(table, self.who, "readied")

    def _action(self, table: Table) -> FreeAttack:
        return build_readied_attack(table, self.who, self.target, self.strike)

    def decide(self, table: Table) -> Rule[None]:
        """Put the attack on the stack; it resolves at once."""
        action = self._action(table)
        yield Interrupted(by=((self.who, action),), manner="readied", rules=("VER-072", "VER-076"))
