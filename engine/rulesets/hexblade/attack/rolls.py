"""Attack, answer and evade rolls: levels of advantage, and comparing two rolls."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.changes import set_item_counter
from affray.engine.core.effects import Ask, Roll, Rule, choice, throw
from affray.engine.core.state import Item
from affray.engine.kit.modifiers import list_granted, use_up_granted
from affray.engine.kit.rulings.verdicts import (
    MISS,
    ON_ATTACKS,
    decide_attack,
    is_under_verdict,
    use_up_verdicts,
)
from affray.engine.kit.sheets import is_pc
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.gear import (
    damage_item,
    find_melee_weapon,
    has_no_best,
    is_broken,
    is_just_drawn,
    list_in_hand,
    list_melee_weapons,
    list_weapon_modifiers,
    single_out,
)
from affray.engine.rulesets.hexblade.marks import WIELDED
from affray.engine.rulesets.hexblade.movement.positions import Levels, list_cover_levels, list_position_levels
from affray.engine.rulesets.hexblade.sheet import can_fight_back, list_modifiers
from affray.engine.rulesets.hexblade.tables import conditions
from affray.events import Clause, Dice, Event, Field, Id, Judged, Modifier, Option, Rolled

HINDRANCES: dict[str, tuple[int, Clause]] = {
    key: (one.disadvantage, one.rule) for key, one in conditions().items() if one.disadvantage
}
"""The conditions that hinder the bearer's attack and evade rolls, with levels and clause (HEX-G01, HEX-G04)."""

PLAIN: dict[str, tuple[Dice, ...]] = {}
"""One d20 of each kind, made once."""


def make_d20s(levels: Levels, kind: str) -> tuple[Dice, ...]:
    """Return one d20, and one more for each level that remains after cancelling (HEX-T05)."""
    net = sum(level.value for level in levels) if levels else 0
    if net:
        return (Dice(count=1 + abs(net), sides=20, kind=kind, keep="highest" if net > 0 else "lowest"),)
    plain = PLAIN.get(kind)
    if plain is None:
        plain = PLAIN[kind] = (Dice(count=1, sides=20, kind=kind),)
    return plain


def build_d20_roll(
    table: Table,
    who: Id,
    purpose: str,
    kind: str,
    levels: Levels,
    terms: tuple[Modifier, ...],
    *rules: Clause,
    against: int | None = None,
) -> Roll:
    """Return a test: d20s by the levels, the game master's modifiers, and the terms (HEX-T02)."""
    situation = list_granted(table, who, "HEX-T05")
    if situation:
        levels = (*levels, *situation)
    if levels:
        rules = (*rules, "HEX-T05")
    return Roll(
        dice=make_d20s(levels, kind),
        purpose=purpose,
        by=who,
        pool=levels,
        modifiers=terms,
        against=against,
        rules=rules,
    )


def throw_test(table: Table, find_roll: Callable[[], Roll | None]) -> Rule[Rolled | None]:
    """Roll a test that is read from the table, and use up modifiers that were granted.

    Returns nothing if no test is made.
    """
    roll = yield from throw(find_roll)
    if roll is not None and roll.pool:
        yield from use_up_granted(table, roll.by)
    return roll


def list_hindrances(table: Table, who: Id) -> Levels:
    """Return the hindrances of a combatant's attack and evade rolls: prone, blinded (HEX-G01)."""
    borne = table[who].conditions
    if not borne:
        return ()
    return tuple(
        [
            Modifier(value=-levels, label=key, source=f"{who}.{key}", rule=rule)
            for key, (levels, rule) in HINDRANCES.items()
            if key in borne
        ]
    )


def list_attack_levels(table: Table, who: Id, victim: Id, *, counter: bool = False) -> Levels:
    """Return the levels of an attack roll: the roller's state, the victim's position."""
    if counter and not table.config.positional_advantage_on_counter_roll:
        return list_hindrances(table, who)
    return (*list_hindrances(table, who), *list_position_levels(table, who, victim))


