"""Attempts that the game master judges: the offer, free attacks before it, the test, its result."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal

from msgspec.structs import replace

from affray.engine.core.actions import Action
from affray.engine.core.effects import Ask, Go, Interrupted, Roll, Rule, choice
from affray.engine.errors import Refused
from affray.engine.kit.rulings.verdicts import judge_test
from affray.engine.rulesets.hexblade.attack import rolls
from affray.engine.rulesets.hexblade.attack.melee import Attack
from affray.engine.rulesets.hexblade.attack.shots import Shoot
from affray.engine.rulesets.hexblade.chapters.effects import apply_consequence
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.gear import find_melee_weapon, is_ranged, list_in_hand, list_weapon_modifiers
from affray.engine.rulesets.hexblade.movement.positions import Levels, is_in_reach
from affray.engine.rulesets.hexblade.sheet import SHORT, SKILLS, can_fight_back, list_modifiers, must_be_active
from affray.engine.rulesets.hexblade.tables import difficulties
from affray.engine.rulesets.hexblade.turns.order import is_in_phase, must_be_in_fight, spend
from affray.events import Answered, Clause, Field, Id, Judged, Modifier, Option, Scalar

WEAPON = "weapon"

TESTS = (*SHORT, *SKILLS, WEAPON)
"""The tests that can be offered: an attribute, a skill with its attribute, or the weapon in hand."""

MOST_LEVELS = 9

MOST_DC = 40

ACCEPT = (
    Option(choice="accept", says="makes the test"),
    Option(choice="withdraw", says="lets it be and keeps the action"),
)


def attempt(
    table: Table,
    actor: Id,
    target: Id,
    *rules: Clause,
    cost: Literal["if_tried", "unless_withdrawn"] = "if_tried",
    tie_wins: bool = False,
    item: Id = "",
) -> Rule[None]:
    """Let the game master offer a test, the player accept it, and its effect happen (HEX-047).

    Args:
        target: The opponent, if any.
        rules: The clauses of the attempt.
        cost: Whether the action is paid only if it is tested or allowed, or also if the game master refuses.
        tie_wins: Whether a tie is enough.
        item: The item that is used, and may be used up.
    """
    offer = yield from _settle_offer(table, actor, target, rules)
    if offer.choice == "refuse":
        if cost == "unless_withdrawn":
            yield from spend(table, actor, "standard", *rules)
        return
    if offer.choice == "test":
        asked = Ask(of=(actor,), about="accept", options=ACCEPT, rules=("HEX-047",))
        if (yield from choice(lambda: asked)).choice == "withdraw":
            return
    yield Go("test" if offer.choice == "test" else "no_test", rules=("HEX-047",))
    yield from spend(table, actor, "standard", *rules)
    if offer.choice == "test":
        success = yield from _make_test(table, actor, target, offer.fields, tie_wins)
        if not success:
            return
    yield from apply_consequence(table, "effect", item, (*rules, "HEX-048"))


def check_attempt(table: Table, actor: Id, action: Action, manner: str) -> None:
    """Refuse an attempt that is no longer possible.

    Until it is settled, it must still be declarable in this manner.
    While the test is rolled, both its sides must still be there.
    """
    offered = is_in_phase(table, "ruling")
    if not offered and not is_in_phase(table, "exchange"):
        return
    if not offered:
        must_be_active(table, actor)
    for target in action.targets():
        must_be_in_fight(table, target, "HEX-046")
    if offered:
        action.check(table, actor, manner)


def _settle_offer(table: Table, actor: Id, target: Id, rules: tuple[Clause, ...]) -> Rule[Answered]:
    """Ask the game master how to proceed; free attacks come in between."""
    while True:
        answer = yield from choice(partial(_build_offer_question, table, target, rules))
        if answer.choice != "free_attack":
            return answer
        yield from make_free_attack(table, str(answer.fields["by"]))


def _build_offer_question(table: Table, target: Id, rules: tuple[Clause, ...]) -> Ask:
    refuses = partial(_check_answer, table)
    return Ask(
        of=("gm",), about="test", options=_list_options(table, target), rules=("HEX-047", *rules), refuses=refuses
    )


def _check_answer(table: Table, answer: Answered) -> None:
    """Refuse a free attack by a combatant that cannot act, or has no target."""
    by = answer.fields.get("by")
    if answer.choice == "free_attack" and by in table.draft.combatants:
        must_be_active(table, str(by))
        if by not in list_attackers(table):
            raise table.refuse(str(by), "has nobody to strike or shoot at", "HEX-016")


def _list_options(table: Table, target: Id) -> tuple[Option, ...]:
    fighters = list_attackers(table)
    fields = [
        Field(name="roll", kind="id", among=TESTS),
        Field(name="dc", kind="int", low=1, high=MOST_DC, optional=True),
        *_build_level_fields(""),
    ]
    if target:
        fields += [Field(name="against", kind="id", among=TESTS, optional=True), *_build_level_fields("against_")]
    by = Field(name="by", kind="id", among=fighters)
    ways = (
        Option(choice="test", says="it takes a test, against a number or an opponent's", fields=tuple(fields)),
        Option(choice="effect", says="it succeeds without a test"),
        Option(choice="refuse", says="it cannot be done"),
    )
    free = Option(choice="free_attack", says="somebody has a free attack first", fields=(by,))
    return (*ways, free) if fighters else ways


def _build_level_fields(prefix: str) -> tuple[Field, ...]:
    return tuple(
        Field(name=f"{prefix}{way}", kind="int", high=MOST_LEVELS, optional=True)
        for way in ("advantage", "disadvantage")
    )


def _make_test(table: Table, actor: Id, target: Id, fields: Mapping[str, Scalar], tie_wins: bool) -> Rule[bool]:
    """Roll the offered test; return whether it succeeds (HEX-T03, HEX-T04, HEX-T32)."""
    against = fields.get("against")
    first = yield from _roll_first(table, actor, str(fields["roll"]), target, _read_levels(fields, ""))
    if against:
        extra = _read_levels(fields, "against_")
        second = yield from _roll_second(table, first, target, str(against), extra)
        margin = rolls.find_lead(first, second)
        success = margin > 0 or (margin == 0 and tie_wins)
    else:
        second = rolls.Swing("", "")
        number = int(fields.get("dc") or difficulties()["standard"])
        margin = first.total - number
        success = margin >= 0
    outcome = rolls.SUCCEEDS[not success]
    if against:
        tie: tuple[Clause, ...] = ("HEX-T32",) if margin == 0 else ()
        judged = rolls.judge_swings(first, second, outcome, "HEX-047", "HEX-T04", *tie)
    else:
        judged = Judged(roll=first.roll, outcome=outcome, margin=margin, rules=("HEX-047", "HEX-T03"))
    success = yield from judge_test(table, actor, judged, success, rolls.SUCCEEDS, "HEX-T53")
    yield Go("no_blow", rules=("HEX-047",))
    yield from rolls.fumble(table, *(one for one in (first, second) if one.face == rolls.FUMBLE))
    yield Go("settled")
    return success


def _read_levels(fields: Mapping[str, Scalar], prefix: str) -> Levels:
    """Return the levels that the game master gave to one side's roll."""
    signs = ((1, "advantage"), (-1, "disadvantage"))
    return tuple(
        Modifier(value=sign * int(levels), label=way, source="gm", rule="HEX-047")
        for sign, way in signs
        if (levels := fields.get(prefix + way))
    )


