"""The tables of exact chances in the book of Wyrd, for dice that are common at a table."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

from affray.engine.kit.odds import (
    Chances,
    Distribution,
    OddsTable,
    add_remaining_chance,
    add_texts,
    combine,
    die,
    find_chance_at_least,
    label_numbers,
    make_chances,
    split_by_outcome,
    tabulate,
    tabulate_at_least,
    take_highest,
)

from .attack.testing import SETBACK
from .chapters.morale import HOLDS_FROM
from .config import Config
from .odds import (
    HIT,
    HURT,
    ExchangeResult,
    Fighter,
    HitEffect,
    armor_against_shot,
    band_chances,
    blow_effects,
    exchange_results,
    hit_effects,
    shot_results,
    success_chance,
)
from .sheet import hinder_size, list_sizes
from .tables import PACKAGE

Dice = tuple[int, ...]

BANDS = {"1–3": "failure", "4–5": "setback", "6 or more": "success", "6++": "multiple success"}

TESTS: tuple[Dice, ...] = (
    (4,), (6,), (8,), (10,), (12,),
    (4, 6), (6, 6), (6, 8), (6, 10), (8, 8), (8, 10), (10, 12), (6, 6, 6), (8, 8, 6),
)  # fmt: skip

ARMOR: tuple[Dice, ...] = ((4,), (6,), (8,), (4, 4), (6, 4), (6, 4, 4), (8, 6, 4))

WEAPONS: tuple[Dice, ...] = ((6,), (8,), (10,), (12,), (6, 4), (6, 6), (8, 6))

TARGETS: tuple[tuple[Dice, int], ...] = (((), 6), ((4,), 6), ((6, 4), 8))
"""The armor dice, and the size of Power, of each target."""

ABILITIES = (4, 6, 8, 10, 12)
"""The sizes of an ability that is not injured."""

ORC = Fighter(6, (8,), (6,), 6)

FIGHTERS = {
    "d6 with a d6, leathers d4": Fighter(6, (6,), (4,), 6),
    "d6 with a d10, leathers d4": Fighter(6, (10,), (4,), 6),
    "d8 with a d8, maille d6": Fighter(8, (8,), (6,), 8),
    "d8 with two d6, leathers d4": Fighter(8, (6, 6), (4,), 8),
    "d8 with a d8, maille and shield d6": Fighter(8, (8,), (6, 6), 8),
    "d10 with a d12, plate d8 and helmet d4": Fighter(10, (12,), (8, 4), 10),
}

OUT = ("debilitating", "severe", "mortal")
"""The wounds that take a combatant out."""

WOUNDS = ("incidental", *OUT)


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Build the tables for a configuration."""
    chain = list_sizes(config.chain, config.chain_top)
    made = {
        "surprise": make_chances(
            ("the party, on 1", "nobody", "the others, on 6"),
            {"d6": (Fraction(1, 6), Fraction(4, 6), Fraction(1, 6))},
        ),
        "tests": split_by_outcome(BANDS, {_name_dice(dice): band_chances(dice, config) for dice in TESTS}),
        "exchanges": _exchange_chances(config),
        "blows": _blow_chances(config),
        "armor": tabulate_at_least(
            label_numbers((1, 2, 3, 4, 5, 6, 8)), {_name_dice(dice): take_highest(*map(die, dice)) for dice in ARMOR}
        ),
        "power": split_by_outcome(
            {wound: wound for wound in WOUNDS},
            {
                f"d{sides}, {remaining} left": combine(lambda one: one.wound, hit_effects(remaining, (), sides, config))
                for sides in (2, 4, 6, 8, 10)
                for remaining in (1, 2, 3, 5)
            },
        ),
        "faces": tabulate_at_least(
            label_numbers((1, 2, 3, 4, 6, 8), "{}+"),
            {_name_dice(dice): take_highest(*map(die, dice)) for dice in WEAPONS},
        ),
        "wear": add_remaining_chance(
            ("a 1: one size smaller", "it holds"),
            {f"d{size}": (Fraction(1, size),) for size in chain},
            map(Fraction, accumulate(chain)),
        ),
        "shots": _shot_chances(config),
        "melee": tabulate(
            {"in the open": 0, "into a melee": 1},
            {_name_dice(dice): dice for dice in ((6, 6), (6, 8), (8, 6), (8, 8), (10, 8), (12, 12))},
            lambda dice, hindrance: success_chance((hinder_size(config, dice[0], hindrance), dice[1]), config),
        ),
        "pierced": _pierce_chances(config),
        "morale": add_remaining_chance(
            ("they hold", "they parley or flee"),
            {f"Will d{sides}": (find_chance_at_least(die(sides), HOLDS_FROM),) for sides in ABILITIES},
        ),
        "again": tabulate(
            {"as it falls": False, "a 1 thrown again": True},
            {f"d{sides}": sides for sides in ABILITIES},
            lambda sides, again: find_chance_at_least(die(sides), SETBACK) * (1 + Fraction(again, sides)),
        ),
    }
    return add_texts(PACKAGE, config, made)


def _name_dice(dice: Dice) -> str:
    return " + ".join(f"d{one}" for one in dice)


def _fate(one: HitEffect) -> str:
    return "out" if one.wound in OUT else one.wound


def _exchange_chances(config: Config) -> Chances:
    def name_result(one: ExchangeResult) -> tuple[str, str]:
        return (one.who, _fate(one.struck)) if one.struck.wound else ("", "")

    return split_by_outcome(
        {
            "orc out": (HIT, "out"),
            "orc wounded": (HIT, "incidental"),
            "nobody hurt": ("", ""),
            "you wounded": (HURT, "incidental"),
            "you out": (HURT, "out"),
        },
        {case: combine(name_result, exchange_results(own, ORC, (), config)) for case, own in FIGHTERS.items()},
    )


def _blow_chances(config: Config) -> Chances:
    return split_by_outcome(
        {"nothing left": "", "incidental": "incidental", "out": "out"},
        {
            f"d{weapon} against {_name_dice(armor) or 'no armour'}, Power d{power}": combine(
                _fate, blow_effects((weapon,), armor, power, config)
            )
            for weapon in (6, 8, 12)
            for armor, power in TARGETS
        },
    )


def _shot_chances(config: Config) -> Chances:
    def name_results(ability: int, weapon: int, armor: Dice) -> Distribution[tuple[str, str]]:
        shooter, target = ORC._replace(ability=ability, weapons=(weapon,)), ORC._replace(armor=armor)
        return combine(lambda one: (one.who, _fate(one.struck)), shot_results(shooter, target, 0, config))

    return split_by_outcome(
        {"missed": ("", ""), "armour holds": (HIT, ""), "incidental": (HIT, "incidental"), "out": (HIT, "out")},
        {
            f"{_name_dice((ability, weapon))} at {_name_dice(armor)}": name_results(ability, weapon, armor)
            for ability, weapon in ((6, 6), (6, 8), (8, 8), (8, 10), (10, 12))
            for armor in ((4,), (6, 4))
        },
    )


def _pierce_chances(config: Config) -> Chances:
    def find_pierce_chance(armor: Dice, damage: int) -> Fraction:
        return 1 - find_chance_at_least(take_highest(*map(die, armor)), damage)

    return make_chances(
        ("by a blow, or arrowproof", "by a shot"),
        {
            f"{_name_dice(armor)}, {damage} damage": (
                find_pierce_chance(armor, damage),
                find_pierce_chance(armor_against_shot(armor, config), damage),
            )
            for armor in ((4,), (6,), (6, 4), (8, 6, 4))
            for damage in (2, 4)
        },
    )
