"""Which dice count, and what chances fair dice have."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.analysis.stats import (
    ThrownDie,
    adjust_p_values,
    assess_fairness,
    chi_square_tail,
    find_binomial_band,
    find_streaks,
    run_chance,
    squares_tail,
    summarise_dice,
    summary,
)
from affray.engine.analysis.stats.fairness import estimate_work
from affray.engine.errors import Unusable

few_dice = st.integers(2, 6).flatmap(
    lambda sides: st.lists(st.integers(1, sides), min_size=1, max_size=20).map(lambda faces: (sides, faces))
)
counted_faces = st.lists(st.integers(0, 12), min_size=2, max_size=12).filter(any)


# --- the chi-square distribution ---


@pytest.mark.parametrize(
    ("freedom", "statistic", "p"),
    [
        (1, 3.841, 0.05),
        (2, 5.991, 0.05),
        (3, 7.815, 0.05),
        (5, 11.070, 0.05),
        (19, 30.144, 0.05),
        (99, 123.225, 0.05),
        (1, 6.635, 0.01),
        (5, 15.086, 0.01),
        (19, 36.191, 0.01),
        (9, 4.168, 0.90),
        (5, 20.515, 0.001),
    ],
)
def test_chi_square_agrees_with_the_published_table(freedom: int, statistic: float, p: float) -> None:
    """NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: critical values to three decimals."""
    assert chi_square_tail(statistic, freedom) == pytest.approx(p, rel=2e-3)


def test_two_degrees_of_freedom_are_an_exponential_and_one_is_the_normal_tail() -> None:
    assert chi_square_tail(2.0, 2) == pytest.approx(0.36787944117144233, rel=1e-14)
    assert chi_square_tail(4.0, 1) == pytest.approx(0.04550026389635842, rel=1e-14)
    assert chi_square_tail(5000.0, 5) == 0.0


def test_the_die_of_the_encyclopedia_is_loaded_at_two_per_cent() -> None:
    """The worked example of the article "Pearson's chi-squared test": 60 throws, 5 8 9 8 10 20, chi-square 13.4."""
    test = assess_fairness((5, 8, 9, 8, 10, 20))
    assert (test.test, test.freedom) == ("chi-square", 5)
    assert test.statistic == pytest.approx(13.4)
    assert test.p == pytest.approx(0.0199, abs=5e-5)


# --- the exact test ---


@pytest.mark.parametrize(
    ("counts", "p"),
    [
        ((2, 2), Fraction(1)),
        ((3, 1), Fraction(10, 16)),
        ((4, 0), Fraction(2, 16)),
        ((1, 1, 1), Fraction(1)),
        ((2, 1, 0), Fraction(21, 27)),
        ((0, 0, 3), Fraction(3, 27)),
        ((6, 0, 0, 0, 0, 0), Fraction(6, 6**6)),
        ((1, 0, 0, 0, 0, 0), Fraction(1)),
    ],
)
def test_few_dice_are_tested_exactly(counts: tuple[int, ...], p: Fraction) -> None:
    """By hand: of the 27 ways of 3d3 three show one face only, 18 show two, six show all."""
    assert assess_fairness(counts).test == "exact"
    assert assess_fairness(counts).p == pytest.approx(float(p), rel=1e-14)


@pytest.mark.parametrize(("throws", "sides"), [(5, 4), (7, 3), (9, 2), (4, 6), (6, 5)])
def test_the_exact_chance_is_that_of_counting_all_ways(throws: int, sides: int) -> None:
    ways = Counter(
        sum(count * count for count in Counter(faces).values()) for faces in product(range(sides), repeat=throws)
    )
    for squares in range(throws * throws + 2):
        expected = Fraction(sum(many for one, many in ways.items() if one >= squares), sides**throws)
        assert squares_tail(throws, sides, squares) == pytest.approx(float(expected), rel=1e-13)


def test_many_faces_with_many_dice_are_counted_in_bands() -> None:
    """300 throws of a d100 are too many to count all ways, and too few for a hundred faces: 50 bands expect 6 each."""
    test = assess_fairness([6, 0] * 50)
    assert (test.test, test.freedom, test.p) == ("chi-square in bands", 49, 1.0)
    assert test.statistic == pytest.approx(0)
    assert assess_fairness([150] + [0] * 98 + [90]).p < 1e-100


@given(counted_faces)
def test_a_p_value_is_a_chance_and_does_not_know_the_faces_by_name(counts: list[int]) -> None:
    p = assess_fairness(counts).p
    assert 0 <= p <= 1
    assert assess_fairness(sorted(counts)).p == p
    assert assess_fairness(counts[::-1]).p == p


@given(st.integers(1, 24), st.integers(2, 8), st.data())
def test_the_more_uneven_the_smaller_the_p(throws: int, sides: int, data: st.DataObject) -> None:
    less = data.draw(st.integers(0, throws * throws))
    more = data.draw(st.integers(less, throws * throws))
    assert squares_tail(throws, sides, more) <= squares_tail(throws, sides, less)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_adjusting_never_makes_a_p_smaller_nor_changes_their_order(chances: list[float]) -> None:
    adjusted = adjust_p_values(chances)
    assert all(one <= other <= 1 for one, other in zip(chances, adjusted, strict=True))
    assert min(adjusted) == min(1, min(chances) * len(chances))
    order = sorted(range(len(chances)), key=chances.__getitem__)
    assert [adjusted[at] for at in order] == sorted(adjusted)


def test_holm_by_hand() -> None:
    """0.005 × 4, 0.01 × 3, 0.03 × 2, and 0.04 × 1, which may not fall below the one before."""
    assert adjust_p_values([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_a_band_is_a_central_one() -> None:
    """In 10 coins, 0 or 1 heads fall in 1.07 %, 2 or fewer in 5.47 %; so 95 % lie from 2 to 8."""
    assert find_binomial_band(10, 1 / 2) == (2, 8)
    assert find_binomial_band(1, 1 / 20) == (0, 1)
    assert find_binomial_band(7, 1) == (7, 7)


# --- streaks ---


@pytest.mark.parametrize(
    ("throws", "length", "chance", "expected"),
    [
        (10, 3, 0.5, Fraction(520, 1024)),
        (10, 4, 0.5, Fraction(251, 1024)),
        (3, 3, 0.5, Fraction(1, 8)),
        (2, 3, 0.5, Fraction(0)),
        (5, 0, 0.5, Fraction(1)),
        (4, 2, 1 / 6, 1 - Fraction(5**4 + 4 * 5**3 + 3 * 5**2, 6**4)),
    ],
)
def test_the_chance_of_a_run(throws: int, length: int, chance: float, expected: Fraction) -> None:
    """504 of the 1024 ways of ten coins hold no three heads in a row (a tribonacci number), 773 no four."""
    assert run_chance(throws, length, chance) == pytest.approx(float(expected), rel=1e-13)


def test_streaks_name_the_face_and_the_half() -> None:
    """A d4's low half is 1 and 2, the high half 3 and 4; ways with three alike are counted in full."""
    same, high, low = find_streaks((3, 3, 3, 1, 4), 4)
    alike = sum(any(len(set(faces[at : at + 3])) == 1 for at in range(3)) for faces in product(range(4), repeat=5))
    assert (same.length, same.face) == (3, 3)
    assert same.chance == pytest.approx(alike / 4**5)
    assert (high.length, low.length) == (3, 1)
    assert low.chance == pytest.approx(1 - 1 / 32)


