"""The tables of exact chances that the book of Verdigris shows."""

from collections.abc import Iterable
from fractions import Fraction

from affray.engine.kit.odds import (
    Chances,
    OddsTable,
    add_remaining_chance,
    add_texts,
    find_chance,
    find_chance_at_least,
    find_mean,
    label_numbers,
    make_chances,
    tabulate,
)

from .config import Config
from .odds import Pool, Target, damage, level, nerves, net, passes, sixes
from .tables import PACKAGE

LISTED = 2
"""The listed damage of the attack in the tables."""


def tables(config: Config) -> tuple[OddsTable, ...]:
    """Return the tables under a configuration."""
    usual = _dice((1, 2, 3, 4, 5, 6, 7, 8, 10))
    wins = Fraction(7 - config.initiative_target, 6)
    made = {
        "initiative": add_remaining_chance(("the party", "the enemies"), {"d6": (wins,)}),
        "hits": tabulate(
            label_numbers(range(7)), usual, lambda dice, dodge: find_chance_at_least(net(Pool(dice), dodge), 1)
        ),
        "damage": _damage(config),
        "strays": _strays(),
        "criticals": tabulate(
            {"as thrown": False, "pushed": True},
            _dice((4, 5, 6, 7, 8, 10, 12)),
            lambda dice, pushed: find_chance_at_least(level(Pool(dice), pushed=pushed), config.crit_sixes),
        ),
        "levels": add_remaining_chance(
            ("0", "1", "2", "3", "4 or more"),
            {case: [sixes(dice).get(one, Fraction(0)) for one in range(4)] for case, dice in usual.items()},
            map(find_mean, map(sixes, usual.values())),
        ),
        "single": tabulate({"1 success needed": 1, "2 needed": 2, "3 needed": 3}, usual, passes),
        "pushed": tabulate(
            {"as thrown": (0, False), "pushed": (0, True), "pushed with 2 stress": (2, True)},
            _dice((1, 2, 3, 4, 5, 6, 8)),
            lambda dice, how: find_chance_at_least(level(Pool(dice, how[0]), pushed=how[1]), 1),
        ),
        "nerves": _nerves(),
    }
    return add_texts(PACKAGE, config, made)


def _dice(counts: Iterable[int]) -> dict[str, int]:
    return {"1 die" if count == 1 else f"{count} dice": count for count in counts}


def _damage(config: Config) -> Chances:
    chances, means = {}, []
    for dice in (4, 6, 8):
        for dodge, withstand in ((2, 2), (3, 3), (3, 6)):
            done = damage(Pool(dice), Target(dodge, withstand), LISTED, config=config)
            missed = 1 - find_chance_at_least(net(Pool(dice), dodge), 1)
            hurt, badly, worse = (find_chance_at_least(done, least) for least in (1, 3, 5))
            chances[f"{dice} dice against Dodge {dodge}, Withstand {withstand}"] = (
                missed, 1 - missed - hurt, hurt - badly, badly - worse, worse,
            )  # fmt: skip
            means.append(find_mean(done))
    return make_chances(("missed", "all saved", "1–2", "3–4", "5 or more"), chances, means)


def _strays() -> Chances:
    chances = {}
    for case, dice in _dice((2, 4, 6, 8)).items():
        for dodge in (1, 3):
            by = net(Pool(dice), dodge)
            chances[f"{case} against Dodge {dodge}"] = (find_chance_at_least(by, 1), by.get(0, Fraction(0)))
    return add_remaining_chance(("the target", "somebody else", "nobody"), chances)


def _nerves() -> Chances:
    chances = {}
    for panic in (2, 4):
        for stress in (1, 2, 3, 5):
            ones = nerves(stress, pushed=False)
            held = sum((weight * passes(panic, one) for (_, one), weight in ones.items() if one), Fraction(0))
            chances[f"{stress} stress, Panic {panic}"] = (find_chance(ones, lambda one: not one[1]), held)
    return add_remaining_chance(("no ones", "the save holds", "panic"), chances)
