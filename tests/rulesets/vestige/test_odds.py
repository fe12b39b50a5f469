"""The chances that the book of Vestige shows, number by number."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from affray.engine.kit.odds import OddsTable
from affray.engine.rulesets.vestige.config import Config
from affray.engine.rulesets.vestige.odds import first_chance, hit_chance, hold_chance
from affray.engine.rulesets.vestige.odds_tables import tables

FACES = range(1, 21)


def list_table_rows(table: OddsTable) -> dict[str, tuple[Fraction | None, ...]]:
    """Return the rows of a table."""
    return {row.case: tuple(row.chances) for row in table.rows}


def of_20(*faces: int) -> tuple[Fraction, ...]:
    """Return so many faces of twenty, each as a chance."""
    return tuple(Fraction(many, 20) for many in faces)


@pytest.mark.parametrize("others", [0, 1, 2])
def test_the_first_turn(others: int) -> None:
    """Counted out over all dice; an equal die is won by who is more agile."""
    dice = list(product(FACES, repeat=others + 1))
    for better in (True, False):
        won = sum(all(one[0] >= two if better else one[0] > two for two in one[1:]) for one in dice)
        assert first_chance(others, better=better) == Fraction(won, len(dice))


def test_an_attack_hits_with_the_faces_that_reach_the_agility() -> None:
    for accuracy, agility in product(range(-3, 9), range(1, 31)):
        assert hit_chance(accuracy, agility) == Fraction(sum(face + accuracy >= agility for face in FACES), 20)


def test_at_the_brink_ten_holds_on() -> None:
    """Under other settings, and rulings, another number."""
    assert hold_chance() == Fraction(11, 20)
    assert hold_chance(2) == Fraction(13, 20)
    assert hold_chance(-1, Config(brink_target=12, brink_modifier=3)) == Fraction(11, 20)


def test_the_tables_of_the_book() -> None:
    initiative, attack, energy, brink = tables(Config(accuracy_per_ep=2, brink_target=12))
    rows = list_table_rows(initiative)
    assert list(rows) == ["one other die", *(f"{many} other dice" for many in range(2, 7))]
    assert rows["one other die"] == (Fraction(210, 400), Fraction(190, 400))
    assert rows["2 other dice"] == (first_chance(2, better=True), first_chance(2, better=False))
    assert rows["6 other dice"] == (first_chance(6, better=True), first_chance(6, better=False))
    rows = list_table_rows(attack)
    assert attack.columns == ("8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18")
    assert list(rows) == [f"accuracy {said}" for said in ("−2", "+0", "+1", "+2", "+3", "+4", "+6", "+8")]
    assert rows["accuracy −2"] == of_20(*range(11, 0, -1))
    assert rows["accuracy +0"] == of_20(*range(13, 2, -1))
    assert rows["accuracy +8"] == of_20(20, 20, *range(19, 10, -1))
    rows = list_table_rows(energy)
    assert energy.columns == ("needs 8", "needs 12", "needs 16", "needs 20")
    assert list(rows) == ["none", "1 ep", "2 ep", "3 ep", "4 ep", "5 ep"]
    assert rows["none"] == of_20(13, 9, 5, 1)
    assert rows["1 ep"] == of_20(15, 11, 7, 3)
    assert rows["5 ep"] == of_20(20, 19, 15, 11)
    rows = list_table_rows(brink)
    assert list(rows) == ["one hit", "2 hits", "3 hits", "4 hits", "5 hits"]
    assert rows["one hit"] == of_20(9, 11)
    assert rows["2 hits"] == (Fraction(81, 400), Fraction(319, 400))
    assert rows["5 hits"] == (Fraction(9, 20) ** 5, 1 - Fraction(9, 20) ** 5)
    assert brink.says == "Each takes a d20 of 12 or better."
