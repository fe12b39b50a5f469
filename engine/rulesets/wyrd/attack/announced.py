"""Attacks of foes, announced and answered (WYR-027 to WYR-031, WYR-G01 to WYR-G03)."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Annotated

from affray.engine.core.actions import declared_as
from affray.engine.core.domains import Among
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.errors import Refused
from affray.engine.kit.sides import Enemy
from affray.engine.rulesets.wyrd.chapters.wear_and_tear import draw
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear import pieces
from affray.engine.rulesets.wyrd.harm import Hit, wound
from affray.engine.rulesets.wyrd.marks import ALLOWED, UNAWARE
from affray.engine.rulesets.wyrd.movement import melee
from affray.engine.rulesets.wyrd.sheet import (
    ABILITIES,
    can_test,
    is_active,
    is_helpless,
    must_be_enemy,
    testing_clauses,
)
from affray.engine.rulesets.wyrd.turns.turn import Costly, helpers, is_undecided, must_be_able, must_be_able_to_help
from affray.events import Answered, Clause, Dice, Field, Id, ItemId, Noted, Option

from . import blows
from .engage import exchange
from .shots import let_fly, must_be_fit_to_shoot, shoot
from .testing import ALONE, Support, Tested, attempt, pay_for_help

ROLLERS = (
    Option(choice="attacker", says="the one who attacks tests, as a player character would"),
    Option(choice="target", says="the one who is attacked tests to avoid it"),
    Option(choice="ruled", says="nobody rolls; it comes out like this", fields=(Field(name="outcome", kind="text"),)),
)
"""Who is rolled like a player character when foes fight each other (WYR-G02)."""

STANCES: dict[str, tuple[str, Clause]] = {
    "avoid": ("avoids it with the ability alone", "WYR-029"),
    "riposte": ("strikes back with the weapons", "WYR-030"),
    "guard": ("concentrates on defence with all armor", "WYR-031"),
}
"""The ways to answer an attack, and the clause of each."""


@declared_as("attack", "announce an attack, which the target answers", "target", "weapon", "off", pays=("WYR-G01",))
class Attack(Costly, frozen=True, kw_only=True):
    """Announce an attack of somebody whom no player plays; the target answers before anything is rolled.

    Attributes:
        weapon, off: Items to attack with; what is in hand if none is named. A ranged weapon shoots.
    """

    target: Enemy
    weapon: Annotated[ItemId, Among(pieces.offered, False, True)] = ""
    off: ItemId = ""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Show it to whoever is not rolled by tests of their own."""
        return not can_test(table, actor)

    def is_shot(self, table: Table, actor: Id) -> bool:
        """Tell whether it is a shot: the weapon named is fired, or there is nothing else to attack with."""
        if self.weapon:
            return pieces.is_ranged(table, table.item(self.weapon))
        if melee.is_engaged(table, actor):
            return False
        return bool(pieces.carried(table, actor, shot=True)) and not pieces.carried(table, actor, shot=False)

    def _weapons(self, table: Table, actor: Id, shot: bool) -> tuple[Id, ...]:
        """Return the weapons that are used, once they are known to fit."""
        return pieces.arms_of(table, actor, self.weapon, self.off, shot=shot, rule="WYR-050" if shot else "WYR-G01")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: active, budget, loaded, weapons, target, reach or sight (WYR-G01)."""
        must_be_able(table, actor, manner, "WYR-G01")
        if can_test(table, actor):
            raise Refused(
                "pc_tests", "WYR-G01", f"{table.called(actor)} is rolled by its own tests: engage or fire", source=actor
            )
        if not self.is_shot(table, actor):
            self._weapons(table, actor, shot=False)
            must_be_enemy(table, actor, self.target, "WYR-G01")
            melee.must_be_in_reach(table, actor, self.target, "WYR-G01")
        elif table.draft.phase == "resolution":
            must_be_enemy(table, actor, self.target, "WYR-050")
        else:
            must_be_fit_to_shoot(table, actor, self.weapon, self.off)
            must_be_enemy(table, actor, self.target, "WYR-050")
            melee.must_be_in_sight(table, actor, self.target, "WYR-050")

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on with what could no longer be announced; a shot that has left the weapon flies on."""
        if is_undecided(table):
            self.check(table, actor, "pending")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Let the target answer, then see whether it is hit (WYR-028)."""
        target, shot = self.target, self.is_shot(table, actor)
        unanswered = why_unanswered(table, target)
        yield Go("carry_out" if unanswered else "announce", rules=(unanswered or "WYR-028",))
        yield from pieces.take_up(table, actor, self._weapons(table, actor, shot))
        if not shot and is_active(table, target):
            yield from melee.engage(table, actor, target, "WYR-017")
        if unanswered:
            yield from self.strike(table, actor, unanswered)
        else:
            yield from self.meet(table, actor)

    def let_fly(self, table: Table, actor: Id) -> Rule[None]:
        """Shoot, if it is a shot: black powder is spent, whether or not it hits (WYR-T49)."""
        if self.is_shot(table, actor):
            yield from let_fly(table, actor, self._weapons(table, actor, shot=True)[0], "WYR-T49")

    def strike(self, table: Table, actor: Id, rule: Clause) -> Rule[Hit]:
        """Hit with what is at hand, and hurt; who is unaware learns of it."""
        if UNAWARE.of(table, self.target):
            yield UNAWARE.struck(self.target)
        shot = self.is_shot(table, actor)
        arms = partial(self._weapons, table, actor, shot)
        yield from pieces.take_up(table, actor, arms())
        if shot:
            yield from let_fly(table, actor, arms()[0])
        hit = yield from blows.strike(table, actor, arms, self.target, rule, shot=shot)
        yield from wound(table, hit, rule)
        return hit

    def meet(self, table: Table, actor: Id) -> Rule[None]:
        """Let the target answer; when neither is on a player's side, the game master says who rolls (WYR-G02)."""
        target = self.target
        answer = None if can_test(table, target) else (yield from choice(partial(_who_rolls, table, target)))
        if answer is None or answer.choice == "target":
            yield from defend(table, self, actor, target, named=answer is not None)
            return
        yield Go("defend", rules=("WYR-G02",))
        shot = self.is_shot(table, actor)
        arms = partial(self._weapons, table, actor, shot)
        if answer.choice == "ruled":
            yield from self.let_fly(table, actor)
            said = f"{table[actor].name} attacks {table[target].name}: {answer.fields['outcome']}"
            yield Noted(text=said, rules=("WYR-G02",))
        elif shot:
            yield from shoot(table, actor, target, arms, "grace", ALONE)
        else:
            yield from exchange(table, actor, target, arms, "", ALONE)