def _roll_first(table: Table, who: Id, test: str, victim: Id, extra: Levels) -> Rule[rolls.Swing]:
    """Roll the initiator's test (HEX-T10)."""
    if test == WEAPON and victim:
        weapon = partial(find_melee_weapon, table, who)
        return (yield from rolls.roll_attack(table, who, victim, weapon, "HEX-047", "HEX-T10", extra=lambda _: extra))
    return (yield from roll_plain(table, who, test, "test", "HEX-047", extra))


def _roll_second(table: Table, first: rolls.Swing, who: Id, test: str, extra: Levels) -> Rule[rolls.Swing]:
    """Roll the opponent's test; a combatant that cannot fight back makes none."""
    if test == "evade":
        return (yield from rolls.roll_evade(table, first.who, who, lambda: first.total, "HEX-047", extra=extra))
    if test == WEAPON:
        return (yield from rolls.roll_answer(table, first, who, "HEX-047", "HEX-T10", extra=lambda _: extra))
    return (yield from roll_plain(table, who, test, "answer", "HEX-047", extra, first))


def roll_plain(
    table: Table,
    who: Id,
    test: str,
    purpose: str,
    rule: Clause,
    extra: Levels = (),
    first: rolls.Swing | None = None,
) -> Rule[rolls.Swing]:
    """Roll a test with an attribute, a skill or a weapon.

    Only an attack and an evade can be critical.
    """
    attacks = test in (WEAPON, "evade")

    def find_roll() -> Roll | None:
        if first is not None and not can_fight_back(table, who):
            return None
        terms = (
            list_weapon_modifiers(table, who, find_melee_weapon(table, who))
            if test == WEAPON
            else list_modifiers(table, who, test, "HEX-T01")
        )
        levels = (*(rolls.list_hindrances(table, who) if attacks else ()), *extra)
        against = first.total if first is not None else None
        with_what = ("HEX-T10",) if test == WEAPON else ()
        return rolls.build_d20_roll(
            table, who, purpose, "test", levels, terms, rule, "HEX-T02", *with_what, against=against
        )

    roll = yield from rolls.throw_test(table, find_roll)
    made = rolls.record_swing(table, who, find_melee_weapon(table, who).id if test == WEAPON else "", roll)
    return made if attacks else replace(made, face=0)