def cite_both_positions(levels: Levels) -> tuple[Clause, ...]:
    """Return the clause by which flanking and overrun both count, if they do (HEX-077)."""
    labels = {level.label for level in levels}
    return ("HEX-077",) if {"flanking", "overrun"} <= labels else ()


CRITICAL = 20
"""The natural roll that wins against any other (HEX-034)."""

FUMBLE = 1
"""The natural roll that wears the weapon (HEX-038)."""


class Swing(Struct, frozen=True, gc=False):
    """One side's roll in an exchange.

    Attributes:
        weapon: The weapon of the roll; empty for an evade.
        roll: The roll's id; empty if the combatant could not roll.
        total, face: Its total, and the face that counted.
        worn: Whether the weapon was already damaged at that moment (HEX-042).
    """

    who: Id
    weapon: Id
    roll: Id = ""
    total: int = 0
    face: int = 0
    worn: bool = False

    @property
    def is_critical(self) -> bool:
        """Return whether the roll is a critical (HEX-T07)."""
        return self.face == CRITICAL


def record_swing(table: Table, who: Id, weapon: Id, roll: Rolled | None) -> Swing:
    """Keep what an exchange needs of a roll, or of a missing roll (HEX-T06, HEX-T29)."""
    if roll is None:
        return Swing(who, weapon)
    worn = bool(weapon and table.item(weapon).counters.get("damaged"))
    return Swing(who, weapon, roll.roll, roll.total, roll.dice[0].counted[0], worn)


def give_no_levels(_: Item) -> Levels:
    """Return no levels for a weapon."""
    return ()


def roll_attack(
    table: Table,
    who: Id,
    victim: Id,
    weapon: Callable[[], Item],
    *rules: Clause,
    extra: Callable[[Item], Levels] = give_no_levels,
    answered: Swing | None = None,
) -> Rule[Swing]:
    """Roll an attack or its answer, with the weapon for it and its levels (HEX-T09)."""
    used: list[Item] = []
    purpose, against = ("answer", answered.total) if answered else ("attack", None)

    def find_roll() -> Roll | None:
        item = weapon()
        used[:] = [item]
        if answered and not can_fight_back(table, who):
            return None
        levels = (*list_attack_levels(table, who, victim, counter=answered is not None), *extra(item))
        better: tuple[Clause, ...] = ("HEX-019",) if item.traits[0] == "either" else ()
        clauses = (*rules, "HEX-T09", *better, *cite_bare_hands(table, who, item), *cite_both_positions(levels))
        terms = list_weapon_modifiers(table, who, item)
        return build_d20_roll(table, who, purpose, "attack", levels, terms, *clauses, against=against)

    roll = yield from throw_test(table, find_roll)
    if WIELDED.of(table, who) != used[0].id and len(list_melee_weapons(table, who)) > 1 and "melee" in used[0].traits:
        yield WIELDED.set_on(who, used[0].id, "HEX-020")
    return record_swing(table, who, used[0].id, roll)


def roll_answer(
    table: Table, first: Swing, who: Id, *rules: Clause, extra: Callable[[Item], Levels] = give_no_levels
) -> Rule[Swing]:
    """Roll the answer to an attack, with the weapon in hand, at no cost (HEX-017, HEX-020)."""
    weapon = partial(find_melee_weapon, table, who)
    answer = yield from choice(partial(_build_weapon_question, table, who))
    if answer is not None:
        yield WIELDED.set_on(who, str(answer.fields["item"]), "HEX-020")
    return (yield from roll_attack(table, who, first.who, weapon, *rules, extra=extra, answered=first))


def _build_weapon_question(table: Table, who: Id) -> Ask | None:
    """Return the question which weapon answers, or nothing.

    It is asked if neither of two was used yet, and neither is better in both bonus and die.
    """
    if who not in table.draft.combatants or not can_fight_back(table, who):
        return None
    fit = [one for one in list_melee_weapons(table, who) if not is_just_drawn(table, one.id)]
    ids = tuple(one.id for one in fit)
    if len(fit) < 2 or WIELDED.of(table, who) in ids or not has_no_best(table, who, fit):
        return None
    item = Field(name="item", kind="id", among=ids)
    answers = Option(choice="with", says="answers with it", fields=(item,))
    return Ask(of=(who,), about="answers_with", options=(answers,), rules=("HEX-020",))


