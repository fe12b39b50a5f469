"""Answering an attack: avoid it, riposte, or stand guard (WYR-027 to WYR-031)."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import permutations
from typing import Protocol

from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.core.table import Table
from affray.engine.errors import Refused
from affray.events import Answered, Clause, Dice, Field, Id, Option

from .damage import Arms, Hit, dealt, struck
from .engage import USUAL, fitting, instead, ruled_ability, several, shared
from .gear import armed, carried, dice_of, taken_up, within_hand, worn
from .melee import near
from .outfit import UNARMED
from .play import in_reach
from .rolling import Support, Tested, attempt
from .sheet import ABILITIES, active, helpless, like_a_pc, tests
from .testing import backed, bonus, can_help, critical, guarding, helpers
from .throwing import drawn

STANCES: dict[str, tuple[str, Clause]] = {
    "avoid": ("avoids it with the ability alone", "WYR-029"),
    "riposte": ("strikes back with the weapons", "WYR-030"),
    "guard": ("concentrates on defence with all armor", "WYR-031"),
}
"""The ways to answer an attack, and the clause of each."""


class Attacked(Protocol):
    """The attack that is answered."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse to go on with it if it could no longer be announced."""

    def is_shot(self, table: Table, actor: Id) -> bool:
        """Tell whether it is a shot."""

    def is_met(self, table: Table, actor: Id) -> Rule[None]:
        """Let whoever is to roll answer it."""

    def lets_fly(self, table: Table, actor: Id) -> Rule[None]:
        """Shoot, if it is a shot."""

    def strikes(self, table: Table, actor: Id, rule: Clause) -> Rule[Hit]:
        """Hit, and hurt."""


def defended(table: Table, attack: Attacked, attacker: Id, target: Id, *, named: bool = False) -> Rule[None]:
    """Ask the target, which costs it nothing, and let its test decide; the attacker does not roll to hit (WYR-029).

    A weapon that is shot is empty afterwards, whether or not it hits: declared and not cancelled is fired (WYR-058).
    ``named`` is whether the game master has named a foe to roll like a player character.
    Who is helpless before the dice have fallen, or turns out to be unaware, is hit without a test (WYR-028, WYR-G03).
    """
    answer = yield from choice(partial(_asked, table, attacker, target, named))
    if answer is None and active(table, target) and not table.mark(target, "unaware"):
        yield from attack.is_met(table, attacker)
        return
    if answer is None:
        rule = "WYR-028" if active(table, target) else "WYR-G03"
        yield Go("defend", rules=(rule,))
        yield from attack.strikes(table, attacker, rule)
        return
    stance = answer.choice
    yield Go("defend", rules=(STANCES[stance][1],))
    yield from attack.lets_fly(table, attacker)
    fields = answer.fields
    support = yield from backed(table, target, Support(str(fields.get("helper") or ""), bool(fields.get("push"))))
    if support.push:
        attack.check(table, attacker, "pending")
    name = str(fields.get("ability") or "")
    own: Arms = partial(_own_weapons, table, target, stance, str(fields.get("weapon") or ""))
    yield from taken_up(table, target, own())
    try:
        tested = yield from attempt(
            table,
            target,
            name,
            partial(_dice, table, target, stance, own),
            "WYR-029",
            STANCES[stance][1],
            foe=attacker,
            support=support,
            won=STANCES[stance][1],
            lost="WYR-029",
            cited=partial(_cited, table, attack, attacker, target, stance),
        )
    except Refused:
        if not helpless(table, target):
            raise
        yield from attack.strikes(table, attacker, "WYR-G03")
        return
    yield from ruled_ability(table, target, name, USUAL)
    if tested.succeeded:
        yield from _unhurt(table, attacker, target, stance, own, tested)
    elif not (yield from instead(table, target, "WYR-016")):
        hit = yield from attack.strikes(table, attacker, "WYR-029")
        yield from shared(table, hit, support)


def _asked(table: Table, attacker: Id, target: Id, named: bool) -> Ask | None:
    """Return what the target is asked, unless it is helpless or unaware, or a foe whom nobody named to roll.

    See WYR-028, WYR-G02 and WYR-G03.
    """
    if not active(table, target) or table.mark(target, "unaware") or not (named or tests(table, target)):
        return None
    return Ask(
        of=(target,),
        about="defence",
        options=_stances(table, attacker, target),
        rules=("WYR-027", "WYR-028", "WYR-029"),
        refuses=partial(_refused, table, attacker, target),
    )