def why_unanswered(table: Table, target: Id) -> Clause:
    """Return the clause by which somebody is hit without a test: helpless, or unaware; nothing otherwise (WYR-G03)."""
    if not is_active(table, target):
        return "WYR-G03"
    return "WYR-028" if UNAWARE.of(table, target) else ""


def _who_rolls(table: Table, target: Id) -> Ask | None:
    """Return what the game master is asked, unless the target is helpless, unaware, or tests by itself meanwhile."""
    if can_test(table, target) or why_unanswered(table, target):
        return None
    return Ask(of=("gm",), about="roller", options=ROLLERS, rules=("WYR-G02",))


def defend(table: Table, attack: Attack, attacker: Id, target: Id, *, named: bool = False) -> Rule[None]:
    """Ask the target, which costs it nothing, and let its test decide; the attacker does not roll to hit (WYR-029).

    A weapon that is shot is empty afterwards, whether or not it hits: declared and not cancelled is fired (WYR-058).
    ``named`` is whether the game master has named a foe to roll like a player character.
    Who is helpless before the dice have fallen, or turns out to be unaware, is hit without a test.
    """
    answer = yield from choice(partial(_defence, table, attacker, target, named))
    if answer is None:
        unanswered = why_unanswered(table, target)
        if unanswered:
            yield Go("defend", rules=(unanswered,))
            yield from attack.strike(table, attacker, unanswered)
        else:
            yield from attack.meet(table, attacker)
        return
    stance, fields = answer.choice, answer.fields
    by = STANCES[stance][1]
    yield Go("defend", rules=(by,))
    yield from attack.let_fly(table, attacker)
    support = yield from pay_for_help(table, target, Support(str(fields.get("helper") or ""), bool(fields.get("push"))))
    if support.push:
        attack.check(table, attacker, "pending")
    name = str(fields.get("ability") or "")
    said = str(fields.get("weapon") or "")
    own: blows.Arms = partial(pieces.riposte_weapons, table, target, said) if stance == "riposte" else tuple

    def own_dice() -> tuple[Dice, ...]:
        if stance != "guard":
            return pieces.weapon_dice(table, target, own())
        return pieces.armor_dice(table, target, shot=attack.is_shot(table, attacker))[0]

    cited = partial(_clauses_of_defence, table, attack, attacker, target, stance)
    yield from pieces.take_up(table, target, own())
    try:
        tested = yield from attempt(
            table,
            target,
            name,
            own_dice,
            "WYR-029",
            by,
            foe=attacker,
            support=support,
            won=by,
            lost="WYR-029",
            cited=cited,
        )
    except Refused:
        if not is_helpless(table, target):
            raise
        yield from attack.strike(table, attacker, "WYR-G03")
        return
    yield from blows.use_up_ability(table, target, name, blows.MELEE_ABILITIES)
    if tested.succeeded:
        yield from _stay_unhurt(table, attacker, target, stance, own, tested)
    elif not (yield from blows.take_consequence(table, target, "WYR-016")):
        hit = yield from attack.strike(table, attacker, "WYR-029")
        yield from blows.share_risk(table, hit, support)
    if stance == "riposte" and is_active(table, target) and is_active(table, attacker):
        yield from melee.engage(table, target, attacker, "WYR-030")


