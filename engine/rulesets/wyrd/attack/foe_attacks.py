"""Attacks of foes, which are announced and answered (WYR-028, WYR-G01 to WYR-G03)."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from affray.engine.core.actions import declared_as
from affray.engine.core.candidates import Among
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.kit.sheets import is_pc
from affray.engine.kit.sides import Enemy
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear import pieces
from affray.engine.rulesets.wyrd.harm import Hit, wound
from affray.engine.rulesets.wyrd.marks import UNAWARE
from affray.engine.rulesets.wyrd.movement import melee
from affray.engine.rulesets.wyrd.sheet import can_test, is_active, leaves_test_to, must_be_enemy
from affray.engine.rulesets.wyrd.turns.turn import PaidAction, is_undecided, must_be_able
from affray.events import Clause, Field, Id, ItemId, Noted, Option

from . import blows
from .defence import Threat, cite_unanswered, defend
from .engage import exchange_blows
from .shots import must_be_fit_to_shoot, shoot, spend_shot
from .testing import ALONE, Support

ROLLERS = (
    Option(choice="attacker", says="the one who attacks tests, as a player character would"),
    Option(choice="target", says="the one who is attacked tests to avoid it"),
    Option(choice="ruled", says="nobody rolls; it comes out like this", fields=(Field(name="outcome", kind="text"),)),
)
"""The options for a fight between foes: which one rolls like a player character (WYR-G02)."""


@declared_as("attack", "announce an attack, which the target answers", "target", "weapon", "off", pays=("WYR-G01",))
class Attack(PaidAction, frozen=True, kw_only=True):
    """Announce an attack without a test; the target answers before any roll.

    Foes attack so, and hirelings against player characters.

    Attributes:
        weapon, off: Items to attack with; by default those in hand. A ranged weapon shoots.
    """

    target: Enemy
    weapon: Annotated[ItemId, Among(pieces.list_offered_weapons, False, True)] = ""
    off: ItemId = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it to all but player characters.

        A hireling announces its attacks on player characters.
        """
        return not is_pc(table, actor)

    def is_shot(self, table: Table, actor: Id) -> bool:
        """Return whether the attack is a shot.

        The named weapon is ranged, or the attacker has no other and is not engaged.
        """
        if self.weapon:
            return pieces.is_ranged(table, table.item(self.weapon))
        if melee.is_engaged(table, actor):
            return False
        return bool(pieces.list_usable_weapons(table, actor, shot=True)) and not pieces.list_usable_weapons(
            table, actor, shot=False
        )

    def _find_weapons(self, table: Table, actor: Id, shot: bool) -> tuple[Id, ...]:
        """Return the weapons of the attack after checking that they fit."""
        return pieces.choose_weapons(
            table, actor, self.weapon, self.off, shot=shot, rule="WYR-050" if shot else "WYR-G01"
        )

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: active, budget, loaded, weapons, target, reach or sight (WYR-G01)."""
        must_be_able(table, actor, manner)
        if can_test(table, actor) and not leaves_test_to(table, actor, self.target):
            raise table.refuse(actor, "is rolled by its own tests: engage or fire", "WYR-G01", "pc_tests")
        if not self.is_shot(table, actor):
            self._find_weapons(table, actor, shot=False)
            must_be_enemy(table, actor, self.target, "WYR-G01")
            melee.must_be_in_reach(table, actor, self.target, "WYR-G01")
        elif table.draft.phase == "resolution":
            must_be_enemy(table, actor, self.target, "WYR-050")
        else:
            must_be_fit_to_shoot(table, actor, self.weapon, self.off)
            must_be_enemy(table, actor, self.target, "WYR-050")
            melee.must_be_in_sight(table, actor, self.target, "WYR-050")

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse an attack that is no longer possible; a fired shot flies on."""
        if is_undecided(table):
            self.check(table, actor, "pending")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let the target answer, and then decide the hit (WYR-028)."""
        target, shot = self.target, self.is_shot(table, actor)
        unanswered = cite_unanswered(table, target)
        yield Go("carry_out" if unanswered else "announce", rules=(unanswered or "WYR-028",))
        yield from pieces.take_up(table, actor, self._find_weapons(table, actor, shot))
        if not shot and is_active(table, target):
            yield from melee.engage(table, actor, target, "WYR-017")
        if unanswered:
            yield from self.strike(table, actor, unanswered)
        else:
            yield from self.ask_target(table, actor)

    def fire_if_shot(self, table: Table, actor: Id) -> Rule[None]:
        """Shoot if the attack is a shot: black powder is spent, hit or miss (WYR-T49)."""
        if self.is_shot(table, actor):
            yield from spend_shot(table, actor, self._find_weapons(table, actor, shot=True)[0], "WYR-T49")

    def strike(self, table: Table, actor: Id, rule: Clause) -> Rule[Hit | None]:
        """Hit the target with the weapons at hand, and end its unawareness."""
        if UNAWARE.of(table, self.target):
            yield UNAWARE.clear_on(self.target)
        shot = self.is_shot(table, actor)
        arms = partial(self._find_weapons, table, actor, shot)
        yield from pieces.take_up(table, actor, arms())
        if shot:
            yield from spend_shot(table, actor, arms()[0])
        hit = yield from blows.strike(table, actor, arms, self.target, rule, shot=shot)
        if hit is not None:
            yield from wound(table, hit, rule)
        return hit

    def build_threat(self, table: Table, actor: Id) -> Threat:
        """Return the threat that the target defends itself against."""

        def hurt(rule: Clause, support: Support) -> Rule[None]:
            hit = yield from self.strike(table, actor, rule)
            if hit is not None:
                yield from blows.ask_shared_risk(table, hit, support)

        return Threat(
            attacker=actor,
            target=self.target,
            check=partial(self.check, table, actor, "pending"),
            is_shot=partial(self.is_shot, table, actor),
            before_dice=partial(self.fire_if_shot, table, actor),
            on_hit=hurt,
            on_no_answer=partial(self.ask_target, table, actor),
        )

    def ask_target(self, table: Table, actor: Id) -> Rule[None]:
        """Let the target answer. Between two foes, the game master says which one rolls (WYR-G02)."""
        target = self.target
        answer = (
            None if can_test(table, target) else (yield from choice(partial(_build_roller_question, table, target)))
        )
        if answer is None or answer.choice == "target":
            yield from defend(table, self.build_threat(table, actor), named=answer is not None)
            return
        yield Go("defend", rules=("WYR-G02",))
        shot = self.is_shot(table, actor)
        arms = partial(self._find_weapons, table, actor, shot)
        if answer.choice == "ruled":
            yield from self.fire_if_shot(table, actor)
            parts = {"who": actor, "target": target, "outcome": answer.fields["outcome"]}
            yield Noted(kind="attacks", parts=parts, rules=("WYR-G02",))
        elif shot:
            yield from shoot(table, actor, target, arms, "grace", ALONE)
        else:
            yield from exchange_blows(table, actor, target, arms, "", ALONE)


def _build_roller_question(table: Table, target: Id) -> Ask | None:
    """Return the question which foe rolls, or nothing.

    Nothing is asked if the target is helpless or unaware, or tests by itself by now.
    """
    if can_test(table, target) or cite_unanswered(table, target):
        return None
    return Ask(of=("gm",), about="roller", options=ROLLERS, rules=("WYR-G02",))
