"""What the game master sets going: harm, tests and saves, minutes after the fight (VER-004, VER-089, VER-096)."""

from __future__ import annotations

from functools import partial
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from affray.engine.core.actions import Action
from affray.engine.core.effects import Rule
from affray.engine.core.table import Table
from affray.events import CombatantId, Id, Modifier, StatName

from .harm import dealt, hold_on, hurt
from .injuries import running, tick
from .refusing import if_there, no
from .saves import armored, passes, save
from .sheet import in_play
from .tests import tries

Save = Literal["", "dodge", "withstand", "panic", "warding"]
Attribute = Literal["", "strength", "agility", "intelligence", "charisma"]


class Harm(Action, frozen=True, kw_only=True):
    """Damage that the game master ruled: a fall, a fire, a falling beam (VER-089).

    Attributes:
        who: Combatant id.
        amount: Before any save.
        withstand: Whether a Withstand save lowers it.
        armor: Whether that save has armour dice.
    """

    kind: ClassVar[str] = "harm"
    says: ClassVar[str] = "damage by ruling"
    words: ClassVar[tuple[str, ...]] = ("who", "amount")

    who: CombatantId
    amount: Annotated[int, Meta(ge=1, le=999)]
    withstand: bool = False
    armor: bool = False

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it from anybody but a ruling, which has looked at everything else."""
        if manner == "standard":
            raise no("VER-089", "damage of this kind is the game master's to rule", actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Reckon it up and take it (VER-030, VER-089)."""
        terms = [Modifier(value=self.amount, label="ruling", source="gm", rule="VER-089")]
        guard = None
        if self.withstand:
            gear = partial(armored, table, self.who) if self.armor else tuple
            guard = yield from save(table, self.who, "withstand", "VER-028", gear=gear)
        amount = yield from dealt(table, self.who, terms, guard, "VER-089")
        yield from hurt(table, self.who, amount)

    def targets(self) -> tuple[Id, ...]:
        """Return whom it hits."""
        return (self.who,)


class Check(Action, frozen=True, kw_only=True):
    """A test or save that the game master called for (VER-S04, VER-096).

    Attributes:
        save: Which save; a test if not given.
        attribute, skill: Of a test.
        needs: The SL to reach.
    """

    kind: ClassVar[str] = "check"
    says: ClassVar[str] = "a test or save by ruling"

    save: Save = ""
    attribute: Attribute = ""
    skill: StatName = ""
    needs: Annotated[int, Meta(ge=1, le=20)] = 1

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it from anybody but a ruling, which has looked at everything else."""
        if manner == "standard":
            raise no("VER-S04", "the game master calls for tests and saves", actor)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Roll it; Withstand at Death's Door is the save for one's life."""
        if self.save == "withstand" and table[actor].has("deaths_door"):
            yield from hold_on(table, actor)
        elif self.save:
            yield from passes(table, actor, self.save, self.needs, "VER-S04")
        else:
            yield from tries(table, actor, "test", self.attribute, self.skill, "VER-S04", needed=self.needs)


class TickMinute(Action, frozen=True, kw_only=True):
    """Let a minute pass after the fight: saves at Death's Door, clocks of injuries (VER-096)."""

    kind: ClassVar[str] = "tick_minute"
    says: ClassVar[str] = "let a minute pass after the fight"
    by_gm: ClassVar[bool] = True
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "tick_minute"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse anybody but the game master, and a minute in which nothing happens."""
        if actor != "gm":
            raise no("VER-096", "the game master lets minutes pass", actor)
        if not any(_matters(table, who) for who in table.draft.combatants):
            raise no("VER-096", "nobody's life hangs on the minutes", "fight_over")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Go through everybody in joining order; turns and rounds are over within a minute (table 5.5)."""
        for who in tuple(table.draft.combatants):
            if in_play(table, who) and table[who].has("deaths_door") and not table[who].has("stable"):
                yield from if_there(hold_on(table, who))
            for kind in SHORT:
                while in_play(table, who) and running(table, who, kind):
                    yield from tick(table, who, kind, "VER-093")
            for kind in LONG:
                if in_play(table, who):
                    yield from tick(table, who, kind, "VER-093")


def _matters(table: Table, who: Id) -> bool:
    """Tell whether a minute means anything to somebody."""
    if not in_play(table, who):
        return False
    one = table[who]
    if one.has("deaths_door") and not one.has("stable"):
        return True
    return any(running(table, who, kind) for kind in (*SHORT, *LONG))


SHORT = ("turns", "rounds")
LONG = ("minutes", "heals")
"""Clocks that run out within a minute, and those that go by minutes."""