def _defence(table: Table, attacker: Id, target: Id, named: bool) -> Ask | None:
    """Return what the target is asked, unless it is helpless, unaware, or a foe whom nobody named to roll (WYR-027)."""
    if why_unanswered(table, target) or not (named or can_test(table, target)):
        return None
    return Ask(
        of=(target,),
        about="defence",
        options=_stances(table, attacker, target),
        rules=("WYR-027", "WYR-028", "WYR-029"),
        refuses=partial(_must_be_stance, table, attacker, target),
    )


def _clauses_of_defence(table: Table, attack: Attack, attacker: Id, target: Id, stance: str) -> tuple[Clause, ...]:
    """Return the clauses for a guard against a shot, and for a foe that rolls like a player character (WYR-T43)."""
    shot = stance == "guard" and attack.is_shot(table, attacker)
    return (*(("WYR-056", "WYR-T43") if shot else ()), *testing_clauses(table, target))


def _stay_unhurt(table: Table, attacker: Id, target: Id, stance: str, own: blows.Arms, tested: Tested) -> Rule[None]:
    """Not be hit; a riposte engages the attacker and hits with the weapon face of the very test (WYR-030)."""
    if stance == "riposte":
        yield from melee.engage(table, target, attacker, "WYR-030")
        yield from draw(table, target, tested.roll)
        several = blows.clauses_of_several(tested.roll)
        yield from blows.land(table, tested, own, target, attacker, "WYR-030", *several)
    else:
        yield from blows.note_multiple(table, tested, target, attacker)


def _stances(table: Table, attacker: Id, target: Id) -> tuple[Option, ...]:
    """Return what the target may choose: no riposte out of reach, and no guard without armor."""
    fit = tuple([one for one in ABILITIES if one in blows.MELEE_ABILITIES or ALLOWED.of(table, target, one)])
    support = helpers(table, target)
    options = [_stance("avoid", fit, support)]
    if melee.is_adjacent(table, target, attacker):
        options.append(_stance("riposte", fit, support, pieces.riposte_choices(table, target)))
    if pieces.worn(table, target):
        options.append(_stance("guard", fit, support))
    return tuple(options)


@lru_cache(maxsize=1024)
def _stance(stance: str, fit: tuple[str, ...], support: tuple[Id, ...], arms: tuple[str, ...] = ()) -> Option:
    """Return a way to answer with what it can be combined with; the same people are asked the same again and again."""
    push = Field(name="push", kind="int", low=0, high=1, optional=True)
    named = {"ability": fit, "helper": support, "weapon": arms}
    ability, *others = [Field(name=name, kind="id", among=ids, optional=True) for name, ids in named.items() if ids]
    return Option(choice=stance, says=STANCES[stance][0], fields=(ability, push, *others))


def _must_be_stance(table: Table, attacker: Id, target: Id, answer: Answered) -> None:
    """Refuse what the clauses forbid: help that is spent, weapons that do not fit, no armor, no reach."""
    name = answer.fields.get("ability")
    if isinstance(name, str) and name in ABILITIES:
        blows.must_fit(table, target, name, blows.MELEE_ABILITIES, "WYR-029")
    helper = answer.fields.get("helper")
    if isinstance(helper, str) and helper in table.draft.combatants:
        must_be_able_to_help(table, target, helper)
    if answer.choice == "riposte":
        said = str(answer.fields.get("weapon") or "")
        pieces.arms_of(table, target, *pieces.riposte_arms(table, target, said), shot=False, rule="WYR-030")
        melee.must_be_in_reach(table, target, attacker, "WYR-030")
    elif answer.choice == "guard" and not pieces.worn(table, target):
        raise Refused("no_armor", "WYR-031", f"{table.called(target)} wears nothing to stand guard with", source=target)
