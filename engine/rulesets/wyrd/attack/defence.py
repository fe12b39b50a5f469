"""Defence: the answers to an attack, a stunt or a spell (WYR-027 to WYR-031, WYR-T59)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.errors import Refused
from affray.engine.rulesets.wyrd.chapters.wear_and_tear import draw_thrown_weapons
from affray.engine.rulesets.wyrd.config import Table
from affray.engine.rulesets.wyrd.gear import pieces
from affray.engine.rulesets.wyrd.marks import ALLOWED, UNAWARE
from affray.engine.rulesets.wyrd.movement import melee
from affray.engine.rulesets.wyrd.sheet import ABILITIES, can_test, cite_hireling_test, is_active, is_helpless
from affray.engine.rulesets.wyrd.turns.turn import list_helpers, must_be_able_to_help
from affray.events import Answered, Clause, Dice, Field, Id, Option

from . import blows
from .testing import ALONE, AbilityTest, Support, attempt, pay_for_help

STANCES: dict[str, tuple[str, Clause]] = {
    "avoid": ("avoids it with the ability alone", "WYR-029"),
    "riposte": ("strikes back with the weapons", "WYR-030"),
    "guard": ("concentrates on defence with all armor", "WYR-031"),
}
"""The ways to answer an attack, and the clause of each."""


class Threat(NamedTuple):
    """A threat that a combatant defends itself against.

    Attributes:
        check: Refuses a threat that is no longer possible.
        is_shot: Returns whether it is a shot.
        before_dice: Runs before the dice of the defence, whatever they show.
        on_hit: Runs if the defence fails or is impossible. It takes the clause, and the help that was paid for.
        on_no_answer: Runs if the target can no longer test when it should answer.
        abilities: The abilities that fit the defence without a ruling.
    """

    attacker: Id
    target: Id
    check: Callable[[], None]
    is_shot: Callable[[], bool]
    before_dice: Callable[[], Rule[None]]
    on_hit: Callable[[Clause, Support], Rule[None]]
    on_no_answer: Callable[[], Rule[None]]
    abilities: tuple[str, ...] = blows.MELEE_ABILITIES


def cite_unanswered(table: Table, target: Id) -> Clause:
    """Return the clause by which a target is hit without a test: helpless or unaware (WYR-G03)."""
    if not is_active(table, target):
        return "WYR-G03"
    return "WYR-028" if UNAWARE.of(table, target) else ""


def defend(table: Table, threat: Threat, *, named: bool = False) -> Rule[None]:
    """Ask the target for its defence and test it; this costs no action (WYR-029).

    A weapon that is shot is empty afterwards, hit or miss: declared and not cancelled is fired (WYR-058).
    ``named`` is whether the game master has named a foe to roll like a player character.
    A target that is helpless or unaware before the dice have fallen is hit without a test.
    """
    attacker, target = threat.attacker, threat.target
    answer = yield from choice(partial(_build_defence_question, table, threat, named))
    if answer is None:
        unanswered = cite_unanswered(table, target)
        if unanswered:
            yield Go("defend", rules=(unanswered,))
            yield from threat.on_hit(unanswered, ALONE)
        else:
            yield from threat.on_no_answer()
        return
    stance, fields = answer.choice, answer.fields
    by = STANCES[stance][1]
    yield Go("defend", rules=(by,))
    yield from threat.before_dice()
    support = yield from pay_for_help(table, target, Support(str(fields.get("helper") or ""), bool(fields.get("push"))))
    if support.push:
        threat.check()
    name = str(fields.get("ability") or "")
    weapon = str(fields.get("weapon") or "")
    own: blows.Arms = partial(pieces.choose_riposte_weapons, table, target, weapon) if stance == "riposte" else tuple

    def own_dice() -> tuple[Dice, ...]:
        if stance != "guard":
            return pieces.list_weapon_dice(table, target, own())
        return pieces.list_armor_dice(table, target, shot=threat.is_shot())[0]

    cited = partial(_cite_defence, table, threat, stance)
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
            threat=attacker,
        )
    except Refused:
        if not is_helpless(table, target):
            raise
        yield from threat.on_hit("WYR-G03", ALONE)
        return
    yield from blows.use_up_ability(table, target, name, threat.abilities)
    if tested.succeeded:
        yield from _stay_unhurt(table, attacker, target, stance, own, tested)
    elif not (yield from blows.replace_by_consequence(table, target, "WYR-016")):
        yield from threat.on_hit("WYR-029", support)
    if stance == "riposte" and is_active(table, target) and is_active(table, attacker):
        yield from melee.engage(table, target, attacker, "WYR-030")


def _build_defence_question(table: Table, threat: Threat, named: bool) -> Ask | None:
    """Return the question to the target, if it may test (WYR-027)."""
    target = threat.target
    if cite_unanswered(table, target) or not (named or can_test(table, target)):
        return None
    return Ask(
        of=(target,),
        about="defence",
        options=_list_stances(table, threat),
        rules=("WYR-027", "WYR-028", "WYR-029"),
        refuses=partial(_must_be_stance, table, threat),
    )


def _cite_defence(table: Table, threat: Threat, stance: str) -> tuple[Clause, ...]:
    """Return the clauses for a guard against a shot, and for a hireling (WYR-T43)."""
    shot = stance == "guard" and threat.is_shot()
    return (*(("WYR-056", "WYR-T43") if shot else ()), *cite_hireling_test(table, threat.target))


def _stay_unhurt(
    table: Table, attacker: Id, target: Id, stance: str, own: blows.Arms, tested: AbilityTest
) -> Rule[None]:
    """Avoid the threat; a riposte engages the attacker and hits it (WYR-030)."""
    if stance == "riposte":
        yield from melee.engage(table, target, attacker, "WYR-030")
        yield from draw_thrown_weapons(table, target, tested.roll)
        several = blows.cite_several_weapons(tested.roll)
        yield from blows.land_blow(table, tested, own, target, attacker, "WYR-030", *several)
    else:
        yield from blows.note_multiple(table, tested, target, attacker)


def _list_stances(table: Table, threat: Threat) -> tuple[Option, ...]:
    """Return the target's options: a riposte needs reach, and a guard needs armor."""
    target = threat.target
    fit = tuple([one for one in ABILITIES if one in threat.abilities or ALLOWED.of(table, target, one)])
    support = list_helpers(table, target)
    options = [_make_stance("avoid", fit, support)]
    if melee.is_adjacent(table, target, threat.attacker):
        options.append(_make_stance("riposte", fit, support, pieces.list_riposte_choices(table, target)))
    if pieces.list_worn(table, target):
        options.append(_make_stance("guard", fit, support))
    return tuple(options)


