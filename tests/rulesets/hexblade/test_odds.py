"""The book's tables of exact chances against counting every face of every die, as the page has the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from affray.engine.kit.odds import OddsTable
from affray.engine.rulesets.hexblade.config import Config
from affray.engine.rulesets.hexblade.odds import (
    Arms,
    Roll,
    contest_chance,
    counting_face,
    exchange_losses,
    oppose_rolls,
    reach_chance,
    shot_victims,
)
from affray.engine.rulesets.hexblade.odds_tables import tables

AHEAD = (-3, -2, -1, 0, 1, 2, 3, 4, 5)
SIGNED = ("−3", "−2", "−1", "equal", "+1", "+2", "+3", "+4", "+5")
BLOWS = {  # the weapon's die, what is added, the armour's die, the shield
    "d4 + 1 against light armour d4": (4, 1, 4, 0),
    "d6 + 1 without armour": (6, 1, 0, 0),
    "d6 + 1 against medium armour d6": (6, 1, 6, 0),
    "d8 + 3 without armour": (8, 3, 0, 0),
    "d8 + 3 against light armour d4": (8, 3, 4, 0),
    "d8 + 3 against medium armour d6": (8, 3, 6, 0),
    "d8 + 3 against heavy armour d8 and shield": (8, 3, 8, 1),
    "d10 + 3 against heavy armour d8": (10, 3, 8, 0),
}


def faces(levels: int) -> dict[int, Fraction]:
    """Return how likely each face is to count: the highest of 1 + n d20, or the lowest (the page's Terms)."""
    several = 1 + abs(levels)
    most = {face: Fraction(face**several - (face - 1) ** several, 20**several) for face in range(1, 21)}
    return most if levels >= 0 else {21 - face: share for face, share in most.items()}


def pairs(mine: int = 0, theirs: int = 0) -> Iterator[tuple[int, int, Fraction]]:
    """Yield each pair of faces with its chance."""
    for (one, share), (other, rest) in product(faces(mine).items(), faces(theirs).items()):
        yield one, other, share * rest


def better(mine: int, theirs: int, by: int) -> int:
    """Return who wins two rolls, the first one's bonus being higher by so much: a natural 20 does, else the total."""
    if 20 in (mine, theirs) and mine != theirs:
        return 1 if mine == 20 else -1
    return (mine + by > theirs) - (mine + by < theirs)


def share(holds: Callable[[int, int], bool], mine: int = 0, theirs: int = 0) -> Fraction:
    """Return how likely two faces are such as hold."""
    return sum((chance for one, other, chance in pairs(mine, theirs) if holds(one, other)), Fraction(0))


def melee(by: int, levels: int = 0) -> tuple[Fraction, Fraction, Fraction]:
    """Return how likely the attacker alone, both, and the target alone land a blow; of two 20s both do."""
    both = share(lambda one, other: one == other == 20 or better(one, other, by) == 0, levels)
    wins = share(lambda one, other: one + other < 40 and better(one, other, by) > 0, levels)
    return wins, both, 1 - wins - both


def find_hit_chance(by: int, mine: int = 0, theirs: int = 0) -> Fraction:
    """Return how likely an attack beats an evade; two 20s cancel, and a tie is a miss."""
    return share(lambda one, other: better(one, other, by) > 0, mine, theirs)


def harm(arms: tuple[int, int, int, int], dice: int = 1) -> dict[int, Fraction]:
    """Return how likely a blow takes so much."""
    sides, bonus, armor, shield = arms
    found: dict[int, Fraction] = {}
    stops = range(1, armor + 1) if armor else (0,)
    for *thrown, stopped in product(*[range(1, sides + 1)] * dice, stops):
        lost = max(0, sum(thrown) + bonus - stopped - shield)
        found[lost] = found.get(lost, Fraction(0)) + Fraction(1, sides**dice * len(stops))
    return found


@cache
def by_title() -> dict[str, OddsTable]:
    """Return the book's tables by their titles."""
    return {one.title: one for one in tables(Config())}


def load_odds_table(title: str) -> tuple[OddsTable, dict[str, tuple[Fraction, ...]]]:
    """Return a table and its rows by their cases."""
    table = by_title()[title]
    return table, {row.case: row.chances for row in table.rows}


def test_the_book_has_these_tables() -> None:
    assert [*by_title()] == [
        "That a player character goes first",
        "Two attack rolls against each other",
        "What a blow that lands takes",
        "Who is hurt in an exchange with a bandit",
        "That a shot hits",
        "Whom a shot hits with somebody beside the target",
        "What a critical blow takes",
        "That something is mended",
        "How many missiles are found",
        "That a test against somebody succeeds",
        "That somebody is knocked prone",
        "What levels are worth in an attack",
    ]


def test_initiative_beats_a_lower_number() -> None:
    table, rows = load_odds_table("That a player character goes first")
    numbers = (6, 8, 10, 12, 14, 16, 18)
    assert table.columns == tuple(map(str, numbers))
    assert rows == {
        f"Dexterity +{own}": tuple(Fraction(20 - number + own, 20) for number in numbers) for own in range(5)
    }


def test_two_attack_rolls() -> None:
    table, rows = load_odds_table("Two attack rolls against each other")
    assert table.columns == ("you win", "both land", "you lose")
    assert rows == {case: melee(by) for case, by in zip(SIGNED, AHEAD, strict=True)}


@pytest.mark.parametrize(
    ("title", "dice", "least"),
    [
        ("What a blow that lands takes", 1, (1, 3, 5, 7, 9, 11)),
        ("What a critical blow takes", 2, (1, 4, 7, 10, 13, 16)),
    ],
)
def test_what_a_blow_takes(title: str, dice: int, least: tuple[int, ...]) -> None:
    """The bonus counts once, also where the dice are doubled."""
    table, rows = load_odds_table(title)
    assert table.columns == tuple(f"{one}+" for one in least)
    lost = {case: harm(arms, dice) for case, arms in BLOWS.items()}
    assert rows == {
        case: tuple(sum((chance for amount, chance in found.items() if amount >= one), Fraction(0)) for one in least)
        for case, found in lost.items()
    }
    averages = {case: sum(amount * chance for amount, chance in found.items()) for case, found in lost.items()}
    assert {row.case: row.mean for row in table.rows} == averages


def test_who_is_hurt_in_an_exchange() -> None:
    table, rows = load_odds_table("Who is hurt in an exchange with a bandit")
    assert table.columns == ("the bandit", "both", "nobody", "you")
    fights = {
        "+1, d6, light armour": (1, (6, 1, 6, 0), (6, 1, 4, 0)),
        "+3, d8, medium armour": (3, (8, 3, 6, 0), (6, 1, 6, 0)),
        "+3, d8, medium armour and shield": (3, (8, 3, 6, 0), (6, 1, 6, 1)),
        "+3, d10, heavy armour": (3, (10, 3, 6, 0), (6, 1, 8, 0)),
        "+5, d8, heavy armour and shield": (5, (8, 5, 6, 0), (6, 1, 8, 1)),
    }
    assert rows == {case: hurt(bonus - 1, own, foe) for case, (bonus, own, foe) in fights.items()}


def hurt(by: int, own: tuple[int, int, int, int], foe: tuple[int, int, int, int]) -> tuple[Fraction, ...]:
    """Return the chances that an exchange hurts only the foe, both, neither, or only the attacker."""
    marks = {(arms, dice): 1 - harm(arms, dice).get(0, Fraction(0)) for arms in (own, foe) for dice in (1, 2)}
    found = [Fraction(0)] * 4
    for one, other, chance in pairs():
        ahead = better(one, other, by)
        twice = one == other == 20
        gives = marks[own, 1 + (one == 20)] if ahead >= 0 or twice else Fraction(0)
        takes = marks[foe, 1 + (other == 20)] if ahead <= 0 or twice else Fraction(0)
        for at, part in enumerate((gives * (1 - takes), gives * takes, (1 - gives) * (1 - takes), (1 - gives) * takes)):
            found[at] += chance * part
    return tuple(found)


def test_a_shot_hits() -> None:
    table, rows = load_odds_table("That a shot hits")
    assert table.columns == ("in the open", "soft cover", "hard cover")
    assert rows == {
        case: tuple(find_hit_chance(by, 0, cover) for cover in (0, 1, 2))
        for case, by in zip(SIGNED, AHEAD, strict=True)
    }


def test_whom_a_shot_hits() -> None:
    """After a miss, a neighbour must evade half of the time: the shot's total, or a 20 against no 20."""
    table, rows = load_odds_table("Whom a shot hits with somebody beside the target")
    assert table.columns == ("the target", "nobody", "a neighbour")
    for case, by in zip(SIGNED, AHEAD, strict=True):
        strays = Fraction(0)
        for mine, theirs, chance in pairs():
            if better(mine, theirs, by) <= 0:
                caught = sum(1 for own in range(1, 21) if own < mine + by and not (own == 20 and mine != 20))
                strays += chance * Fraction(caught, 20) / 2
        assert rows[case] == (find_hit_chance(by), 1 - find_hit_chance(by) - strays, strays)
    assert len(rows) == len(AHEAD)


def test_something_is_mended() -> None:
    table, rows = load_odds_table("That something is mended")
    assert table.columns == ("against 12", "complex, against 16")
    assert rows == {f"crafting +{own}": (Fraction(9 + own, 20), Fraction(5 + own, 20)) for own in range(7)}


def test_missiles_are_found() -> None:
    table, rows = load_odds_table("How many missiles are found")
    assert table.columns == ("1 or more", "2 or more", "3 or more", "4 or more")
    counts = (1, 2, 3, 4, 5, 6, 8)
    assert list(rows) == [f"{count} shot" for count in counts]
    for count in counts:
        found = {many: Fraction(ways(count, many) * 2 ** (count - many), 3**count) for many in range(count + 1)}
        assert rows[f"{count} shot"] == tuple(sum(found.get(many, 0) for many in range(n, 9)) for n in (1, 2, 3, 4))
    assert [row.mean for row in table.rows] == [Fraction(count, 3) for count in counts]


def ways(count: int, many: int) -> int:
    """Return in how many ways so many can be chosen."""
    return 1 if many in (0, count) else ways(count - 1, many) + ways(count - 1, many - 1)


def test_a_test_against_somebody() -> None:
    """No face wins automatically, and a tie fails."""
    table, rows = load_odds_table("That a test against somebody succeeds")
    assert table.columns == ("success", "failure")
    wins = {by: share(lambda one, other, by=by: one + by > other) for by in AHEAD}  # type: ignore[misc]
    assert rows == {case: (wins[by], 1 - wins[by]) for case, by in zip(SIGNED, AHEAD, strict=True)}


def test_somebody_is_knocked_prone() -> None:
    table, rows = load_odds_table("That somebody is knocked prone")
    assert table.columns == ("with two hands", "with one hand or bare hands")
    assert rows == {
        case: (find_hit_chance(by), find_hit_chance(by, -1)) for case, by in zip(SIGNED, AHEAD, strict=True)
    }


def test_levels_in_an_attack() -> None:
    table, rows = load_odds_table("What levels are worth in an attack")
    assert table.columns == ("you win", "both land", "you lose")
    cases = {"2 of disadvantage": -2, "1 of disadvantage": -1, "none": 0}
    cases |= {f"{levels} of advantage": levels for levels in (1, 2, 3)}
    assert rows == {case: melee(0, levels) for case, levels in cases.items()}


@pytest.mark.parametrize("levels", range(-3, 4))
def test_levels_are_dice_of_which_one_counts(levels: int) -> None:
    assert counting_face(levels) == faces(levels)


@pytest.mark.parametrize(("own", "foe"), [((2, 1), (0, -1)), ((0, -2), (4, 1)), ((1, 0), (3, 2))])
def test_both_sides_have_bonuses_and_levels(own: tuple[int, int], foe: tuple[int, int]) -> None:
    """Also where it is not the first one who has more of them."""
    by, mine, theirs = own[0] - foe[0], own[1], foe[1]
    both = share(lambda one, other: one == other == 20 or better(one, other, by) == 0, mine, theirs)
    wins = share(lambda one, other: one + other < 40 and better(one, other, by) > 0, mine, theirs)
    assert oppose_rolls(Roll(*own), Roll(*foe)) == {"wins": wins, "both": both, "loses": 1 - wins - both}
    assert contest_chance(Roll(*own), Roll(*foe)) == share(lambda one, other: one + by > other, mine, theirs)
    strays = shot_victims(Roll(*own), Roll(*foe), None)
    assert strays == {"target": find_hit_chance(by, mine, theirs), "nobody": 1 - find_hit_chance(by, mine, theirs)}


def test_what_cannot_fail_and_what_cannot_succeed() -> None:
    assert reach_chance(Roll(11), 12) == 1
    assert reach_chance(Roll(10), 12) == Fraction(19, 20)
    assert reach_chance(Roll(-9), 12) == 0
    assert contest_chance(Roll(0), Roll(30)) == 0


def test_a_neighbour_has_bonuses_and_levels_of_its_own() -> None:
    """It must reach the shot's total; a 20 succeeds unless the shot was one."""
    found = Fraction(0)
    for mine, theirs, chance in pairs(0, 1):
        if better(mine, theirs, 2 - 1) <= 0:
            away = sum(part for own, part in faces(-1).items() if own + 3 >= mine + 2 or own == 20 != mine)
            found += chance * (1 - away) / 2
    assert shot_victims(Roll(2), Roll(1, 1), Roll(3, -1))["neighbour"] == found


def test_an_exchange_takes_hit_points_from_either_side() -> None:
    """A one-sided weapon against one that always hurts: what the dice of each come to, criticals doubled."""
    found: dict[tuple[int, int], Fraction] = {}
    for mine, theirs, chance in pairs(1, 0):
        ahead, twice = better(mine, theirs, 2), mine == theirs == 20
        gives = harm((4, 1, 4, 0), 1 + (mine == 20)) if ahead >= 0 or twice else {0: Fraction(1)}
        takes = harm((6, 0, 0, 2), 1 + (theirs == 20)) if ahead <= 0 or twice else {0: Fraction(1)}
        for (given, part), (taken, rest) in product(gives.items(), takes.items()):
            found[given, taken] = found.get((given, taken), Fraction(0)) + chance * part * rest
    assert exchange_losses(Roll(3, 1), Roll(1), Arms(4, 1, 4), Arms(6, 0, 0, 2)) == found
