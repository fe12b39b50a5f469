"""Exact chances against another library, against counting by hand, and against the engine itself."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool
import pytest
from icepool import d

from affray.engine.kit.odds import (
    add_rolls,
    chain_rolls,
    combine,
    die,
    find_chance,
    find_mean,
    highest_of,
    list_odds_tables,
    lowest_of,
    make_certain,
    repeat_roll,
    take_highest,
    weigh,
)
from affray.engine.rulesets.hexblade import odds as hexblade
from affray.engine.rulesets.verdigris import odds as verdigris
from affray.engine.rulesets.vestige import odds as vestige
from affray.engine.rulesets.wwn import odds as wwn
from affray.engine.rulesets.wyrd import odds as wyrd
from tests.rulesets.systems import PRESENT, RULESETS


def exact(part: Any) -> dict[Any, Fraction]:
    """Return a distribution of the other library as fractions."""
    return {outcome: part.probability(outcome) for outcome in part.outcomes()}


def test_the_parts_agree_with_another_library() -> None:
    assert dict(add_rolls(die(6), die(8), make_certain(3))) == exact(d(6) + d(8) + 3)
    assert dict(take_highest(die(4), die(10))) == exact(icepool.highest(d(4), d(10)))
    assert dict(highest_of(3, 20)) == exact(d(20).highest(3, 1))
    assert dict(lowest_of(2, 20)) == exact(d(20).lowest(2, 1))
    assert dict(repeat_roll(5, die(6))) == exact(5 @ d(6))
    assert find_mean(die(6)) == Fraction(7, 2)
    assert take_highest() == {0: 1}
    assert die(0) == {0: 1}


def test_what_follows_depends_on_what_fell_before() -> None:
    two = chain_rolls(die(2), lambda face: die(6) if face == 1 else make_certain(0))
    assert two == {0: Fraction(1, 2), **{face: Fraction(1, 12) for face in range(1, 7)}}
    assert find_chance(combine(lambda one, other: one > other, die(4), die(4)), bool) == Fraction(6, 16)
    assert weigh({"a": 3, "b": 1, "c": 0}) == {"a": Fraction(3, 4), "b": Fraction(1, 4)}


@pytest.mark.parametrize("system", PRESENT)
def test_every_row_of_every_table_is_whole(system: str) -> None:
    tables = list_odds_tables(RULESETS[system])
    assert tables
    for table in tables:
        assert table.clauses
        for row in table.rows:
            assert len(row.chances) == len(table.columns), (table.title, row.case)
            assert all(0 <= one <= 1 for one in row.chances), (table.title, row.case)
            assert table.shape == "curves" or sum(row.chances) == 1, (table.title, row.case)
            assert (row.mean is not None) == bool(table.averages), (table.title, row.case)


def test_wyrds_exchange_agrees_with_another_library() -> None:
    own, foe = wyrd.Fighter(6, (10,), (4,), 6), wyrd.Fighter(6, (8,), (6,), 6)

    def struck(who: str, amount: Any, armor: Any) -> Any:
        return icepool.map(
            lambda dealt, stopped, face: (
                who,
                max(0, dealt - stopped),
                wyrd.wound_by_face(face, max(0, dealt - stopped), 6),
            ),
            amount,
            armor,
            d(6),
        )

    def exchange(ability: int, weapon: int) -> Any:
        if max(ability, weapon) >= 4:
            return struck(wyrd.HIT, weapon, d(6))
        return struck(wyrd.HURT, d(8), d(4))

    found = combine(lambda one: (one.who, one.struck.remaining, one.struck.wound), wyrd.exchange_results(own, foe))
    assert dict(found) == exact(icepool.map(exchange, d(6), d(10)))


def test_hexblades_exchange_agrees_with_another_library() -> None:
    def blow(sides: int, bonus: int, armor: int, critical: bool) -> Any:
        return ((1 + critical) @ d(sides) + bonus - d(armor)).map(lambda amount: max(0, amount))

    def harm(mine: int, theirs: int) -> Any:
        ahead = 0 if mine == theirs == 20 else hexblade.lead_of(mine, theirs, mine + 3 - theirs - 1)
        return icepool.tupleize(
            blow(8, 3, 6, mine == 20) if ahead >= 0 else 0, blow(6, 1, 4, theirs == 20) if ahead <= 0 else 0
        )

    own, foe = hexblade.Roll(3), hexblade.Roll(1, -1)
    part = icepool.map(harm, d(20), d(20).lowest(2, 1))
    found = hexblade.exchange_losses(own, foe, hexblade.Arms(8, 3, 6), hexblade.Arms(6, 1, 4))
    assert dict(found) == {tuple(outcome): weight for outcome, weight in exact(part).items()}


def test_two_critical_rolls_land_both_blows_whatever_the_totals() -> None:
    unequal = hexblade.oppose_rolls(hexblade.Roll(9), hexblade.Roll())
    ties = Fraction(11, 400) - Fraction(1, 400)
    assert unequal["both"] >= Fraction(1, 400)
    assert unequal["both"] - Fraction(1, 400) <= ties


def test_verdigris_push_agrees_with_another_library() -> None:
    """A one of the new stress die takes a Panic save of one success to keep anything."""
    again = d(6).map(lambda face: int(face == 6) if face in (1, 6) else d(6).map(lambda second: int(second == 6)))
    six = d(6).map(lambda face: int(face == 6))

    def kept(face: int, level: int) -> Any:
        if face == 1:
            return (3 @ six).map(lambda calm: level if calm else 0)
        return level + (face == 6)

    assert dict(verdigris.level(verdigris.Pool(5), pushed=True)) == exact(icepool.map(kept, d(6), 5 @ again))
    assert dict(verdigris.sixes(6)) == exact(6 @ six)


def test_wwn_and_vestige_by_hand() -> None:
    assert wwn.hits(3, 13) == Fraction(11, 20)
    assert (wwn.hits(30, 10), wwn.hits(-30, 10)) == (Fraction(19, 20), Fraction(1, 20))
    sword = wwn.Weapon(1, 8, 1, 3, 13)
    assert wwn.attack_outcome(3, 13, sword)["shock", 3] == Fraction(9, 20)
    assert wwn.attack_outcome(3, 14, sword)["miss", 0] == Fraction(10, 20)
    assert wwn.damage(sword, 13)[3] == Fraction(2, 8)
    assert wwn.check(1, 8) == Fraction(21, 36)
    assert wwn.opposed_check(0) + wwn.opposed_check(1) == 1
    assert wwn.morale(7) == Fraction(21, 36)
    assert wwn.first(0) == Fraction(36, 64)
    assert vestige.hit_chance(3, 13) == Fraction(11, 20)
    assert [vestige.hit_chance(20, 13), vestige.hit_chance(-20, 13)] == [1, 0]
    assert vestige.hold_chance() == Fraction(11, 20)
    assert vestige.first_chance(1, better=True) + vestige.first_chance(1, better=False) == 1
