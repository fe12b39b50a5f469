"""Rulings of free attacks and harm, and minutes after the fight."""

from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Action, Ruling, declared_as, ruled_as
from affray.engine.core.effects import Interrupted, Rule
from affray.engine.kit.rulings import fates
from affray.engine.rulesets.verdigris.attack.striking import Grip, Mighty
from affray.engine.rulesets.verdigris.chapters.free_attacks import FreeAttack, free_attack, readied_attack
from affray.engine.rulesets.verdigris.chapters.rolls import save
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.flow import FLOW
from affray.engine.rulesets.verdigris.gear.things import armor_shares
from affray.engine.rulesets.verdigris.harm.conditions import hold_on
from affray.engine.rulesets.verdigris.harm.damage import deal, wound
from affray.engine.rulesets.verdigris.harm.injuries import is_running, tick
from affray.engine.rulesets.verdigris.sheet import Strike, follow, is_in_play, no
from affray.events import Clause, CombatantId, Id, Modifier, ThingName


@declared_as("harm", "damage by ruling", "who", "amount")
class Harm(fates.Harm, frozen=True, kw_only=True):
    """Damage by ruling: a fall, a fire, a falling beam.

    Attributes:
        amount: The damage before any save.
        withstand: Whether a Withstand save lowers it.
        armor: Whether that save has armour dice.
    """

    refusal: ClassVar[tuple[str, Clause]] = ("VER-089", "VER-089")

    withstand: bool = False
    armor: bool = False

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Sum up the damage and apply it."""
        terms = [Modifier(value=self.amount, label="ruling", source="gm", rule="VER-089")]
        guard = None
        if self.withstand:
            gear = partial(armor_shares, table, self.who) if self.armor else tuple
            guard = yield from save(table, self.who, "withstand", "VER-028", gear=gear)
        amount = yield from deal(table, self.who, terms, guard, "VER-089")
        yield from wound(table, self.who, amount)


SHORT = ("turns", "rounds")
LONG = ("minutes", "heals")
"""Clocks that count minutes."""


@declared_as("tick_minute", "let a minute pass after the fight", own_trigger="tick_minute", by_gm=True, stacks=False)
class TickMinute(Action, frozen=True, kw_only=True):
    """Let a minute pass after the fight: saves at Death's Door, clocks of injuries."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse all actors but the game master, and a minute without effect."""
        if actor != "gm":
            raise no("VER-096", "the game master lets minutes pass", actor)
        if not any(_is_concerned(table, who) for who in table.draft.combatants):
            raise no("VER-096", "nobody's life hangs on the minutes", "fight_over")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Apply a minute to all in joining order; turns and rounds run out (table 5.5)."""
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
            raise no("VER-072", f"{table.called(self.who)} has readied nothing", self.who)
        self._action(table).check(table, self.who, "readied")

    def _action(self, table: Table) -> FreeAttack:
        return readied_attack(table, self.who, self.target, self.strike)

    def decide(self, table: Table) -> Rule[None]:
        """Put the attack on the stack; it resolves at once."""
        action = self._action(table)
        yield Interrupted(by=((self.who, action),), manner="readied", rules=("VER-072", "VER-076"))


@ruled_as("harm", "do damage outside an attack", "who", "amount")
class HarmRuled(Ruling, frozen=True, kw_only=True):
    """Deal damage outside an attack."""

    who: CombatantId
    amount: Annotated[int, Meta(ge=1, le=999)]
    withstand: bool = False
    armor: bool = False

    def check(self, table: Table) -> None:
        """Refuse harm outside the fight, and against a combatant out of play."""
        FLOW.permit(table, "gm", "intervene")
        if not is_in_play(table, self.who):
            raise no("VER-T32", f"{table.called(self.who)} is out of play", self.who)

    def decide(self, table: Table) -> Rule[None]:
        """Put the harm on the stack; it resolves at once."""
        harm = Harm(who=self.who, amount=self.amount, withstand=self.withstand, armor=self.armor)
        yield Interrupted(by=(("gm", harm),), manner="ruled", rules=("VER-089",))