def cite_bare_hands(table: Table, who: Id, item: Item) -> tuple[Clause, ...]:
    """Return the clause that counts a broken or ranged weapon as bare hands (HEX-T40)."""
    return (
        ("HEX-T40",)
        if "natural" in item.traits and any(one.kind == "weapon" for one in list_in_hand(table, who))
        else ()
    )


def roll_evade(
    table: Table, by: Id, who: Id, against: Callable[[], int], *rules: Clause, extra: Levels = ()
) -> Rule[Swing]:
    """Roll to evade an attack, with the cover in between (HEX-T11)."""

    def find_roll() -> Roll | None:
        if not can_fight_back(table, who):
            return None
        cover, clauses = list_cover_levels(table, by, who)
        levels = (*list_hindrances(table, who), *cover, *extra)
        terms = list_modifiers(table, who, "evade", "HEX-T11")
        return build_d20_roll(
            table, who, "evade", "evade", levels, terms, *rules, "HEX-T11", *clauses, against=against()
        )

    roll = yield from throw_test(table, find_roll)
    return record_swing(table, who, "", roll)


def find_lead(one: Swing, other: Swing) -> int:
    """Return the lead of one roll over another: above 0 it wins, 0 is a tie (HEX-034).

    A critical beats any other roll (HEX-034), and any roll beats a combatant who could not roll (HEX-017).
    """
    if not other.roll or one.is_critical != other.is_critical:
        return 1 if not other.roll or one.is_critical else -1
    return one.total - other.total


def judge_swings(first: Swing, second: Swing, outcome: str, *rules: Clause) -> Judged:
    """Return the judgement of the first of two rolls."""
    if second.roll and first.is_critical != second.is_critical:
        rules = (*rules, "HEX-034", "HEX-T06", "HEX-T07")
    elif not second.roll:
        rules = (*rules, "HEX-017", "HEX-G03")
    margin = first.total - second.total if second.roll else 0
    return Judged(roll=first.roll, outcome=outcome, margin=margin, rules=rules)


def decide_swing(table: Table, swing: Swing, lands: bool) -> tuple[bool, bool]:
    """Return whether a blow lands and is critical, by its roll or by a verdict."""
    return decide_attack(table, swing.who, lands, swing.is_critical)


def cite(judged: Judged, rule: Clause) -> Judged:
    """Return a judgement that cites one more clause, once."""
    return judged if rule in judged.rules else replace(judged, rules=(*judged.rules, rule))


def apply_late_miss(table: Table, swing: Swing, landed: bool) -> Iterable[Event]:
    """Turn a blow into a miss by a late verdict, and use the verdicts up."""
    spent = use_up_verdicts(table, swing.who, ON_ATTACKS, "HEX-T53")
    if landed and swing.roll and is_under_verdict(table, swing.who, MISS):
        return Judged(roll=swing.roll, outcome="miss", rolled="hit", rules=("HEX-T53",)), *spent
    return spent


SUCCEEDS = ("success", "failure")
"""The outcomes of most tests."""


def fumble(table: Table, *swings: Swing) -> Rule[None]:
    """Wear the weapon of each natural 1; a damaged one breaks (HEX-038, HEX-042, HEX-T08)."""
    everybody = table.config.nat1_applies_to == "everybody"
    for one in swings:
        if one.face != FUMBLE or not one.weapon or one.who not in table.draft.combatants:
            continue
        weapon = table.item(one.weapon)
        if "natural" in weapon.traits or not (everybody or is_pc(table, one.who)):
            continue
        if one.worn and not is_broken(weapon):
            piece = yield from single_out(table, weapon.id, "HEX-042")
            yield set_item_counter(table, piece, "broken", 1, "HEX-042", "HEX-T08", "HEX-T19", "HEX-T29")
        elif not one.worn:
            piece = yield from single_out(table, weapon.id, "HEX-038")
            yield from damage_item(table, piece, "HEX-038", "HEX-T08")
