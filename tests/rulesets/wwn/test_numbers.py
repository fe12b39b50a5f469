"""The numbers of the rule page that stand in the code and not in a table."""

from __future__ import annotations

import pytest

from affray.engine.rulesets.wwn.attack.blow import D20
from affray.engine.rulesets.wwn.attack.legality import FEW
from affray.engine.rulesets.wwn.attack.modifiers import SITUATED, WORTH, Blow
from affray.engine.rulesets.wwn.chapters.checks import TWO_D6
from affray.engine.rulesets.wwn.chapters.maneuvers import REWARD
from affray.engine.rulesets.wwn.encounter.file import MOVE
from affray.engine.rulesets.wwn.encounter.outfit import MANY
from affray.engine.rulesets.wwn.gear.handling import LOADING_ROUNDS
from affray.engine.rulesets.wwn.gear.things import HANDS, LONG, UNARMORED, count_hands, find_mode
from affray.engine.rulesets.wwn.movement.board import COVER, FAR, SQUARE
from affray.engine.rulesets.wwn.sheet import MODIFIERS, UNTRAINED, attribute
from affray.events import Dice
from tests.rulesets.statistics import open_unstored_fight


def test_the_numbers_of_the_terms() -> None:
    assert (UNARMORED, UNTRAINED, MOVE, SQUARE, LONG, LOADING_ROUNDS, REWARD, MANY, HANDS) == (
        10, -1, 30, 5, 10, 10, 2, 5, 2
    )  # fmt: skip
    assert Dice(count=1, sides=20, kind="attack") == D20[0]
    assert Dice(count=2, sides=6, kind="check") == TWO_D6[0]
    assert (len(D20), len(TWO_D6), FAR, FEW) == (1, 1, 9999, 9)
    assert COVER == ("clear", "half", "near_complete", "blocked")


@pytest.mark.parametrize(
    ("table", "steps"),
    [
        ("wwn", {-2: [3], -1: [4, 5, 6, 7], 0: [8, 9, 10, 11, 12, 13], 1: [14, 15, 16, 17], 2: [18]}),
        ("bx", {-3: [3], -2: [4, 5], -1: [6, 7, 8], 0: [9, 10, 11, 12], 1: [13, 14, 15], 2: [16, 17], 3: [18]}),
    ],
)
def test_what_a_score_adds(table: str, steps: dict[int, list[int]]) -> None:
    """Also for scores beyond the usual range, by rulings; an unstated score adds nothing."""
    found = MODIFIERS[table]
    assert {score: found[score] for score in range(3, 19)} == {
        one: by for by, scores in steps.items() for one in scores
    }
    assert len(found) == 19
    people = [
        {"name": "Asha", "side": "heroes", "pc": True, "attack": 0, "hp": 1, "str": 3, "dex": 18},
        {"name": "Wolf", "side": "pack", "ac": 10, "attack": 0, "hp": 1},
    ]
    fight = open_unstored_fight({"system": "wwn", "combatant": people, "config": {"attribute_mods": table}})
    assert attribute(fight.table, "asha", "str") == min(steps)
    assert attribute(fight.table, "asha", "dex") == max(steps)
    assert attribute(fight.table, "asha", "wis") == 0


def test_what_circumstances_are_worth() -> None:
    assert {name: value for name, (value, _) in WORTH.items()} == {
        "prone_near": 2,
        "prone_far": -2,
        "attacker_prone": -4,
        "half_cover": -2,
        "near_complete_cover": -4,
        "snap": -4,
        "range": -2,
        "thrown_in_melee": -4,
        "no_ride": -1,
    }
    assert {f"WWN-0{nth}" for nth in (*range(15, 24), 49)} == SITUATED


def test_an_attack_is_plain_where_nothing_is_said() -> None:
    blow = Blow("raider", "asha.sword", "melee")
    assert (blow.dual, blow.extra, blow.bonus, blow.dice, blow.rules) == ("", (), (), None, ())
    assert (blow.spare, blow.snap, blow.harmless, blow.shocks) == (False, False, False, True)


def test_hands_and_modes_of_weapons() -> None:
    people = [
        {
            "name": "Asha",
            "side": "heroes",
            "pc": True,
            "attack": 0,
            "hp": 1,
            "weapons": ["staff", "dagger", "bow_small"],
        },
        {"name": "Grey", "side": "pack", "block": "warhorse"},
    ]
    items = open_unstored_fight({"system": "wwn", "combatant": people}).state.items
    taken = {key: count_hands(items[key]) for key in items}
    assert taken == {"asha.staff": 2, "asha.dagger": 1, "asha.bow_small": 2, "asha.unarmed": 0, "grey.natural": 0}
    assert [find_mode(items[key]) for key in ("asha.staff", "asha.bow_small")] == ["melee", "shoot"]
