"""Positions and cover, case by case: every ring of enemies, every side of a hex, and what lies on the way."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from affray.engine.core.table import Table
from affray.engine.kit.hexes import hex_neighbours
from affray.engine.rulesets.hexblade.attack.rolls import cite_both_positions, make_d20s
from affray.engine.rulesets.hexblade.movement.positions import (
    can_see,
    find_opposite_hex,
    is_flanked,
    is_overrun,
    list_cover_levels,
    list_covers,
)
from affray.events import Modifier, Ruled, Source
from tests.rulesets.statistics import open_unstored_fight, params, submit_intent


@pytest.mark.parametrize("ring", list(product((False, True), repeat=6)))
def test_two_opposite_enemies_flank_and_four_overrun(ring: tuple[bool, ...]) -> None:
    assert is_flanked(ring) == any(ring[at] and ring[at + 3] for at in range(3))
    assert is_overrun(ring) == (sum(ring) >= 4)


def test_nobody_around_is_nobody() -> None:
    assert not is_flanked(())
    assert not is_overrun(())


def test_the_hex_behind_somebody() -> None:
    for at, hex in enumerate(hex_neighbours("0,0")):
        assert find_opposite_hex("0,0", hex) == hex_neighbours("0,0")[(at + 3) % 6]
    assert find_opposite_hex("0,0", "2,0") == ""


def level(value: int, label: str = "ruling") -> Modifier:
    """Return so many levels."""
    return Modifier(value=value, label=label, source="gm")


@pytest.mark.parametrize(
    ("values", "count", "keep"),
    [
        ((), 1, ""),
        ((1,), 2, "highest"),
        ((1, 1), 3, "highest"),
        ((-1,), 2, "lowest"),
        ((-2, -1), 4, "lowest"),
        ((2, -1), 2, "highest"),
        ((1, -1), 1, ""),
        ((1, -3), 3, "lowest"),
    ],
)
def test_levels_make_dice_and_cancel_out(values: tuple[int, ...], count: int, keep: str) -> None:
    (dice,) = make_d20s(tuple(level(value) for value in values), "evade")
    assert (dice.count, dice.sides, dice.kind, dice.keep) == (count, 20, "evade", keep or dice.keep)
    assert keep or dice.keep not in ("highest", "lowest")


def test_flanking_and_overrun_together() -> None:
    assert cite_both_positions((level(1, "flanking"), level(1, "overrun"))) == ("HEX-077",)
    assert (
        cite_both_positions((level(1, "flanking"),))
        == cite_both_positions((level(1, "overrun"),))
        == cite_both_positions(())
        == ()
    )


def table(board: dict[str, Any], at: str = "3,0", cover: str = "", **config: Any) -> Table:
    """Return a combatant at 0,0 that looks at another."""
    people = [
        {"name": "Ada", "side": "a", "hp": 5, "at": "0,0"},
        {"name": "Foe", "side": "b", "hp": 5, "at": at, "cover": cover},
    ]
    return open_unstored_fight({"system": "hexblade", "board": board, "combatant": people, "config": config}).table


@pytest.mark.parametrize(("side", "back"), [(0, 3), (1, 4), (2, 5), (3, 0), (4, 1), (5, 2)])
@pytest.mark.parametrize("kind", ["soft", "hard"])
def test_a_side_gives_cover_from_both_of_its_hexes(side: int, back: int, kind: str) -> None:
    """For either hex that names it; the other sides of the two give none."""
    there = hex_neighbours("0,0")[side]
    beyond = hex_neighbours(there)[side]
    for between in (("0,0", there), (there, "0,0")):
        found = list_covers(table({"side": [{"between": between, "cover": kind}]}, beyond), "ada", "foe")
        assert found == ((kind, Source(of="0,0", to=there)),)
    for other in set(range(6)) - {side}:
        beside = {"side": [{"between": ("0,0", hex_neighbours("0,0")[other]), "cover": kind}]}
        assert list_covers(table(beside, beyond), "ada", "foe") == ()
    elsewhere = {"side": [{"between": (there, hex_neighbours(there)[(back + 1) % 6]), "cover": kind}]}
    assert list_covers(table(elsewhere, beyond), "ada", "foe") == ()


@pytest.mark.parametrize(
    ("board", "found"),
    [
        ({"smoke": ["1,0"]}, (("soft", "1,0"),)),
        ({"fence": ["2,0"]}, (("hard", "2,0"),)),
        ({"smoke": ["3,0"]}, (("soft", "3,0"),)),
        ({"smoke": ["0,0"]}, ()),
        ({"fence": ["4,0"]}, ()),
        ({"smoke": ["1,-1"], "difficult": ["1,0"]}, ()),
        ({"smoke": ["1,0"], "fence": ["1,0", "3,0"]}, (("soft", "1,0"), ("hard", "1,0"), ("hard", "3,0"))),
        ({"blocked": ["1,0"]}, ()),
    ],
)
def test_ground_on_the_way_covers_the_targets_own_and_not_the_shooters(board: dict[str, Any], found: Any) -> None:
    assert list_covers(table(board), "ada", "foe") == found


def test_what_is_about_somebody_comes_first() -> None:
    assert list_covers(table({}, cover="hard"), "ada", "foe") == (("hard", "foe.hard_cover"),)
    found = list_covers(table({"smoke": ["1,0"]}, cover="soft"), "ada", "foe")
    assert found == (("soft", "foe.soft_cover"), ("soft", "1,0"))


@pytest.mark.parametrize(
    ("hex", "seen"), [("0,0", True), ("1,0", False), ("2,0", False), ("3,0", True), ("1,-1", True)]
)
def test_a_wall_between_hides(hex: str, seen: bool) -> None:
    """A combatant in it is seen, and one beside the line hides no other."""
    found = table({"difficult": ["9,9"]})
    found.draft.places[hex] = open_unstored_fight({"system": "hexblade", "board": {"blocked": ["8,8"]}, "combatant": [
        {"name": "Ada", "side": "a", "hp": 5}
    ]}).table.draft.places["8,8"]  # fmt: skip
    assert can_see(found, "ada", "foe") is seen


@pytest.mark.parametrize(
    ("at", "config", "levels", "rules"),
    [
        ("2,0", {}, [(2, "hard cover", "HEX-080")], ("HEX-078", "HEX-082")),
        (
            "2,0",
            {"cover_stack": True},
            [(1, "soft cover", "HEX-079"), (2, "hard cover", "HEX-080")],
            ("HEX-078", "HEX-082"),
        ),
        ("1,0", {"cover_against_adjacent": False}, [], ("HEX-079",)),
        ("1,0", {}, [(2, "hard cover", "HEX-080")], ("HEX-078", "HEX-082")),
    ],
)
def test_the_best_cover_counts_next_to_one_unless_the_table_says_otherwise(
    at: str, config: dict[str, Any], levels: list[tuple[int, str, str]], rules: tuple[str, ...]
) -> None:
    found, why = list_cover_levels(table({"smoke": ["1,0"], "fence": ["1,0"]}, at, **config), "ada", "foe")
    assert [(one.value, one.label, one.rule) for one in found] == levels
    assert why == rules


def test_a_ruling_on_the_pair_goes_before_the_map() -> None:
    """Also next to one another."""
    people = [{"name": name, "side": name, "hp": 5, "at": at} for name, at in (("Ada", "0,0"), ("Foe", "1,0"))]
    fight = open_unstored_fight({"system": "hexblade", "board": {"fence": ["1,0"]}, "combatant": people,
                    "config": {"cover_against_adjacent": False}})  # fmt: skip
    assert list_cover_levels(fight.table, "ada", "foe") == ((), ("HEX-079",))
    for view, value, rules in (("soft", [1], ("HEX-078",)), ("hard", [2], ("HEX-078",)), ("clear", [], ())):
        submit_intent(
            fight, Ruled(kind="view", params=params(viewer="ada", target="foe", view=view), reason="so it is")
        )
        found, why = list_cover_levels(fight.table, "ada", "foe")
        assert ([one.value for one in found], why) == (value, rules)
        assert can_see(fight.table, "ada", "foe")
    submit_intent(
        fight, Ruled(kind="view", params=params(viewer="ada", target="foe", view="blocked"), reason="so it is")
    )
    assert not can_see(fight.table, "ada", "foe")