WAYS: dict[str, type[Attack] | type[Shoot]] = {"strike": Attack, "shoot": Shoot}
"""The kinds of a free attack."""

SAYS = {"strike": "strikes at somebody", "shoot": "shoots or throws at somebody"}

LET_BE = Option(choice="none", says="lets it be after all")


def list_attackers(table: Table) -> tuple[Id, ...]:
    """Return the combatants that could strike or shoot at a target now."""
    return tuple(who for who in table.draft.combatants if any(_list_victims(table, who, way) for way in WAYS))


def make_free_attack(table: Table, by: Id) -> Rule[None]:
    """Ask for the target of a free attack, and let it come first (HEX-T27)."""
    answer = yield from choice(partial(_build_victim_question, table, by))
    if answer is not None and answer.choice != "none":
        blow = WAYS[answer.choice](target=str(answer.fields["on"]))
        yield Interrupted(by=((by, blow),), manner="free", rules=("HEX-T27", "HEX-010"))


def _build_victim_question(table: Table, by: Id) -> Ask | None:
    """Return the question for the target, as long as there is one."""
    near = {way: tuple(_list_victims(table, by, way)) for way in WAYS}
    on = {way: (Field(name="on", kind="id", among=victims),) for way, victims in near.items() if victims}
    if not on:
        return None
    options = (*(Option(choice=way, says=SAYS[way], fields=fields) for way, fields in on.items()), LET_BE)
    refuses = partial(_check_victim, table, by)
    return Ask(of=("gm",), about=f"free_attack:{by}", options=options, rules=("HEX-T27", "HEX-010"), refuses=refuses)


def _check_victim(table: Table, by: Id, answer: Answered) -> None:
    """Refuse a free attack for the reasons of any attack: missiles, reach, sight."""
    on = answer.fields.get("on")
    if answer.choice in WAYS and isinstance(on, str):
        WAYS[answer.choice](target=on).check(table, by, "free")


def _list_victims(table: Table, by: Id, way: str) -> list[Id]:
    """Return the targets within reach; concealed ones only for a concealed attacker."""
    combatants = table.draft.combatants
    people = [one for one in (table.list_known(combatants) if table.is_known(by) else combatants) if one != by]
    if way == "shoot":
        near = people if any(is_ranged(item) for item in list_in_hand(table, by)) else []
    else:
        near = [one for one in people if is_in_reach(table, by, one, "HEX-016")]
    return [one for one in near if _is_possible(table, by, WAYS[way](target=one))]


def _is_possible(table: Table, by: Id, blow: Attack | Shoot) -> bool:
    try:
        blow.check(table, by, "free")
    except Refused:
        return False
    return True