def test_the_middle_of_an_odd_die_is_neither_high_nor_low() -> None:
    _, high, low = find_streaks((2, 2, 3, 1), 3)
    assert (high.length, low.length) == (1, 1)
    assert high.chance == pytest.approx(1 - (2 / 3) ** 4)


@given(few_dice)
def test_streaks_hold_for_any_throws(dice: tuple[int, list[int]]) -> None:
    sides, faces = dice
    found = find_streaks(faces, sides)
    assert all(0 <= one.length <= len(faces) and 0 < one.chance <= 1 for one in found)
    turned = find_streaks([sides + 1 - face for face in faces], sides)
    assert (turned[1].length, turned[2].length) == (found[2].length, found[1].length)
    assert turned[0].length == found[0].length


# --- what they come to ---


def test_a_summary_by_hand() -> None:
    """Four d6: 1 2 2 6. Mean 11/4; a fair die's variance is 35/12, so the mean lies within 1.96 × √(35/48)."""
    (one,) = summarise_dice(
        [ThrownDie(roller="ilse", sides=6, kind="attack", source="engine", face=face) for face in (1, 2, 2, 6)]
    )
    assert (one.roller, one.kind, one.source, one.throws) == ("ilse", "", "engine", 4)
    assert one.counts == (1, 2, 0, 0, 0, 1)
    assert (one.mean, one.fair_mean) == (2.75, 3.5)
    assert one.expected == pytest.approx(2 / 3)
    assert one.high - one.mean == pytest.approx(1.959964 * sqrt(35 / 48), rel=1e-6)
    assert one.low == pytest.approx(2.75 - 1.959964 * sqrt(35 / 48), rel=1e-6)
    assert one.fairness.p == one.adjusted == pytest.approx(1 - 360 / 1296)