@lru_cache(maxsize=1024)
def _make_stance(stance: str, fit: tuple[str, ...], support: tuple[Id, ...], arms: tuple[str, ...] = ()) -> Option:
    """Return one way to answer, with its fields.

    Cached, since the same combatants are asked again and again.
    """
    push = Field(name="push", kind="int", low=0, high=1, optional=True)
    named = {"ability": fit, "helper": support, "weapon": arms}
    ability, *others = [Field(name=name, kind="id", among=ids, optional=True) for name, ids in named.items() if ids]
    return Option(choice=stance, says=STANCES[stance][0], fields=(ability, push, *others))


def _must_be_stance(table: Table, threat: Threat, answer: Answered) -> None:
    """Refuse a forbidden answer: spent help, unfit weapons, no armor, no reach."""
    target = threat.target
    name = answer.fields.get("ability")
    if isinstance(name, str) and name in ABILITIES:
        blows.must_fit(table, target, name, threat.abilities, "WYR-029")
    helper = answer.fields.get("helper")
    if isinstance(helper, str) and helper in table.draft.combatants:
        must_be_able_to_help(table, target, helper)
    if answer.choice == "riposte":
        weapon = str(answer.fields.get("weapon") or "")
        pieces.choose_weapons(
            table, target, *pieces.parse_riposte_weapons(table, target, weapon), shot=False, rule="WYR-030"
        )
        melee.must_be_in_reach(table, target, threat.attacker, "WYR-030")
    elif answer.choice == "guard" and not pieces.list_worn(table, target):
        raise table.refuse(target, "wears nothing to stand guard with", "WYR-031", "no_armor")
