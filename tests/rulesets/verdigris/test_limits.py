"""The limits of every number that an encounter file may give, and of its settings."""

from __future__ import annotations

from typing import Any

import pytest

from affray.engine.errors import Unusable
from tests.rulesets.verdigris.moments import ADA, moment, open_with_orc, unusable

LIMITS: list[tuple[str, int, int]] = [
    ("strength", 0, 30),
    ("hp", 1, 999),
    ("hp_max", 1, 999),
    ("wounds", 0, 30),
    ("stress", 0, 30),
    ("inspiration", 0, 1),
    ("bodies", 0, 30),
    ("count", 1, 500),
]


@pytest.mark.parametrize(("field", "low", "high"), LIMITS)
def test_numbers_on_a_sheet(field: str, low: int, high: int) -> None:
    """The least and the most are taken, one beyond is not."""
    for number in (low, high):
        assert open_with_orc({**ADA, field: number}).combatants
    for number in (low - 1, high + 1):
        assert unusable({**ADA, field: number})[0].startswith("combatant[0]")


@pytest.mark.parametrize(
    ("told", "fits", "beyond"),
    [
        ({"name": "{}"}, "A" * 60, "A" * 61),
        ({"name": "{}"}, "A", ""),
        ({"talents": {"hardy": "{}"}}, 9, 10),
        ({"talents": {"hardy": "{}"}}, 1, 0),
        ({"skills": {"bows": "{}"}}, 30, 31),
        ({"ammunition": {"arrow": "{}"}}, 0, -1),
        ({"mount": {"mount": "mule", "hp": "{}"}}, 999, 1000),
        ({"mount": {"mount": "mule", "hp": "{}"}}, 1, 0),
        ({"mount": {"mount": "mule", "quality": "{}"}}, 30, 31),
        ({"items": [{"name": "keg", "slots": "{}"}]}, 0, -1),
        ({"items": [{"name": "keg", "slots": "{}", "where": "pack"}]}, 5, 100),
    ],
)
def test_other_limits(told: dict[str, Any], fits: Any, beyond: Any) -> None:
    """Named, trained, carried and ridden things."""

    def filled(into: Any, value: Any) -> Any:
        if isinstance(into, dict):
            return {key: filled(one, value) for key, one in into.items()}
        if isinstance(into, list):
            return [filled(one, value) for one in into]
        return value if into == "{}" else into

    assert open_with_orc({**ADA, **filled(told, fits)}).combatants
    assert unusable({**ADA, **filled(told, beyond)})[0].startswith("combatant[0]")


@pytest.mark.parametrize(("field", "low", "high"), [("damage", 0, 999), ("bonus", 0, 999), ("max", 0, 999)])
def test_weapons_of_the_encounters_own(field: str, low: int, high: int) -> None:
    """Both numbers of a weapon are at least 0 (VER-098)."""
    hook = {"name": "hook", "group": "heavy", "damage": 1, "bonus": 1}
    for number in (low, high):
        assert open_with_orc(ADA, weapon={"hook": {**hook, field: number}}).combatants
    for number in (low - 1, high + 1):
        assert unusable(ADA, weapon={"hook": {**hook, field: number}})[0].startswith("weapon")


@pytest.mark.parametrize(
    ("key", "fits", "beyond"),
    [
        ("initiative_target", (2, 6), (1, 7)),
        ("move_transitions_per_move", (1, 2), (0, 3)),
        ("pool_minimum", (0, 1), (-1, 2)),
        ("free_attack_limit_per_round", ("none", 0, 1), (-1, "some")),
        ("stray_damage_sl", (0, "attacker_sl"), (1, -1)),
        ("crit_sixes", (1, 20), (0,)),
    ],
)
def test_settings(key: str, fits: tuple[Any, ...], beyond: tuple[Any, ...]) -> None:
    """The least and the most of each, and nothing else."""
    for value in fits:
        assert open_with_orc(ADA, config={key: value}).combatants
    for value in beyond:
        assert unusable(ADA, config={key: value})[0].startswith("config")


def test_a_melee_takes_two() -> None:
    assert unusable(ADA, melee=[{"members": ["ada"]}])[0].startswith("melee[0].members")


def test_somebody_has_to_be_there() -> None:
    """And a player character of the party among them; one of the enemies' does not roll for it (VER-003)."""
    with pytest.raises(Unusable):
        moment({"combatant": []})
    for people in ([{**ADA, "pc": False}], [{**ADA, "side": "enemies"}]):
        assert unusable(*people)[1].startswith("combatant: the party has no player character")
