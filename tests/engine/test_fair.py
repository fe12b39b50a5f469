"""The fairness of dice, computed a second time by hand or in the simplest way."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, exp, log2, sqrt
from typing import Any

import pytest

from affray.engine.analysis.stats import (
    Streak,
    ThrownDie,
    assess_fairness,
    chi_square_tail,
    find_binomial_band,
    find_longest_run,
    find_streaks,
    run_chance,
    squares_tail,
    summarise_dice,
)
from affray.engine.analysis.stats.fairness import estimate_work


@pytest.mark.parametrize(
    ("counts", "most", "test", "freedom"),
    [
        ((5, 5, 5, 5), 6e8, "chi-square", 3),
        ((5, 5, 5, 4), 6e8, "exact", 3),
        ((20, 0, 0, 0), 6e8, "chi-square", 3),
        ((19, 0, 0, 0), 6e8, "exact", 3),
        ((5, 5, 5, 4), 0, "chi-square in bands", 1),
        ((1, 0), 0, "chi-square in bands", 0),
    ],
)
def test_five_expected_on_each_face_are_enough_for_chi_square(
    counts: tuple[int, ...], most: float, test: str, freedom: int
) -> None:
    """With fewer the chance is exact, unless that is too much work: then faces are counted together."""
    found = assess_fairness(counts, most)
    assert (found.test, found.freedom) == (test, freedom)


def test_the_statistic_is_pearsons() -> None:
    for counts in ((5, 8, 9, 8, 10, 20), (3, 0, 1), (1, 1), (0, 7)):
        due = Fraction(sum(counts), len(counts))
        assert assess_fairness(counts).statistic == pytest.approx(float(sum((one - due) ** 2 / due for one in counts)))


def test_seven_faces_in_three_bands_by_hand() -> None:
    """20 throws: bands of three, two and two faces, with 60/7, 40/7 and 40/7 expected."""
    found = assess_fairness((5, 3, 2, 1, 4, 3, 2), 0)
    assert (found.test, found.freedom) == ("chi-square in bands", 2)
    statistic = Fraction(10, 7) ** 2 / Fraction(60, 7) + 2 * Fraction(5, 7) ** 2 / Fraction(40, 7)
    assert found.statistic == pytest.approx(float(statistic))
    assert found.p == pytest.approx(exp(-statistic / 2))


@pytest.mark.parametrize("sides", [2, 3, 10, 11, 100])
def test_bands_are_as_many_as_leave_five_due_in_each(sides: int) -> None:
    for throws in (1, 7, 30, 5 * sides - 1):
        counts = [throws, *[0] * (sides - 1)]
        most = max(many for many in range(1, sides + 1) if many == 1 or (sides // many) * throws >= 5 * sides)
        assert assess_fairness(counts, 0).freedom == most - 1


@pytest.mark.parametrize(
    ("counts", "work"),
    [
        ((1, 0, 0, 0, 0, 0), 3 * 1 * 1 * 1 * 1 * log2(6) / 8),
        ((5, 3, 0), 2 * 8 * 5 * 34 * 8 * log2(3) / 8),
        ((4, 4, 4, 4), 2 * sqrt(128) * 8 * 64 * 16 * log2(4) / 8),
        ((2, 1, 1, 0, 1), 3 * sqrt(21) * 2 * 7 * 5 * log2(5) / 8),
    ],
)
def test_how_much_work_an_exact_chance_is(counts: tuple[int, ...], work: float) -> None:
    """Half the faces, the throws that can fall on these, the most on one, the sums, and the bits of each, in bytes."""
    assert estimate_work(counts) == pytest.approx(work)


def test_what_is_as_much_work_as_is_allowed_is_not_done() -> None:
    counts = (5, 3, 0)
    assert assess_fairness(counts, estimate_work(counts) * 1.001).test == "exact"
    assert assess_fairness(counts, estimate_work(counts)).test == "chi-square in bands"
    assert assess_fairness([1] * 300, 6e12).test == "chi-square in bands", "whatever else is allowed"


@pytest.mark.parametrize(("throws", "sides"), [(1, 1), (1, 4), (3, 1), (2, 5), (6, 2), (5, 3), (8, 3), (4, 7)])
def test_an_exact_chance_counts_every_way(throws: int, sides: int) -> None:
    """From what always happens up to what never does."""
    ways = [sum(faces.count(face) ** 2 for face in set(faces)) for faces in product(range(sides), repeat=throws)]
    for squares in range(throws * throws + 3):
        expected = sum(one >= squares for one in ways) / len(ways)
        assert squares_tail.__wrapped__(throws, sides, squares) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("freedom", range(8))
def test_whatever_is_no_chi_square_is_certain(freedom: int) -> None:
    assert chi_square_tail(0.0, freedom) == 1.0
    assert chi_square_tail(-1e-9, freedom) == 1.0
    assert (chi_square_tail(9.0, freedom) == 1.0) == (freedom == 0)
    assert chi_square_tail(1e-12, freedom + 1) == pytest.approx(1.0, abs=1e-5)
    assert chi_square_tail(1e-12, freedom + 1) <= 1.0


def find_chance_up_to(throws: int, chance: Fraction, count: int) -> Fraction:
    """Return the chance of so many successes or fewer."""
    ways = (comb(throws, one) * chance**one * (1 - chance) ** (throws - one) for one in range(count + 1))
    return sum(ways, Fraction(0))


@pytest.mark.parametrize("sides", [2, 3, 6, 20])
@pytest.mark.parametrize("sure", [Fraction(95, 100), Fraction(9, 10)])
def test_a_band_leaves_as_much_out_below_as_above(sides: int, sure: Fraction) -> None:
    """No more than half of what is left on either side, and as narrow as that can be."""
    chance, tail = Fraction(1, sides), (1 - sure) / 2
    for throws in (1, 2, 5, 11, 30, 47):
        low, high = find_binomial_band(throws, float(chance), float(sure))
        assert find_chance_up_to(throws, chance, low - 1) <= tail < find_chance_up_to(throws, chance, low)
        assert find_chance_up_to(throws, chance, high - 1) < 1 - tail <= find_chance_up_to(throws, chance, high)


def test_a_band_holds_95_of_100_if_nothing_else_is_said() -> None:
    assert find_binomial_band(30, 1 / 6) == find_binomial_band(30, 1 / 6, 0.95) == (1, 9)
    assert find_binomial_band(4, 1.0) == (4, 4)
    assert find_binomial_band(0, 0.5) == (0, 0)


@pytest.mark.parametrize("length", range(6))
def test_the_chance_of_a_run_counts_every_way(length: int) -> None:
    for throws in range(7):
        rows = list(product((0, 1), repeat=throws))
        hits = sum("1" * length in "".join(map(str, row)) for row in rows)
        assert run_chance(throws, length, 0.5) == pytest.approx(hits / len(rows))
    assert run_chance(3, 2, 1.0) == 1.0
    assert run_chance(9, -1, 0.1) == 1.0


def test_the_longest_run_is_the_first_of_its_length() -> None:
    assert find_longest_run((1, 1, 2, 2, 3), bool) == (1, 2)
    assert find_longest_run((1, 2, 2, 2, 3, 3), bool) == (2, 3)
    assert find_longest_run((1, 2, 2, 1, 1, 1), lambda value: value == 2) == (2, 2)
    assert find_longest_run((), bool) == find_longest_run((0, 0), bool) == (0, 0)


def test_streaks_of_six_sides_by_hand() -> None:
    """1 to 3 are low, 4 to 6 high; a first throw can be anything."""
    same, high, low = find_streaks((6, 4, 5, 3, 1), 6)
    assert same == Streak(of="same", length=1, face=6, chance=1.0)
    assert (high.of, high.length, low.of, low.length) == ("high", 3, "low", 2)
    assert high.chance == pytest.approx(sum("111" in f"{row:05b}" for row in range(32)) / 32)
    assert low.chance == pytest.approx(sum("11" in f"{row:05b}" for row in range(32)) / 32)
    twice = find_streaks((2, 2, 5), 6)[0]
    assert (twice.length, twice.face) == (2, 2)
    assert twice.chance == pytest.approx(1 - (5 / 6) ** 2)


def test_a_few_dice_behind_all_that_may_be_worked_out_are_one_band() -> None:
    """One band cannot be uneven."""
    found = assess_fairness((1, 0, 0, 2), -1.0)
    assert (found.test, found.statistic, found.freedom, found.p) == ("chi-square in bands", 0.0, 0, 1.0)


def throw_dice(*faces: int, **also: Any) -> list[ThrownDie]:
    common = {"roller": "ilse", "sides": 4, "kind": "attack", "source": "engine", **also}
    return [ThrownDie(face=one, **common) for one in faces]


def test_a_group_says_what_it_has_in_common_and_what_was_taken_back() -> None:
    dice = [
        *throw_dice(4, 4, 4, 4, 4, 4, 4, 4),
        *throw_dice(1, undone=True),
        *throw_dice(2, roller="bo", kind="save", sides=20),
    ]
    ilse, bo = summarise_dice(dice)
    assert (ilse.throws, ilse.undone, ilse.counts) == (9, 1, (1, 0, 0, 8))
    assert (ilse.expected, ilse.fair_mean, ilse.mean) == (2.25, 2.5, 33 / 9)
    assert (ilse.low, ilse.high) == pytest.approx((33 / 9 - 1.959964 * sqrt(15 / 12 / 9), 4))
    assert (ilse.roller, ilse.kind, ilse.source, bo.roller, bo.sides) == ("ilse", "", "engine", "bo", 20)
    assert (bo.low, bo.high) == pytest.approx((1, 2 + 1.959964 * sqrt(399 / 12)))
    assert bo.band == (0, 1)
    assert ilse.adjusted == pytest.approx(2 * ilse.fairness.p)
    assert bo.adjusted == bo.fairness.p == 1.0
    assert [one.kind for one in summarise_dice(dice, "die")] == ["attack", "save"]


def test_half_a_million_faces_are_counted_and_no_more() -> None:
    """The dice of 500 rollers with a thousand sides each."""
    dice = [die for who in range(500) for die in throw_dice(1, roller=str(who), sides=1_000)]
    assert len(summarise_dice(dice, "roller")) == 500
