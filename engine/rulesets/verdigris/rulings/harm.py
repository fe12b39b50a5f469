"""Rulings on harm, injuries and stray shots."""

from functools import partial
from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Ruling, declared_as, ruled_as
from affray.engine.core.effects import Interrupted, Rule
from affray.engine.errors import Unusable
from affray.engine.kit.rulings import harm_and_end
from affray.engine.kit.rulings.values import Word
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.chapters.rolls import save
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.flow import FLOW
from affray.engine.rulesets.verdigris.gear.things import list_armor_shares
from affray.engine.rulesets.verdigris.harm.damage import deal, wound
from affray.engine.rulesets.verdigris.harm.injuries import find_injury, list_injury_keys
from affray.engine.rulesets.verdigris.sheet import (
    is_in_play,
    melee_of,
    refusal_by,
)
from affray.events import Clause, CombatantId, Id, Modifier


@ruled_as("injury", "choose a combatant's next critical injury, by its number or name", "who", "row")
class ChooseInjury(Ruling, frozen=True, kw_only=True):
    """Choose the row of a combatant's next critical injury."""

    who: CombatantId
    row: Word

    def check(self, table: Table) -> None:
        """Refuse a row that the tables do not have."""
        if self.row not in list_injury_keys():
            raise Unusable(f"there are {', '.join(list_injury_keys())}", "row", known=list_injury_keys())

    def decide(self, table: Table) -> Rule[None]:
        """Note the row."""
        yield marks.INJURY_ROW.set_on(self.who, find_injury(self.row).name, "VER-093")


@ruled_as("stray", "name the combatants that the next stray shot can hit", "victims")
class Stray(Ruling, frozen=True, kw_only=True):
    """Name the combatants that the next stray shot can hit; a single one needs no die."""

    victims: Annotated[tuple[CombatantId, ...], Meta(min_length=1)]

    def check(self, table: Table) -> None:
        """Refuse a combatant out of play, and one outside every melee."""
        for who in self.victims:
            if not is_in_play(table, who):
                raise table.refuse(who, "is out of play", "VER-T32")
            if melee_of(table, who) is None:
                message = (
                    f"{table.name_of(who)} is in no melee, and a stray shot strikes a member of the target's melee"
                )
                raise refusal_by("VER-049", f"{message}; rule harm {who} hurts it anyhow", who)

    def decide(self, table: Table) -> Rule[None]:
        """Note the combatants."""
        yield marks.STRAY_VICTIMS.note_list(marks.FIGHT, self.victims, "VER-049")


@declared_as("harm", "damage by ruling", "who", "amount")
class Harm(harm_and_end.RuledHarm, frozen=True, kw_only=True):
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
            gear = partial(list_armor_shares, table, self.who) if self.armor else tuple
            guard = yield from save(table, self.who, "withstand", "VER-028", gear=gear)
        amount = yield from deal(table, self.who, terms, guard, "VER-089")
        yield from wound(table, self.who, amount)


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
            raise table.refuse(self.who, "is out of play", "VER-T32")

    def decide(self, table: Table) -> Rule[None]:
        """Put the harm on the stack; it resolves at once."""
        harm = Harm(who=self.who, amount=self.amount, withstand=self.withstand, armor=self.armor)
        yield Interrupted(by=(("gm", harm),), manner="ruled", rules=("VER-089",))
