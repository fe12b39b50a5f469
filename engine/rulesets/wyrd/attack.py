"""Attacks of foes: announced, and answered by whoever is attacked (WYR-027 to WYR-031, WYR-G01 to WYR-G03)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, ClassVar, Self

from affray.engine.core.actions import Action
from affray.engine.core.changes import marked
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.engine.kit.sides import enemies_of
from affray.events import Clause, CombatantId, Field, Id, ItemId, Noted, Option

from . import melee
from .aiming import a_mark, fit_to_shoot
from .damage import Hit, blow, dealt
from .defence import defended
from .engage import armed_with, exchange
from .fire import shoot, shot_off
from .gear import carried, ranged, taken_up
from .play import action_spent, in_reach, may_act, undecided
from .rolling import ALONE
from .sheet import active, an_enemy, tests

ROLLERS = (
    Option(choice="attacker", says="the one who attacks tests, as a player character would"),
    Option(choice="target", says="the one who is attacked tests to avoid it"),
    Option(
        choice="ruled",
        says="nobody rolls; it comes out like this",
        fields=(Field(name="outcome", kind="text"),),
    ),
)
"""Who is rolled like a player character when foes fight each other (WYR-G02)."""


class Attack(Action, frozen=True, kw_only=True):
    """Announce an attack of somebody whom no player plays; the target answers before anything is rolled (WYR-028).

    Attributes:
        target: Combatant id.
        weapon, off: Items to attack with; what is in hand if none is named. A ranged weapon shoots.
    """

    kind: ClassVar[str] = "attack"
    says: ClassVar[str] = "announce an attack, which the target answers"
    words: ClassVar[tuple[str, ...]] = ("target", "weapon", "off")

    target: CombatantId
    weapon: ItemId = ""
    off: ItemId = ""

    def is_shot(self, table: Table, actor: Id) -> bool:
        """Tell whether it is a shot: the weapon named is fired, or there is nothing else to attack with."""
        if self.weapon:
            return ranged(table, table.item(self.weapon))
        if melee.engaged(table, actor):
            return False
        return bool(carried(table, actor, shot=True)) and not carried(table, actor, shot=False)

    def _weapons(self, table: Table, actor: Id, shot: bool) -> tuple[Id, ...]:
        """Return the weapons that are used, once they are known to fit."""
        return armed_with(table, actor, self.weapon, self.off, shot=shot, rule="WYR-050" if shot else "WYR-G01")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: active, budget, loaded, weapons, target, reach or sight."""
        may_act(table, actor, manner, "WYR-G01")
        if tests(table, actor):
            message = f"{actor} is rolled by its own tests: engage or fire"
            raise Refused("pc_tests", "WYR-G01", message, source=actor)
        if not self.is_shot(table, actor):
            self._weapons(table, actor, shot=False)
            an_enemy(table, actor, self.target, "WYR-G01")
            in_reach(table, actor, self.target, "WYR-G01")
        elif table.draft.phase == "resolution":
            an_enemy(table, actor, self.target, "WYR-050")
        else:
            fit_to_shoot(table, actor, self.weapon, self.off)
            a_mark(table, actor, self.target)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on with what could no longer be announced; a shot that has left the weapon flies on."""
        if undecided(table):
            self.check(table, actor, "pending")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (WYR-007)."""
        yield from action_spent(table, actor, "WYR-G01")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let the target answer, then see whether it is hit (WYR-028, WYR-029)."""
        target, shot = self.target, self.is_shot(table, actor)
        answers = active(table, target) and not table.mark(target, "unaware")
        rule = "WYR-028" if active(table, target) else "WYR-G03"
        yield Go("announce" if answers else "carry_out", rules=(rule,))
        yield from taken_up(table, actor, self._weapons(table, actor, shot))
        if not shot and active(table, target):
            yield from melee.engage(table, actor, target, "WYR-017")
        if not answers:
            yield from self.strikes(table, actor, rule)
        else:
            yield from self.is_met(table, actor)

    def lets_fly(self, table: Table, actor: Id) -> Rule[None]:
        """Shoot, if it is a shot: black powder is spent, whether or not it hits (WYR-058)."""
        if self.is_shot(table, actor):
            yield from shot_off(table, actor, self._weapons(table, actor, shot=True)[0], "WYR-T49")

    def strikes(self, table: Table, actor: Id, rule: Clause) -> Rule[Hit]:
        """Hit with what is at hand, and hurt; who is unaware learns of it (WYR-028, WYR-029, WYR-G03)."""
        if table.mark(self.target, "unaware"):
            yield marked(self.target, "unaware", None)
        shot = self.is_shot(table, actor)
        arms = partial(self._weapons, table, actor, shot)
        yield from taken_up(table, actor, arms())
        if shot:
            yield from shot_off(table, actor, arms()[0])
        hit = yield from blow(table, actor, arms, self.target, rule, shot=shot)
        yield from dealt(table, hit, rule)
        return hit

    def is_met(self, table: Table, actor: Id) -> Rule[None]:
        """Let the target answer; when neither is on a player's side, the game master says who rolls (WYR-G02)."""
        target = self.target
        answer = None if tests(table, target) else (yield from choice(partial(_who_rolls, table, target)))
        if answer is None or answer.choice == "target":
            yield from defended(table, self, actor, target, named=answer is not None)
            return
        yield Go("defend", rules=("WYR-G02",))
        shot = self.is_shot(table, actor)
        arms = partial(self._weapons, table, actor, shot)
        if answer.choice == "ruled":
            yield from self.lets_fly(table, actor)
            said = f"{table[actor].name} attacks {table[target].name}: {answer.fields['outcome']}"
            yield Noted(text=said, rules=("WYR-G02",))
        elif shot:
            yield from shoot(table, actor, target, arms, "grace", ALONE)
        else:
            yield from exchange(table, actor, target, arms, "", ALONE)

    def targets(self) -> tuple[Id, ...]:
        """Return the one who is attacked."""
        return (self.target,)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every enemy, and what is in hand or every weapon."""
        match field:
            case "target":
                return enemies_of(table, actor)
            case "weapon":
                return ("", *(item.id for shot in (False, True) for item in carried(table, actor, shot=shot)))
            case _:
                return super().values(table, actor, manner, field, so_far)


def _who_rolls(table: Table, target: Id) -> Ask | None:
    """Return what the game master is asked, unless the target is helpless, unaware, or tests by itself meanwhile."""
    if tests(table, target) or not active(table, target) or table.mark(target, "unaware"):
        return None
    return Ask(of=("gm",), about="roller", options=ROLLERS, rules=("WYR-G02",))
