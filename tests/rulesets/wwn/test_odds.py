"""The exact chances of Worlds Without Number, beside a count of all faces there are."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from affray.engine.kit.odds import OddsTable
from affray.engine.rulesets.wwn import odds
from affray.engine.rulesets.wwn.config import Config
from affray.engine.rulesets.wwn.odds_tables import tables

PLAIN = Config()
PAIRS = [one + other for one, other in product(range(1, 7), repeat=2)]
"""What two dice come to, each way once."""
ARMS = {"dagger": (4, 2, 15), "spear": (6, 3, 13), "great sword": (12, 3, 15)}
"""The die, Shock with its attribute, and the highest AC it reaches; each adds 1 to the damage."""


def share(hits: int, of: int) -> Fraction:
    return Fraction(hits, of)


def is_hit(face: int, bonus: int, ac: int, config: Config = PLAIN) -> bool:
    """Tell whether a face hits (WWN-008)."""
    if face == 1 and config.nat_1_misses:
        return False
    return (face == 20 and config.nat_20_hits) or face + bonus >= ac


def hits(bonus: int, ac: int, config: Config = PLAIN) -> Fraction:
    return share(sum(is_hit(face, bonus, ac, config) for face in range(1, 21)), 20)


def table(title: str, config: Config = PLAIN) -> OddsTable:
    (found,) = (one for one in tables(config) if one.title == title)
    return found


def rows(title: str, config: Config = PLAIN) -> dict[str, tuple[Fraction, ...]]:
    return {row.case: row.chances for row in table(title, config).rows}


def format_signed(number: int) -> str:
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


@pytest.mark.parametrize("config", [PLAIN, Config(nat_1_misses=False, nat_20_hits=False)])
def test_an_attack_hits_as_often_as_its_faces(config: Config) -> None:
    """Also where a 1 or a 20 would decide otherwise than the sum."""
    for bonus, ac in product((-2, 0, 5, 30), (1, 5, 13, 22, 40)):
        assert odds.hits(bonus, ac, config) == hits(bonus, ac, config)


@pytest.mark.parametrize("config", [PLAIN, Config(quick_bonus=3)])
def test_a_hero_goes_first_as_often_as_both_dice_say(config: Config) -> None:
    def first(mine: int, theirs: int) -> Fraction:
        return share(sum(one + mine >= other + theirs for one, other in product(range(1, 9), repeat=2)), 64)

    assert rows("That a hero goes before a group of foes", config) == {
        f"modifier {format_signed(one)}": (first(one, 0), first(one, config.quick_bonus))
        for one in (-2, -1, 0, 1, 2, 3)
    }


@pytest.mark.parametrize("config", [PLAIN, Config(nat_20_hits=False)])
def test_the_table_of_hits(config: Config) -> None:
    armor = range(10, 21)
    assert table("That an attack hits").columns == tuple(str(ac) for ac in armor)
    assert rows("That an attack hits", config) == {
        f"attack {format_signed(bonus)}": tuple(hits(bonus, ac, config) for ac in armor)
        for bonus in (-2, 0, 2, 4, 6, 8, 10)
    }


@pytest.mark.parametrize("config", [PLAIN, Config(nat_1_misses=False)])
def test_the_table_of_circumstances(config: Config) -> None:
    found = rows("What a circumstance makes of an attack", config)
    worth = [0 if case == "none" else int(case.partition(":")[0].replace("−", "-")) for case in found]
    assert worth == [2, 0, -1, -2, -4, -6]
    assert [*found.values()] == [tuple(hits(by, need, config) for need in (6, 11, 16)) for by in worth]


def count_weapon_rolls(dice: int, sides: int, bonus: int = 0) -> Counter[int]:
    """Count how often what a weapon rolls comes to what."""
    return Counter(bonus + sum(faces) for faces in product(range(1, sides + 1), repeat=dice))


def test_the_table_of_damage() -> None:
    found = table("What a hit does")
    dice = [(1, 4, 0), (1, 6, 0), (1, 6, 2), (1, 8, 0), (1, 8, 1), (1, 8, 3), (1, 10, 0), (1, 12, 0), (2, 8, 0)]
    assert [row.case.partition(",")[0] for row in found.rows] == [
        f"{dice}d{sides}" + (f" + {bonus}" if bonus else "") for dice, sides, bonus in dice
    ]
    for row, weapon in zip(found.rows, dice, strict=True):
        done = count_weapon_rolls(*weapon)
        of = done.total()
        least = (1, 3, 5, 7, 9, 12)
        assert row.chances == tuple(share(sum(done[one] for one in done if one >= few), of) for few in least)
        assert row.mean == share(sum(one * many for one, many in done.items()), of)
    assert found.columns == ("1+", "3+", "5+", "7+", "9+", "12+")


def test_the_least_damage_counts_in_the_table_too() -> None:
    found = table("What a hit does", Config(min_damage=4)).rows[0]
    assert found.mean == 4
    assert found.chances == tuple(map(Fraction, (1, 1, 0, 0, 0, 0)))


@pytest.mark.parametrize("config", [PLAIN, Config(min_damage=4, nat_20_hits=False)])
def test_the_table_of_shock(config: Config) -> None:
    """A hit, Shock on a miss where it reaches, or nothing; and what all of that does on average."""
    found = table("What a melee attack at +3 comes to", config).rows
    assert len(found) == 12
    for row, (name, ac) in zip(found, product(ARMS, (11, 13, 15, 17)), strict=True):
        sides, shock, reaches = ARMS[name]
        assert row.case.startswith(f"{name} 1d{sides} + 1, Shock {shock}/{reaches}, at AC {ac}")
        least = config.min_damage
        floor = max(least, shock) if ac <= reaches else least
        lands = hits(3, ac, config)
        hurt = share(sum(max(floor, die + 1) for die in range(1, sides + 1)), sides)
        missed = floor if ac <= reaches else 0
        assert row.chances == (lands, 1 - lands if missed else 0, 0 if missed else 1 - lands)
        assert row.mean == lands * hurt + (1 - lands) * missed


def test_a_weapon_without_a_rating_does_no_shock() -> None:
    """Not even where armor would be low enough; a rating of 0 sets no more than the least there is."""
    unrated, nothing = odds.Weapon(1, 4, reaches=15), odds.Weapon(1, 4, -3, shock=0, reaches=15)
    assert odds.attack_outcome(-5, 10, unrated) == {
        ("hit", 1): Fraction(3, 40),
        ("hit", 2): Fraction(3, 40),
        ("hit", 3): Fraction(3, 40),
        ("hit", 4): Fraction(3, 40),
        ("miss", 0): Fraction(7, 10),
    }
    assert odds.damage(nothing, 15) == {0: Fraction(3, 4), 1: Fraction(1, 4)}
    assert odds.attack_outcome(-5, 10, nothing, Config(min_damage=1))[("shock", 1)] == Fraction(7, 10)


def test_a_hit_does_at_least_its_shock_where_it_reaches() -> None:
    weapon = odds.Weapon(1, 4, 0, 3, 13)
    assert odds.damage(weapon, 13) == {3: Fraction(3, 4), 4: Fraction(1, 4)}
    assert odds.damage(weapon, 14) == odds.damage(weapon) == dict.fromkeys((1, 2, 3, 4), Fraction(1, 4))


def test_the_tables_of_morale_and_instinct() -> None:
    morale = {score: share(sum(total <= score for total in PAIRS), 36) for score in range(5, 13)}
    assert rows("That Morale holds") == {f"score {one}": (held, 1 - held) for one, held in morale.items()}
    instinct = {score: share(10 - score, 10) for score in range(2, 10)}
    assert rows("That a beast keeps its head") == {f"score {one}": (held, 1 - held) for one, held in instinct.items()}


@pytest.mark.parametrize("difficulty", [8, 11])
def test_the_table_of_checks(difficulty: int) -> None:
    made = {bonus: share(sum(total + bonus >= difficulty for total in PAIRS), 36) for bonus in range(-2, 5)}
    found = rows(f"That a check reaches {difficulty}", Config(skill_difficulty=difficulty))
    assert found == {f"check {format_signed(one)}": (chance, 1 - chance) for one, chance in made.items()}


@pytest.mark.parametrize(("tie", "needs"), [("defender", 1), ("attacker", 0)])
def test_the_table_of_opposed_checks(tie: str, needs: int) -> None:
    """The resisting side wins a tie, unless configured otherwise."""
    found = rows("That an opposed check succeeds", Config(opposed_tie=tie))  # type: ignore[arg-type]
    assert [*found] == ["−3", "−2", "−1", "equal", "+1", "+2", "+3", "+4"]
    for ahead, chances in zip(range(-3, 5), found.values(), strict=True):
        won = share(sum(one + ahead - other >= needs for one, other in product(PAIRS, repeat=2)), 36 * 36)
        assert chances == (won, 1 - won)


def test_every_table_is_shown() -> None:
    assert [one.shape for one in tables(PLAIN)].count("curves") == 4
    assert len(tables(PLAIN)) == 9
