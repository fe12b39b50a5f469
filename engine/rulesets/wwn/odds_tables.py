"""The tables of exact chances that the book of Worlds Without Number shows."""

from __future__ import annotations

from fractions import Fraction

from affray.engine.kit.odds import (
    Chances,
    OddsTable,
    add_remaining_chance,
    add_texts,
    combine,
    find_mean,
    format_signed,
    label_numbers,
    split_by_outcome,
    tabulate,
    tabulate_at_least,
)

from .config import Config
from .odds import Weapon, attack_outcome, check, damage, first, hits, instinct, morale, opposed_check
from .tables import PACKAGE

WEAPONS = {
    "1d4": Weapon(1, 4),
    "1d6": Weapon(1, 6),
    "1d6 + 2": Weapon(1, 6, 2),
    "1d8": Weapon(1, 8),
    "1d8 + 1": Weapon(1, 8, 1),
    "1d8 + 3, as with two weapons": Weapon(1, 8, 3),
    "1d10": Weapon(1, 10),
    "1d12": Weapon(1, 12),
    "2d8": Weapon(2, 8),
}
CIRCUMSTANCES = {
    "+2: at the fallen, near by": 2,
    "none": 0,
    "−1: two weapons, untrained rider": -1,
    "−2: untrained, half cover, far off, at the fallen from afar": -2,
    "−4: from the ground, near-complete cover, a snap, a throw in melee": -4,
    "−6: a snap at half cover": -6,
}
SUCCESS = ("succeeds", "fails")


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Return the tables under a configuration."""

    def lands(bonus: int, ac: int) -> Fraction:
        return hits(bonus, ac, config)

    made = {
        "initiative": tabulate(
            {"a usual group": 0, "a quick one": config.quick_bonus},
            {f"modifier {format_signed(one, '0')}": one for one in range(-2, 4)},
            first,
        ),
        "hits": tabulate(
            label_numbers(range(10, 21)),
            {f"attack {format_signed(one, '0')}": one for one in (-2, 0, 2, 4, 6, 8, 10)},
            lands,
        ),
        "circumstances": tabulate(label_numbers((6, 11, 16), "needs {} without it"), CIRCUMSTANCES, lands),
        "damage": tabulate_at_least(
            label_numbers((1, 3, 5, 7, 9, 12), "{}+"),
            {case: damage(weapon, None, config) for case, weapon in WEAPONS.items()},
        ),
        "shock": _shock(config),
        "morale": add_remaining_chance(
            ("holds", "breaks"), {f"score {score}": (morale(score),) for score in range(5, 13)}
        ),
        "instinct": add_remaining_chance(
            ("keeps it", "follows its instinct"), {f"score {score}": (instinct(score),) for score in range(2, 10)}
        ),
        "checks": add_remaining_chance(
            SUCCESS,
            {f"check {format_signed(one, '0')}": (check(one, config.skill_difficulty),) for one in range(-2, 5)},
        ),
        "opposed": add_remaining_chance(
            SUCCESS, {format_signed(ahead, "equal"): (opposed_check(ahead, config),) for ahead in range(-3, 5)}
        ),
    }
    return add_texts(PACKAGE, config, made)


def _shock(config: Config) -> Chances:
    arms = {
        "dagger 1d4 + 1, Shock 2/15": Weapon(1, 4, 1, 2, 15),
        "spear 1d6 + 1, Shock 3/13": Weapon(1, 6, 1, 3, 13),
        "great sword 1d12 + 1, Shock 3/15": Weapon(1, 12, 1, 3, 15),
    }
    done = {
        f"{case}, at AC {ac}": attack_outcome(3, ac, weapon, config)
        for case, weapon in arms.items()
        for ac in (11, 13, 15, 17)
    }
    return split_by_outcome(
        {"a hit": "hit", "Shock on a miss": "shock", "nothing": "miss"},
        {case: combine(lambda one: one[0], part) for case, part in done.items()},
        [find_mean(combine(lambda one: one[1], part)) for part in done.values()],
    )