def test_dice_are_told_apart_as_wanted_and_always_by_their_sides() -> None:
    dice = [
        ThrownDie(roller=who, sides=sides, kind=kind, source=source, face=1)
        for who, sides, kind, source in (
            ("ilse", 6, "attack", "engine"),
            ("ilse", 20, "attack", "entered"),
            ("bram", 6, "save", "engine"),
        )
    ]
    cuts = {
        by: [(one.roller, one.kind, one.source, one.sides, one.throws) for one in summarise_dice(dice, by)]
        for by in (None, "roller", "die", "source")
    }
    assert cuts == {
        None: [("ilse", "", "engine", 6, 1), ("ilse", "", "entered", 20, 1), ("bram", "", "engine", 6, 1)],
        "roller": [("ilse", "", "", 6, 1), ("ilse", "", "", 20, 1), ("bram", "", "", 6, 1)],
        "die": [("", "attack", "", 6, 1), ("", "attack", "", 20, 1), ("", "save", "", 6, 1)],
        "source": [("", "", "engine", 6, 2), ("", "", "entered", 20, 1)],
    }


@given(few_dice)
def test_counts_add_up_and_the_mean_lies_within_its_interval(dice: tuple[int, list[int]]) -> None:
    sides, faces = dice
    (one,) = summarise_dice(
        [ThrownDie(roller="", sides=sides, kind="", source="", face=face) for face in faces], "source"
    )
    assert sum(one.counts) == one.throws == len(faces)
    assert len(one.counts) == sides
    assert 1 <= one.low <= one.mean <= one.high <= sides
    assert one.band[0] <= one.expected <= one.band[1] + 1


def test_exact_chances_of_one_answer_cost_a_bounded_effort_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many groups a log has: behind that, faces are counted in bands."""
    whose = ("ada", "bo", "cy", "dee")
    dice = [
        ThrownDie(roller=who, sides=20, kind="d20", source="engine", face=face)
        for who in whose
        for face in range(1, 16)
    ]
    assert {one.fairness.test for one in summarise_dice(dice)} == {"exact"}
    monkeypatch.setattr(summary, "WORK_OF_ALL", 2.5 * estimate_work([1] * 15 + [0] * 5))
    assert [one.fairness.test == "exact" for one in summarise_dice(dice)] == [True, True, False, False]


def test_the_faces_of_all_groups_together_are_bounded() -> None:
    """One die of each size, of many rollers, takes up little of a log, and every face of every size an answer."""
    dice = [
        ThrownDie(roller=str(who), sides=sides, kind="die", source="engine", face=1)
        for who in range(2)
        for sides in range(1, 1001)
    ]
    with pytest.raises(Unusable, match="1001000 faces"):
        summarise_dice(dice)
    assert len(summarise_dice(dice[:900])) == 900
