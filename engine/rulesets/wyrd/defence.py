"""Answering an attack: avoid it, riposte, or stand guard (WYR-027 to WYR-031)."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import combinations

from affray.engine.errors import Refused
from affray.engine.rule import Ask, Go, Rule
from affray.engine.table import Table
from affray.events import Answered, Clause, Dice, Field, Id, Option

from .damage import blow, dealt, struck
from .engage import USUAL, fitting, instead, ruled_ability, shared
from .fire import emptied
from .gear import armed, carried, dice_of, taken_up, worn
from .outfit import UNARMED
from .play import in_reach, reaches
from .rolling import Support, Tested, attempt
from .sheet import ABILITIES, active, an_enemy, better, like_a_pc, must_be_active
from .testing import backed, bonus, can_help, critical, guarding, helpers

STANCES: dict[str, tuple[str, Clause]] = {
    "avoid": ("avoids it with the ability alone", "WYR-029"),
    "riposte": ("strikes back with the weapons", "WYR-030"),
    "guard": ("concentrates on defence with all armor", "WYR-031"),
}
"""The ways to answer an attack, and the clause of each."""


def defended(table: Table, attacker: Id, target: Id, weapons: tuple[Id, ...], shot: bool) -> Rule[None]:
    """Ask the target, which costs it nothing, and let its test decide; the attacker does not roll to hit (WYR-029).

    A weapon that is shot is empty afterwards, whether or not it hits: declared and not cancelled is fired (WYR-058).
    """
    answer: Answered = yield Ask(
        of=(target,),
        about="defence",
        options=_stances(table, attacker, target),
        rules=("WYR-027", "WYR-028", "WYR-029"),
        refuses=partial(_refused, table, attacker, target),
    )
    still_on(table, attacker, target)
    stance = answer.choice
    yield Go("defend", rules=(STANCES[stance][1],))
    if shot:
        yield from emptied(table, weapons[0])
    fields = answer.fields
    support = Support(str(fields.get("helper") or ""), bool(fields.get("push")))
    able = yield from backed(table, target, support)
    if not able:
        hit = yield from blow(table, attacker, weapons, target, "WYR-G03", shot=shot)
        yield from dealt(table, hit, "WYR-G03")
        return
    name = str(fields.get("ability") or better(table, target))
    yield from ruled_ability(table, target, name, USUAL)
    own = _own_weapons(table, target, str(fields.get("weapon") or "")) if stance == "riposte" else ()
    yield from taken_up(table, target, own)
    tested = yield from attempt(
        table,
        target,
        name,
        _dice(table, target, stance, own),
        "WYR-029",
        STANCES[stance][1],
        *_several(table, target, stance, own),
        *like_a_pc(table, target),
        foe=attacker,
        support=support,
        won=STANCES[stance][1],
        lost="WYR-029",
    )
    if tested.succeeded:
        yield from _unhurt(table, attacker, target, stance, own, tested)
    elif not (yield from instead(table, target, "WYR-016")):
        hit = yield from blow(table, attacker, weapons, target, "WYR-029", shot=shot)
        yield from dealt(table, hit, "WYR-029")
        yield from shared(table, hit, support)


def still_on(table: Table, attacker: Id, target: Id) -> None:
    """Refuse to go on with an attack when a ruling has taken one of the two out while it was to be answered."""
    must_be_active(table, attacker, "WYR-G01")
    an_enemy(table, attacker, target, "WYR-G01")


def _dice(table: Table, target: Id, stance: str, own: tuple[Id, ...]) -> tuple[Dice, ...]:
    """Return what joins the ability die: nothing, the weapons, or all armor (WYR-029 to WYR-031)."""
    if stance == "guard":
        return guarding(table, target)
    return dice_of(table, own)


def _several(table: Table, target: Id, stance: str, own: tuple[Id, ...]) -> tuple[Clause, ...]:
    """Return the clause by which several pieces are rolled at once, if they are (WYR-036, WYR-038)."""
    if stance == "guard":
        return ("WYR-038",) if len(worn(table, target)) > 1 else ()
    return ("WYR-036",) if len(own) > 1 else ()


def _unhurt(table: Table, attacker: Id, target: Id, stance: str, own: tuple[Id, ...], tested: Tested) -> Rule[None]:
    """Not be hit; a riposte hits the attacker with the weapon face of the very test (WYR-030)."""
    if stance == "riposte":
        yield from critical(table, tested, target, attacker)
        both = ("WYR-037",) if len(own) > 1 else ()
        yield from dealt(table, struck(table, tested.roll, own, target, attacker), "WYR-030", *both)
    else:
        yield from bonus(table, tested, target, attacker)


def _stances(table: Table, attacker: Id, target: Id) -> tuple[Option, ...]:
    """Return what the target may choose: no riposte out of reach, and no guard without armor."""
    fit = tuple([one for one in ABILITIES if one in USUAL or table.mark(target, f"allowed/{one}")])
    support = helpers(table, target)
    options = [_stance("avoid", fit, support)]
    if reaches(table, target, attacker):
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
    pairs = [f"{one}+{other}" for one, other in combinations(one_handed, 2)]
    return (*(one.id for one in weapons), *pairs, f"{who}.{UNARMED}")


def _own_weapons(table: Table, who: Id, said: str) -> tuple[Id, ...]:
    """Return the weapons of a riposte: those said, or what is in hand."""
    items = table.draft.items
    mine = tuple([f"{who}.{one}" if f"{who}.{one}" in items else one for one in said.split("+") if one])
    return tuple([one.id for one in armed(table, who, mine, shot=False, rule="WYR-030")])


def _refused(table: Table, attacker: Id, target: Id, answer: Answered) -> None:
    """Refuse what the clauses forbid: help that is spent, weapons that do not fit, no armor, no reach."""
    if not active(table, target):
        return
    name = answer.fields.get("ability")
    if isinstance(name, str) and name in ABILITIES:
        fitting(table, target, name, USUAL, "WYR-029")
    helper = answer.fields.get("helper")
    if isinstance(helper, str) and helper in table.draft.combatants:
        can_help(table, target, helper)
    if answer.choice == "riposte":
        _own_weapons(table, target, str(answer.fields.get("weapon") or ""))
        in_reach(table, target, attacker, "WYR-030")
    elif answer.choice == "guard" and not worn(table, target):
        raise Refused("no_armor", "WYR-031", f"{target} wears nothing to stand guard with", source=target)
