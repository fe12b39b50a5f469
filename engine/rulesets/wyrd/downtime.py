"""After the fight: repair, rest, recovery (WYR-044, WYR-045, WYR-070 to WYR-072; Terms, Fatigue)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, Literal, Self

from msgspec import field

from affray.engine.core.actions import Action
from affray.engine.core.changes import pool_moved, pool_set
from affray.engine.core.effects import Ask, Roll, Rule, choice, throw
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Clause, ClockSet, Dice, DieStepped, Id, ItemId, Noted, Option

from .gear import destroyed
from .sheet import ability
from .sizes import mended

DAYS = Option(choice="days", says="there are materials, and it takes days")
WEEKS = Option(choice="weeks", says="there are materials, and it takes weeks")
NO = Option(choice="no", says="there are no materials")


class Repair(Action, frozen=True, kw_only=True):
    """Mend a piece of gear by one size, once the game master confirms the materials (WYR-044, WYR-045).

    Attributes:
        item: Item id.
    """

    kind: ClassVar[str] = "repair"
    says: ClassVar[str] = "mend a piece by one size"
    words: ClassVar[tuple[str, ...]] = ("item",)
    own_trigger: ClassVar[str] = "repair"

    item: ItemId

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse the dead, and a piece that is another's, destroyed or whole."""
        alive(table, actor, "WYR-044")
        item = table.item(self.item)
        if item.owner != actor or item.kind == "ability":
            raise Refused("not_owned", "WYR-044", f"{actor} does not have {item.name}", source=item.id)
        if destroyed(item):
            raise Refused("destroyed", "WYR-045", f"the {item.name} is destroyed for good", source=item.id)
        if item.die >= item.base:
            raise Refused("at_base", "WYR-045", f"the {item.name} is whole", source=item.id)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Ask for materials and the unit of time; it takes as many of them as the die now has sides (WYR-045)."""
        answer = yield from choice(_materials)
        assert answer is not None
        item = table.item(self.item)
        if answer.choice == "no":
            yield Noted(text=f"no materials to mend the {item.name}", rules=("WYR-044",))
            return
        yield passed(table, f"{self.item}/{answer.choice}", item.die, "WYR-045")
        after = mended(table.config, item.die, item.base)
        yield DieStepped(item=self.item, before=item.die, after=after, rules=("WYR-045", "WYR-044"))

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on with what could no longer be mended."""
        self.check(table, actor, "pending")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every worn piece."""
        return [item.id for item in table.items_of(actor) if item.kind != "ability" and item.die < item.base]


class Rest(Action, frozen=True, kw_only=True):
    """Rest for a night, which takes away as much fatigue as a Power roll says, or for all of downtime (Terms, Fatigue).

    Attributes:
        length: Recorded as ``kind``: for how long.
    """

    kind: ClassVar[str] = "rest"
    says: ClassVar[str] = "rest for a night, or for all of downtime"
    words: ClassVar[tuple[str, ...]] = ("kind",)
    own_trigger: ClassVar[str] = "rest"

    length: Literal["night", "downtime"] = field(default="night", name="kind")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse the dead, and somebody without fatigue."""
        alive(table, actor, "WYR-T19")
        if not table.pool(actor, "fatigue"):
            raise Refused("no_change", "WYR-T19", f"{actor} has no fatigue", source=f"{actor}.fatigue")

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse the dead, and somebody without fatigue, until the night is over."""
        self.check(table, actor, "pending")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let fatigue go."""
        if self.length == "downtime":
            yield pool_set(table, actor, "fatigue", 0, "WYR-T19")
            return
        roll = yield from throw(partial(_slept, table, actor))
        assert roll is not None
        yield pool_moved(table, actor, "fatigue", -roll.total, "WYR-T19")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return both lengths."""
        return ("night", "downtime")


def _materials() -> Ask:
    return Ask(of=("gm",), about="materials", options=(DAYS, WEEKS, NO), rules=("WYR-044", "WYR-045"))


def _slept(table: Table, who: Id) -> Roll:
    """Return the roll of Power that says how much fatigue a night takes away."""
    power = ability(table, who, "power")
    dice = (Dice(count=1, sides=power.die, kind="ability", item=power.id),)
    return Roll(dice=dice, purpose="rest", by=who, reading="highest", rules=("WYR-T19",))


def alive(table: Table, who: Id, rule: Clause) -> None:
    """Refuse the dead."""
    if table[who].has("dead"):
        raise Refused("dead", rule, f"{who} is dead", source=who)


def passed(table: Table, clock: Id, by: int, *rules: Clause) -> ClockSet:
    """Let time pass on a clock."""
    before = table.draft.clocks.get(clock, 0)
    return ClockSet(clock=clock, before=before, after=before + by, rules=rules)