def _cited(table: Table, attack: Attacked, attacker: Id, target: Id, stance: str) -> tuple[Clause, ...]:
    """Return the clauses for guarding against a shot, and for a foe that rolls like a player character (WYR-G02)."""
    shot = stance == "guard" and attack.is_shot(table, attacker)
    return (*(("WYR-T43",) if shot else ()), *like_a_pc(table, target))


def _dice(table: Table, target: Id, stance: str, own: Arms) -> tuple[Dice, ...]:
    """Return what joins the ability die: nothing, the weapons, or all armor (WYR-029 to WYR-031)."""
    if stance == "guard":
        return guarding(table, target)
    return dice_of(table, target, own())


def _unhurt(table: Table, attacker: Id, target: Id, stance: str, own: Arms, tested: Tested) -> Rule[None]:
    """Not be hit; a riposte hits the attacker with the weapon face of the very test (WYR-030)."""
    if stance == "riposte":
        hit = struck(table, tested.roll, own, attacker)
        yield from drawn(table, target, tested.roll)
        yield from critical(table, tested, target, attacker)
        yield from dealt(table, hit, "WYR-030", *several(tested.roll))
    else:
        yield from bonus(table, tested, target, attacker)


def _stances(table: Table, attacker: Id, target: Id) -> tuple[Option, ...]:
    """Return what the target may choose: no riposte out of reach, and no guard without armor."""
    fit = tuple([one for one in ABILITIES if one in USUAL or table.mark(target, f"allowed/{one}")])
    support = helpers(table, target)
    options = [_stance("avoid", fit, support)]
    if near(table, target, attacker):
        options.append(_stance("riposte", fit, support, _arms(table, target)))
    if worn(table, target):
        options.append(_stance("guard", fit, support))
    return tuple(options)


@lru_cache(maxsize=1024)
def _stance(stance: str, fit: tuple[str, ...], support: tuple[Id, ...], arms: tuple[str, ...] = ()) -> Option:
    """Return a way to answer with what it can be combined with; the same people are asked the same again and again."""
    fields = [
        Field(name="ability", kind="id", among=fit, optional=True),
        Field(name="push", kind="int", low=0, high=1, optional=True),
    ]
    if support:
        fields.append(Field(name="helper", kind="id", among=support, optional=True))
    if arms:
        fields.append(Field(name="weapon", kind="id", among=arms, optional=True))
    return Option(choice=stance, says=STANCES[stance][0], fields=tuple(fields))


def _arms(table: Table, who: Id) -> tuple[str, ...]:
    """Return what a riposte can be made with: each weapon, each pair of one-handed ones joined by +, bare hands."""
    weapons = carried(table, who, shot=False)
    one_handed = [one.id for one in weapons if one.stats.get("hands") == 1]
    pairs = [f"{one}+{other}" for one, other in permutations(one_handed, 2)]
    return (*(one.id for one in weapons), *pairs, f"{who}.{UNARMED}")


def _said(table: Table, who: Id, said: str) -> tuple[Id, ...]:
    """Return the weapons that were said for a riposte, their owner's name left out or not."""
    items = table.draft.items
    return tuple([f"{who}.{one}" if f"{who}.{one}" in items else one for one in said.split("+") if one])


def _own_weapons(table: Table, who: Id, stance: str, said: str) -> tuple[Id, ...]:
    """Return the weapons of a riposte: those said, or else, and if they have been lost since, what is ready."""
    if stance != "riposte":
        return ()
    at_hand = tuple([one for one in _said(table, who, said) if within_hand(table.item(one), who)])
    return tuple([one.id for one in armed(table, who, at_hand, shot=False, rule="WYR-030")])


def _refused(table: Table, attacker: Id, target: Id, answer: Answered) -> None:
    """Refuse what the clauses forbid: help that is spent, weapons that do not fit, no armor, no reach."""
    name = answer.fields.get("ability")
    if isinstance(name, str) and name in ABILITIES:
        fitting(table, target, name, USUAL, "WYR-029")
    helper = answer.fields.get("helper")
    if isinstance(helper, str) and helper in table.draft.combatants:
        can_help(table, target, helper)
    if answer.choice == "riposte":
        armed(table, target, _said(table, target, str(answer.fields.get("weapon") or "")), shot=False, rule="WYR-030")
        in_reach(table, target, attacker, "WYR-030")
    elif answer.choice == "guard" and not worn(table, target):
        raise Refused("no_armor", "WYR-031", f"{target} wears nothing to stand guard with", source=target)
