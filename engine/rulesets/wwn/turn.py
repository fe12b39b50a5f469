"""Beginning, ending a turn, lying down and standing up (WWN-001, WWN-003, WWN-T19, WWN-G02)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, ClassVar, Self

from msgspec import field

from affray.engine.core.actions import Action
from affray.engine.core.changes import condition_set, marked
from affray.engine.core.effects import Rule
from affray.engine.core.state import Combatant
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.events import CombatantId, Id, MemberDone, SideName

from .budgets import turn_over
from .play import PAYMENTS, Payment, move_left, move_paid, playable
from .sheet import mount_of, rider_of, standing


class Begin(Action, frozen=True, kw_only=True):
    """Begin the fight; the game master's to declare (WWN-001).

    Attributes:
        surprised: The side that is surprised, if the game master rules so; all others then act once before initiative.
        watcher, sneak: Whose Wis/Notice meets whose Dex/Sneak to decide whether it really is.
    """

    kind: ClassVar[str] = "begin"
    says: ClassVar[str] = "begin the fight"
    words: ClassVar[tuple[str, ...]] = ("surprised", "watcher", "sneak")
    by_gm: ClassVar[bool] = True
    stacks: ClassVar[bool] = False

    surprised: SideName = ""
    watcher: CombatantId = ""
    sneak: CombatantId = ""

    def trigger(self, of_manner: str) -> str:
        """Return where the beginning leads: to initiative, or to surprise."""
        return "surprise" if self.surprised else "begin"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse a fight of one side, and a surprise that nobody could be caught by."""
        if actor != "gm":
            raise Refused("not_your_turn", "WWN-T38", "the game master begins the fight", source=actor)
        sides = table.derived(standing)
        if len(sides) < 2:
            raise Refused("need_two_sides", "WWN-T38", "a fight needs two sides with somebody active each", "sides")
        if self.surprised and self.surprised not in sides:
            raise Unusable(f"there is no side {self.surprised} with somebody active", "surprised")
        self._check_pair(table)

    def _check_pair(self, table: Table) -> None:
        for name, who in (("watcher", self.watcher), ("sneak", self.sneak)):
            if who and (not self.surprised or (table[who].side == self.surprised) != (name == "watcher")):
                raise Unusable("watcher is of the side that may be surprised, sneak is of another", name)
        wanted = self.surprised and table.config.surprise == "opposed"
        if bool(self.watcher) != bool(self.sneak) or (wanted and not self.watcher):
            raise Unusable("say who might notice (watcher) whom (sneak)", "sneak" if self.watcher else "watcher")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Note what the flow needs to know next."""
        for name in ("surprised", "watcher", "sneak"):
            if getattr(self, name):
                yield marked("fight", name, getattr(self, name), "WWN-T35", until="surprise is settled")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return a plain beginning, and each side surprised; whoever is first of a side watches and sneaks."""
        side = so_far.surprised if field != "surprised" else ""
        match field:
            case "surprised":
                return ("", *table.derived(standing))
            case "watcher" if side:
                return ("", *_first(table, lambda one: one.side == side))
            case "sneak" if side and so_far.watcher:
                return _first(table, lambda one: one.side != side)
            case _:
                return super().values(table, actor, manner, field, so_far)


def _first(table: Table, fit: Callable[[Combatant], bool]) -> list[Id]:
    """Return the first to have joined of those who fit, if there is one."""
    return list(islice((who for who, one in table.draft.combatants.items() if fit(one)), 1))


class EndTurn(Action, frozen=True, kw_only=True):
    """End one's own turn; what is left of its actions is kept for a snap attack (WWN-003, WWN-021)."""

    kind: ClassVar[str] = "end_turn"
    says: ClassVar[str] = "end the turn"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "end_turn"

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Be done; a beast forgets who attacked it before (WWN-059)."""
        yield from turn_over(table, actor)
        yield MemberDone(who=actor, rules=("WWN-003",))


class Prone(Action, frozen=True, kw_only=True):
    """Drop to the ground on purpose, On Turn (WWN-T19)."""

    kind: ClassVar[str] = "prone"
    says: ClassVar[str] = "drop to the ground"
    stacks: ClassVar[bool] = False
    own_trigger: ClassVar[str] = "at_once"

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it in the saddle and under it, and to somebody who lies there already."""
        playable(table, actor, "standard", "WWN-T19")
        if rider_of(table, actor):
            raise Refused("is_ridden", "WWN-T19", f"{actor} carries somebody", source=rider_of(table, actor))
        if mount_of(table, actor):
            raise Refused("riding", "WWN-T19", f"{actor} rides", source=mount_of(table, actor))
        if table[actor].has("prone"):
            raise Refused("already_prone", "WWN-T19", f"{actor} lies on the ground", source=f"{actor}.prone")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Lie down."""
        yield condition_set(table, actor, "prone", 1, "WWN-T19")


class Stand(Action, frozen=True, kw_only=True):
    """Stand up, for a Move Action (WWN-T19).

    Attributes:
        payment: Recorded as ``pay``: the Move Action, or the Main Action as a second one.
    """

    kind: ClassVar[str] = "stand"
    says: ClassVar[str] = "stand up"

    payment: Payment = field(default="move", name="pay")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse for want of the action, and to somebody who stands."""
        playable(table, actor, manner, "WWN-T19")
        if manner != "pending":
            move_left(table, actor, self.payment, "WWN-T19")
        if not table[actor].has("prone"):
            raise Refused("not_prone", "WWN-T19", f"{actor} stands", source=actor)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action."""
        yield from move_paid(table, actor, manner, self.payment, "WWN-T19")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Stand up."""
        yield condition_set(table, actor, "prone", 0, "WWN-T19")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return both ways to pay."""
        return PAYMENTS
