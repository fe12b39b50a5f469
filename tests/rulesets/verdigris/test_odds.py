"""The exact chances of Verdigris, and the tables of its book, against sums written down here from the page."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import pytest

from affray.engine.kit.odds import OddsTable
from affray.engine.rulesets.verdigris import odds
from affray.engine.rulesets.verdigris.config import Config
from affray.engine.rulesets.verdigris.odds import DEFAULT, Pool, Target
from affray.engine.rulesets.verdigris.odds_tables import tables

SIX, AGAIN = Fraction(1, 6), Fraction(1, 6) + Fraction(4, 6) * Fraction(1, 6)
"""The chance of a six, and that of one at once or in a push of what was neither one nor six (VER-S07)."""

SMALL = (1, 2, 3, 4, 5, 6, 7, 8, 10)
TABLES = {table.title: table for table in tables(DEFAULT)}
Spread = dict[int, Fraction]


def binomial(dice: int, chance: Fraction = SIX) -> Spread:
    """Return the chances of each number of successes among dice."""
    return {hits: comb(dice, hits) * chance**hits * (1 - chance) ** (dice - hits) for hits in range(dice + 1)}


def find_success_chance(dice: int, needs: int) -> Fraction:
    """The chance of so many sixes."""
    return sum((share for hits, share in binomial(dice).items() if hits >= needs), Fraction(0))


@cache
def count_stress_faces(stress: int, *, pushed: bool) -> dict[tuple[int, int], Fraction]:
    """The sixes and ones of stress dice; a push throws one more, which nothing throws again."""
    old = {"six": AGAIN, "one": AGAIN} if pushed else {"six": SIX, "one": SIX}
    dice = [old] * stress + [{"six": SIX, "one": SIX}] * pushed
    found: dict[tuple[int, int], Fraction] = {}
    for faces in product(("six", "one", "other"), repeat=len(dice)):
        share = Fraction(1)
        for die, face in zip(dice, faces, strict=True):
            share *= die.get(face, 1 - die["six"] - die["one"])
        both = faces.count("six"), faces.count("one")
        found[both] = found.get(both, Fraction(0)) + share
    return found


@cache
def level_of(dice: int, stress: int, panic: int, *, pushed: bool) -> Spread:
    """The SL of a test: that of all dice, or none after a Panic save that fails (VER-S11, VER-S12)."""
    found: Spread = {}
    for (more, ones), share in count_stress_faces(stress, pushed=pushed).items():
        for hits, chance in binomial(dice, AGAIN if pushed else SIX).items():
            calm = find_success_chance(panic, ones)
            for level, part in ((hits + more, calm), (0, 1 - calm)):
                found[level] = found.get(level, Fraction(0)) + share * chance * part
    return {level: share for level, share in found.items() if share}


def above(dice: int, dodge: int) -> Spread:
    """By how much an attack without stress is above Dodge."""
    found: Spread = {}
    for (mine, one), (theirs, other) in product(binomial(dice).items(), binomial(dodge).items()):
        found[mine - theirs] = found.get(mine - theirs, Fraction(0)) + one * other
    return found


def wounding(dice: int, target: Target, listed: int, config: Config = DEFAULT) -> Spread:
    """Return the damage of an attack without stress: listed, doubled by a critical hit, plus SL, less Withstand."""
    found: Spread = {}
    for (mine, one), (theirs, other) in product(binomial(dice).items(), binomial(target.dodge).items()):
        gross = listed * (2 if mine >= config.crit_sixes else 1)
        gross += mine - theirs if config.damage_sl == "net" else mine
        for saved, third in binomial(target.withstand).items():
            amount = max(0, gross - saved) if mine > theirs else 0
            found[amount] = found.get(amount, Fraction(0)) + one * other * third
    return found


def rows(title: str) -> Iterator[tuple[str, tuple[Fraction, ...]]]:
    """Return every row of a table; each has one chance per column."""
    table = TABLES[title]
    for row in table.rows:
        assert len(row.chances) == len(table.columns)
        yield row.case, row.chances


def average(spread: Spread) -> Fraction:
    """Return the mean."""
    return sum((level * share for level, share in spread.items()), Fraction(0))


def name_dice_row(count: int) -> str:
    """Return the name of a row for a number of dice."""
    return "1 die" if count == 1 else f"{count} dice"


@pytest.mark.parametrize("pushed", [False, True])
@pytest.mark.parametrize(("dice", "stress", "panic"), [(1, 0, 3), (3, 1, 2), (2, 2, 1), (4, 2, 3), (0, 1, 0)])
def test_a_test_with_stress_pushed_or_not(dice: int, stress: int, panic: int, pushed: bool) -> None:
    """Ones on stress dice take a save of as many SL; without it the test is nothing (VER-S06 to VER-S12)."""
    own = Pool(dice, stress, panic)
    expected = level_of(dice, stress, panic, pushed=pushed)
    assert {level: share for level, share in odds.level(own, pushed=pushed).items() if share} == expected
    assert odds.nerves(stress, pushed=pushed) == count_stress_faces(stress, pushed=pushed)


def test_who_is_not_stressed_and_does_not_push_needs_no_nerve() -> None:
    """The Panic save is then left out, and three dice are its default."""
    assert odds.level(Pool(2, panic=0)) == odds.level(Pool(2)) == binomial(2)
    assert Pool(2) == (2, 0, 3)


@pytest.mark.parametrize("config", [DEFAULT, Config(damage_sl="attacker_total"), Config(crit_sixes=2)])
def test_damage_by_every_way_to_count_it(config: Config) -> None:
    """A tie misses, criticals double the listed damage, and a save never heals (VER-027, VER-030, VER-078)."""
    for dice, target in ((4, Target(1, 1)), (5, Target(2, 3)), (2, Target(3, 6)), (4, Target(0, 0))):
        found = odds.damage(Pool(dice), target, 2, config=config)
        assert {amount: share for amount, share in found.items() if share} == {
            amount: share for amount, share in wounding(dice, target, 2, config).items() if share
        }


def test_a_pushed_attack_is_above_dodge_more_often() -> None:
    """A push turns each one of the four other faces into another chance (VER-S07)."""
    pushed = odds.net(Pool(3), 1, pushed=True)
    mine = level_of(3, 0, 3, pushed=True)
    tie = sum((share * binomial(1).get(level, Fraction(0)) for level, share in mine.items()), Fraction(0))
    assert pushed[0] == tie
    assert odds.damage(Pool(3), Target(1, 0), 1, pushed=True)[0] == tie + pushed[-1]


def test_the_tables_are_complete() -> None:
    """Each by its title, once, with what its columns and curves show."""
    assert [(one.title, one.columns, one.shape) for one in TABLES.values()] == [
        ("Who begins the round", ("the party", "the enemies"), "shares"),
        ("That an attack is above Dodge", ("0", "1", "2", "3", "4", "5", "6"), "curves"),
        (
            "What an attack with listed damage 2 does",
            ("missed", "all saved", "1–2", "3–4", "5 or more"),
            "shares",
        ),
        ("What a shot at somebody in a melee hits", ("the target", "somebody else", "nobody"), "shares"),
        ("That 4 sixes fall", ("as thrown", "pushed"), "curves"),
        ("How many successes fall", ("0", "1", "2", "3", "4 or more"), "shares"),
        ("That a roll passes", ("1 success needed", "2 needed", "3 needed"), "curves"),
        ("That a test has any success", ("as thrown", "pushed", "pushed with 2 stress"), "curves"),
        ("Whether somebody panics", ("no ones", "the save holds", "panic"), "shares"),
    ]


@pytest.mark.parametrize("target", [2, 4, 6])
def test_initiative(target: int) -> None:
    """The party begins on the target or more (VER-003)."""
    first: OddsTable = tables(Config(initiative_target=target))[0]
    assert [row.chances for row in first.rows] == [(Fraction(7 - target, 6), Fraction(target - 1, 6))]


def test_every_row_of_hits() -> None:
    """Strictly more sixes than the Dodge save (VER-027)."""
    expected = [
        (
            name_dice_row(dice),
            tuple(sum((s for by, s in above(dice, dodge).items() if by > 0), Fraction(0)) for dodge in range(7)),
        )
        for dice in SMALL
    ]
    assert list(rows("That an attack is above Dodge")) == expected


def test_every_row_of_damage() -> None:
    """A miss, a save, and each amount of damage."""
    cases = [(dice, target) for dice in (4, 6, 8) for target in (Target(2, 2), Target(3, 3), Target(3, 6))]
    table = TABLES["What an attack with listed damage 2 does"]
    for (dice, target), row in zip(cases, table.rows, strict=True):
        done = wounding(dice, target, 2)
        misses = sum((share for by, share in above(dice, target.dodge).items() if by <= 0), Fraction(0))
        bands = [sum((done.get(one, Fraction(0)) for one in two), Fraction(0)) for two in ((1, 2), (3, 4))]
        more = sum((share for amount, share in done.items() if amount >= 5), Fraction(0))
        assert row.case == f"{dice} dice against Dodge {target.dodge}, Withstand {target.withstand}"
        assert row.chances == (misses, done[0] - misses, *bands, more)
        assert row.mean == average(done)


def test_every_row_of_stray_shots() -> None:
    """A tie hits another combatant (VER-048)."""
    expected = []
    for dice, dodge in product((2, 4, 6, 8), (1, 3)):
        by = above(dice, dodge)
        hit = sum((share for net, share in by.items() if net > 0), Fraction(0))
        expected.append((f"{dice} dice against Dodge {dodge}", (hit, by[0], 1 - hit - by[0])))
    assert list(rows("What a shot at somebody in a melee hits")) == expected


@pytest.mark.parametrize("four", [3, 4])
def test_every_row_of_critical_hits(four: int) -> None:
    """The number of sixes, thrown and pushed by a calm attacker with three dice of Panic (VER-077)."""
    (table,) = (one for one in tables(Config(crit_sixes=four)) if one.title == f"That {four} sixes fall")
    for dice, row in zip((4, 5, 6, 7, 8, 10, 12), table.rows, strict=True):
        as_thrown, pushed = binomial(dice), level_of(dice, 0, 3, pushed=True)
        chances = [sum((s for hits, s in one.items() if hits >= four), Fraction(0)) for one in (as_thrown, pushed)]
        assert (row.case, list(row.chances)) == (name_dice_row(dice), chances)


def test_every_row_of_successes() -> None:
    """None, one, two, three or more, and how many on average."""
    table = TABLES["How many successes fall"]
    for dice, row in zip(SMALL, table.rows, strict=True):
        share = [binomial(dice).get(hits, Fraction(0)) for hits in range(4)]
        assert (row.case, row.chances) == (name_dice_row(dice), (*share, 1 - sum(share, Fraction(0))))
        assert row.mean == Fraction(dice, 6)


def test_every_row_of_rolls_against_nobody() -> None:
    """One success, two or three (VER-S04)."""
    expected = [(name_dice_row(dice), tuple(find_success_chance(dice, needs) for needs in (1, 2, 3))) for dice in SMALL]
    assert list(rows("That a roll passes")) == expected


def test_every_row_of_pushed_tests() -> None:
    """Without stress and with two, with three dice of Panic (VER-S07)."""
    expected = []
    for dice in (1, 2, 3, 4, 5, 6, 8):
        kept = find_success_chance(dice, 1)
        pushed, strained = (1 - level_of(dice, stress, 3, pushed=True)[0] for stress in (0, 2))
        expected.append((name_dice_row(dice), (kept, pushed, strained)))
    assert list(rows("That a test has any success")) == expected


def test_every_row_of_panic() -> None:
    """The save needs as many SL as there are ones (VER-S11)."""
    expected = []
    for panic, stress in product((2, 4), (1, 2, 3, 5)):
        ones = count_stress_faces(stress, pushed=False)
        calm = sum((share for (_, one), share in ones.items() if not one), Fraction(0))
        held = sum((share * find_success_chance(panic, one) for (_, one), share in ones.items() if one), Fraction(0))
        expected.append((f"{stress} stress, Panic {panic}", (calm, held, 1 - calm - held)))
    assert list(rows("Whether somebody panics")) == expected
