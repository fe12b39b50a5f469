"""The exact chances of Wyrd: the tables that the book shows, and what settings make of them.

That the chances are those of the engine is tested by throwing every face of every die (``test_odds_enumerated.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from affray.engine.kit.odds import OddsTable, find_chance
from affray.engine.rulesets.wyrd.config import Config
from affray.engine.rulesets.wyrd.odds import (
    HIT,
    HURT,
    Fighter,
    armor_against_shot,
    band_chances,
    blow_effects,
    exchange_results,
    hit_effects,
    shot_results,
    success_chance,
    wound_by_face,
)
from affray.engine.rulesets.wyrd.odds_tables import tables

SHOWN = Path(__file__).with_name("odds.txt")
HALF, SIXTH = Fraction(1, 2), Fraction(1, 6)


def format_table(table: OddsTable) -> Iterator[str]:
    """Say a table in lines."""
    yield f"{table.title} ({', '.join(table.clauses)})"
    yield "; ".join((table.shape, *(f"{word}: {said}" for word, said in extras(table) if said)))
    yield " | ".join((table.cases, *table.columns))
    for row in table.rows:
        average = [f"average {row.mean}"] if row.mean is not None else []
        yield " | ".join((row.case, *map(str, row.chances), *average))
    yield ""


def extras(table: OddsTable) -> Iterator[tuple[str, str]]:
    """List what not every table says."""
    yield "over", table.over
    yield "averages", table.averages
    yield "says", table.says


def test_the_tables_of_the_book_are_these() -> None:
    """Every chance is written down as a fraction."""
    found = [line for table in tables(Config()) for line in format_table(table)]
    assert found == SHOWN.read_text("utf-8").split("\n")[:-1]


def test_each_row_has_a_chance_for_each_column_and_shares_sum_to_one() -> None:
    for table in tables(Config()):
        assert {len(row.chances) for row in table.rows} == {len(table.columns)}
        assert table.shape == "curves" or {sum(row.chances) for row in table.rows} == {1}


def test_a_setback_fails_where_the_table_plays_it_so() -> None:
    strict = Config(setback_hits=False)
    assert success_chance((6,)) == HALF
    assert success_chance((6,), strict) == SIXTH
    assert band_chances((6,), strict) == {"failure": HALF, "setback": Fraction(1, 3), "success": SIXTH}
    fighter = Fighter(6, (), (), 6)
    hits = {
        config: find_chance(exchange_results(fighter, fighter, (), config), lambda one: one.who == HIT)
        for config in (Config(), strict)
    }
    assert hits == {Config(): HALF, strict: SIXTH}


def test_so_many_dice_at_6_are_a_multiple_success() -> None:
    three = Config(multi_success_min_dice=3)
    assert band_chances((6, 6))["multiple success"] == SIXTH**2
    assert "multiple success" not in band_chances((6, 6), three)
    assert band_chances((6, 6, 6), three)["multiple success"] == SIXTH**3
    assert band_chances((6, 6, 6))["multiple success"] == 3 * SIXTH**2 * (1 - SIXTH) + SIXTH**3


def test_help_joins_the_test_and_is_no_damage() -> None:
    """A d12 of help may hit where the weapon's d2 never would, and hurts like the d2."""
    own, foe = Fighter(2, (2,), (), 6), Fighter(6, (2,), (), 6)
    part = exchange_results(own, foe, (12,))
    assert find_chance(part, lambda one: one.who == HIT) == Fraction(9, 12)
    assert {one.struck.remaining for one in part if one.who == HIT} == {1, 2}
    assert {one.struck.remaining for one in part if one.who == HURT} == {1, 2}


def test_of_several_weapons_the_highest_hurts_and_bare_hands_do_1() -> None:
    foe = Fighter(6, (), (), 6)
    both = exchange_results(Fighter(2, (12, 2), (), 6), foe)
    assert max(one.struck.remaining for one in both) == 12
    bare = exchange_results(Fighter(6, (), (), 6), foe)
    assert {one.struck.remaining for one in bare if one.who == HIT} == {1}


@pytest.mark.parametrize(
    ("face", "remaining", "sides", "came"),
    [
        (1, 0, 6, ""),
        (2, 1, 6, "incidental"),
        (2, 2, 6, "debilitating"),
        (1, 1, 4, "severe"),
        (1, 1, 2, "mortal"),
        (2, 1, 2, "incidental"),
    ],
)
def test_a_face_of_power_makes_a_wound_of_what_is_left(face: int, remaining: int, sides: int, came: str) -> None:
    """A tie is bad, a 1 severe, and on the last size of the chain mortal."""
    assert wound_by_face(face, remaining, sides) == came


def test_the_end_of_the_chain_is_where_a_1_kills() -> None:
    short = Config(chain=("d4", "d6"))
    assert wound_by_face(1, 1, 4, short) == "mortal"
    assert wound_by_face(1, 1, 6, short) == "severe"


def test_armor_takes_off_its_highest_face_and_a_shot_meets_smaller_dice() -> None:
    assert armor_against_shot((6, 4, 2)) == (4, 2, 2)
    assert armor_against_shot((6, 4), Config(hindrance_floor=6)) == (6, 4)
    part = hit_effects(2, (2,), 2)
    assert {one.remaining for one in part} == {0, 1}
    assert find_chance(part, lambda one: one.wound == "mortal") == HALF**2
    assert find_chance(blow_effects((2,), (), 6), lambda one: one.remaining == 2) == HALF


def test_a_shot_that_misses_hurts_nobody_and_hindrance_makes_the_ability_smaller() -> None:
    archer, mark = Fighter(4, (2,), (), 6), Fighter(6, (), (2,), 6)
    assert find_chance(shot_results(archer, mark), lambda one: one.who == HIT) == Fraction(1, 4)
    assert {(one.who, one.struck.remaining) for one in shot_results(archer, mark, 1)} == {("", 0)}
    assert {one.band for one in shot_results(archer, mark)} == {"failure", "setback"}
