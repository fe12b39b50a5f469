"""Attacks of foes: announced, and answered by whoever is attacked (WYR-027 to WYR-031, WYR-G01 to WYR-G03)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self

from affray.engine.actions import Action
from affray.engine.errors import Refused
from affray.engine.facts import marked
from affray.engine.rule import Ask, Go, Rule
from affray.engine.sides import enemies
from affray.engine.table import Table
from affray.events import Answered, Clause, Field, Id, Noted, Option

from . import melee
from .aiming import a_mark, contact, fit_to_shoot
from .damage import blow, dealt
from .defence import defended, still_on
from .engage import exchange, named
from .fire import emptied, shoot
from .gear import armed, carried, ranged, taken_up
from .play import action_spent, in_reach, may_act
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
    people: ClassVar[tuple[str, ...]] = ("target",)
    things: ClassVar[tuple[str, ...]] = ("weapon", "off")

    target: Id
    weapon: Id = ""
    off: Id = ""

    def _shot(self, table: Table, actor: Id) -> bool:
        """Tell whether it is a shot: the weapon named is fired, or there is nothing else to attack with."""
        if self.weapon:
            return ranged(table, table.item(self.weapon))
        if melee.engaged(table, actor):
            return False
        return bool(carried(table, actor, shot=True)) and not carried(table, actor, shot=False)

    def _weapons(self, table: Table, actor: Id, shot: bool) -> tuple[Id, ...]:
        """Return the weapons that are used, once they are known to fit."""
        rule = "WYR-050" if shot else "WYR-G01"
        return tuple([one.id for one in armed(table, actor, named(self.weapon, self.off), shot=shot, rule=rule)])

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: active, budget, loaded, weapons, target, reach or sight."""
        may_act(table, actor, manner, "WYR-G01")
        if tests(table, actor):
            message = f"{actor} is rolled by its own tests: engage or fire"
            raise Refused("pc_tests", "WYR-G01", message, source=actor)
        if self._shot(table, actor):
            fit_to_shoot(table, actor, named(self.weapon, self.off))
            a_mark(table, actor, self.target)
        else:
            self._weapons(table, actor, shot=False)
            an_enemy(table, actor, self.target, "WYR-G01")
            in_reach(table, actor, self.target, "WYR-G01")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action (WYR-007)."""
        yield from action_spent(table, actor, "WYR-G01")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let the target answer, then see whether it is hit (WYR-028, WYR-029)."""
        target, shot = self.target, self._shot(table, actor)
        weapons = self._weapons(table, actor, shot)
        if shot:
            yield from contact(table, actor)
        if not active(table, target):
            yield Go("carry_out", rules=("WYR-G03",))
            yield from self._struck(table, actor, weapons, shot, "WYR-G03")
        elif table.mark(target, "unaware"):
            yield Go("carry_out", rules=("WYR-028",))
            yield marked(target, "unaware", None)
            yield from self._struck(table, actor, weapons, shot, "WYR-028")
        else:
            yield Go("announce", rules=("WYR-028",))
            yield from taken_up(table, actor, weapons)
            if not shot:
                yield from melee.engage(table, actor, target, "WYR-017")
            if tests(table, target):
                yield from defended(table, actor, target, weapons, shot)
            else:
                yield from self._among_foes(table, actor, weapons, shot)

    def _struck(self, table: Table, actor: Id, weapons: tuple[Id, ...], shot: bool, rule: Clause) -> Rule[None]:
        """Hit without a test (WYR-028, WYR-G03)."""
        yield from taken_up(table, actor, weapons)
        if shot:
            yield from emptied(table, weapons[0])
        elif active(table, self.target):
            yield from melee.engage(table, actor, self.target, "WYR-017")
        hit = yield from blow(table, actor, weapons, self.target, rule, shot=shot)
        yield from dealt(table, hit, rule)

    def _among_foes(self, table: Table, actor: Id, weapons: tuple[Id, ...], shot: bool) -> Rule[None]:
        """Let the game master say who is rolled like a player character, when neither is on their side (WYR-G02)."""
        answer: Answered = yield Ask(of=("gm",), about="roller", options=ROLLERS, rules=("WYR-G02",))
        if answer.choice == "target":
            yield from defended(table, actor, self.target, weapons, shot)
            return
        still_on(table, actor, self.target)
        yield Go("defend", rules=("WYR-G02",))
        if answer.choice == "ruled":
            if shot:
                yield from emptied(table, weapons[0])
            yield Noted(
                text=f"{table[actor].name} attacks {table[self.target].name}: {answer.fields['outcome']}",
                rules=("WYR-G02",),
            )
        elif shot:
            yield from shoot(table, actor, self.target, weapons[0], "grace", ALONE)
        else:
            yield from exchange(table, actor, self.target, weapons, "", ALONE)

    def targets(self) -> tuple[Id, ...]:
        """Return the one who is attacked."""
        return (self.target,)

    @classmethod
    def offers(cls, table: Table, actor: Id, manner: str) -> Iterator[Self]:
        """Yield every enemy, with what is in hand and with every other weapon."""
        weapons = [item.id for shot in (False, True) for item in carried(table, actor, shot=shot)]
        for target in table.draft.combatants:
            if enemies(table, actor, target):
                yield cls(target=target)
                for weapon in weapons:
                    yield cls(target=target, weapon=weapon)
