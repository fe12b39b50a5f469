"""Size limits of an encounter file of Vestige, and the default configuration."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import convert
from msgspec.structs import replace

from affray.engine.core.loading import load
from affray.engine.core.ruleset import config_of
from affray.engine.errors import Unusable
from affray.engine.rulesets.vestige.config import Config
from affray.engine.rulesets.vestige.encounter.setup import encounter
from affray.engine.rulesets.vestige.encounter.stock import collect_tables
from affray.engine.rulesets.vestige.tables import Skill, Weapon, skills, weapons
from affray.events import DistanceSet
from tests.rulesets.statistics import open_unstored_fight
from tests.rulesets.vestige.test_encounter import ADA, BO, NEW, events, items

LIMITS = {
    "count": (1, 500),
    "agility": (1, 30),
    "might": (0, 999),
    "accuracy": (-99, 99),
    "protection": (0, 999),
    "health_max": (5, 999),
    "ep_max": (0, 999),
    "ep_regain": (0, 999),
    "move": (0, 99),
    "morale": (-999, 999),
}


@pytest.mark.parametrize("key", LIMITS)
def test_numbers_have_limits(key: str) -> None:
    """Each is used as it is up to there."""
    low, high = LIMITS[key]
    for value in (low, high):
        events({**ADA, key: value})
    for value in (low - 1, high + 1):
        with pytest.raises(Unusable):
            events({**ADA, key: value})


@pytest.mark.parametrize("key", ["name", "side"])
def test_names_have_one_to_sixty_letters(key: str) -> None:
    for letters in (1, 60):
        events({**ADA, key: "a" * letters})
    for letters in (0, 61):
        with pytest.raises(Unusable) as found:
            events({**ADA, key: "a" * letters})
        assert found.value.field == f"combatant[0].{key}"


@pytest.mark.parametrize("numbers", [{"health": 1000}, {"ep": 1000, "ep_max": 999}, {"health": -1}, {"ep": -1}])
def test_counters_have_limits(numbers: dict[str, int]) -> None:
    with pytest.raises(Unusable):
        events({**ADA, **numbers})


def test_distances_have_limits() -> None:
    for metres in (0, 999):
        told = events(ADA, BO, distance=[{"between": ["ada", "bo"], "metres": metres}])[-1]
        assert told == DistanceSet(pair=("ada", "bo"), before=None, after=metres)
    for metres in (-1, 1000):
        with pytest.raises(Unusable):
            events(ADA, BO, distance=[{"between": ["ada", "bo"], "metres": metres}])


@pytest.mark.parametrize(
    "told",
    [
        {"bord": {}},
        {"board": {"water": []}},
        {"combatant": [{**ADA, "strength": 3}]},
        {"distance": [{"between": ["ada", "bo"], "feet": 3}]},
        {"view": [{"between": ["ada", "bo"], "look": "blocked"}]},
        {"weapon": {"claw": {"name": "claw", "type": "unarmed", "range": 1, "reach": 2}}},
        {"skill": {"feint": {"name": "Feint", "effect": "gm", "cost": 2}}},
        {"weapon": {"claw": {"name": "claw", "type": "unarmed", "range": -1}}},
        {"weapon": {"claw": {"name": "claw", "type": "unarmed", "range": 1, "accuracy": 100}}},
        {"weapon": {"claw": {"name": "claw", "type": "unarmed", "range": 1, "might": -100}}},
        {"weapon": {"claw": {"name": "claw", "type": "unarmed", "range": 1000}}},
    ],
)
def test_a_file_says_nothing_unknown_and_nothing_beyond_its_limits(told: dict[str, Any]) -> None:
    with pytest.raises(Unusable):
        encounter({"system": "vestige", "combatant": [ADA, BO], **told}, Config())


def test_weapons_and_skills_may_be_at_their_limits() -> None:
    claw = {"name": "claw", "type": "unarmed", "range": 999, "accuracy": 99, "might": -99, "might_min": 999}
    bite = {"name": "Bite", "effect": "attack", "range": 999, "accuracy": -99, "might": 99, "ep": 999}
    found = items({**ADA, "weapons": ["claw"], "skills": ["bite"]}, weapon={"claw": claw}, skill={"bite": bite})
    assert found["ada.claw"].stats == {"range": 999, "accuracy": 99, "might": -99, "might_min": 999}
    assert found["ada.bite"].stats == {"accuracy": -99, "might": 99, "range": 999}


def test_a_table_plays_by_the_page_unless_it_says_otherwise() -> None:
    """Every setting of the page's Terms with its default."""
    kinds = ("attack", "skill", "move", "shift", "swap", "reload", "improvise")
    assert config_of(load("vestige"), {}) == Config(
        reroll_initiative=False,
        initiative_modifier=0,
        initiative_tie="agility",
        accuracy_per_ep=1,
        accuracy_ep_cap=-1,
        ep_max=5,
        ep_start="max",
        ep_regain=1,
        metric="chebyshev",
        lock_needs_melee_weapon=True,
        provoked_free=True,
        move_metres=5,
        start_loaded=True,
        readied_kinds=kinds,  # type: ignore[arg-type]
        readied_max=1,
        readied_lapse="next_turn_start",
        window_close="all_pass_or_gm",
        brink_target=10,
        brink_modifier=0,
        brink_fail="dead",
        forfeit_only_at_brink=True,
        morale_min=-999,
        draw_morale=0,
    )


SETTINGS: dict[str, tuple[int, int | None]] = {
    "initiative_modifier": (-20, 20),
    "accuracy_per_ep": (0, None),
    "accuracy_ep_cap": (-1, None),
    "ep_max": (0, None),
    "ep_regain": (0, None),
    "move_metres": (1, None),
    "readied_max": (1, None),
    "brink_target": (1, 21),
    "brink_modifier": (-20, 20),
    "morale_min": (-999, 999),
    "draw_morale": (-9, 9),
}


@pytest.mark.parametrize("key", SETTINGS)
def test_settings_have_limits(key: str) -> None:
    rules = load("vestige")
    low, high = SETTINGS[key]
    for value in (low, 0 if low < 0 else low + 1, 999 if high is None else high):
        assert getattr(config_of(rules, {key: value}), key) == value
    for value in (low - 1, *(() if high is None else (high + 1,))):
        with pytest.raises(Unusable):
            config_of(rules, {key: value})


def test_settings_are_those_of_the_page() -> None:
    for said in ({"metres": 3}, {"metric": "taxi"}, {"readied_kinds": ["delay"]}, {"start_loaded": 1}):
        with pytest.raises(Unusable):
            config_of(load("vestige"), said)


def test_a_fight_under_way_draws_on_what_its_combatants_brought() -> None:
    """Each number and each word of a weapon and of a skill is what its file said."""
    claw = {"name": "claw", "type": "beak", "range": 4, "accuracy": -3, "might": 5, "might_min": 2}
    sling = {"name": "sling", "type": "bow", "range": 0, "ammunition": True}
    told = {"weapon": {"claw": claw, "sling": sling}, "skill": NEW}
    entry = {**ADA, "weapons": ["claw", "sling"], "skills": ["volley", "feint"], "disciplines": ["dance"]}
    entry["skills"] += ["lunge", "snapshot", "set-spear", "slip-away"]
    fight = open_unstored_fight({"system": "vestige", "combatant": [entry, BO], **told})
    found = collect_tables(fight.table)
    assert found.weapons == {**weapons(), **convert(told["weapon"], dict[str, Weapon])}
    new = convert(NEW, dict[str, Skill])
    assert found.skills["leap"] == new["leap"]
    assert found.skills["feint"] == replace(new["feint"], provokes=False)
    assert found.skills["volley"] == replace(new["volley"], provokes=False)
    assert found.skills["lunge"] == replace(skills()["lunge"], provokes=False)
    assert found.skills["snapshot"] == replace(skills()["snapshot"], provokes=False)
    assert found.skills["heavy-blow"] == skills()["heavy-blow"]
    assert found.skills["slip-away"] == skills()["slip-away"]
    assert found.skills["set-spear"] == replace(skills()["set-spear"], provokes=False)
