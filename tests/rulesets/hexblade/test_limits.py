"""Size limits of Hexblade: each limit is accepted, and one beyond it is refused."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from affray.engine.rulesets.hexblade import RULESET
from affray.engine.rulesets.hexblade.config import Config
from affray.engine.rulesets.hexblade.encounter.file import Board, Encounter, Side, Spec
from affray.engine.rulesets.hexblade.gear import find_smaller
from affray.engine.rulesets.hexblade.tables import DICE, Armor, Block, Condition, Skill, Spell, Terrain, Weapon

ADA = {"name": "Ada", "side": "party"}
CLUB = {"name": "club", "attribute": "str", "die": 4, "hands": 1}
LEAST: dict[type[Any], dict[str, Any]] = {
    Config: {},
    Spec: ADA,
    Spell: {"name": "flash"},
    Side: {"between": ["0,0", "1,0"], "cover": "soft"},
    Board: {},
    Encounter: {"system": "hexblade", "combatant": [ADA]},
    Weapon: CLUB,
    Armor: {"name": "rags"},
    Skill: {"name": "Swim", "attribute": "str"},
    Terrain: {"name": "ice", "hexes": 1},
    Condition: {"name": "wet", "of": "combatant", "effect": "drips", "end": "drying", "rule": "HEX-001"},
    Block: {"name": "Wolf", "hp": 4, "weapons": []},
}
"""The least that can be said of each."""


@pytest.mark.parametrize("form", LEAST)
def test_nothing_is_said_that_is_not_known(form: type[Any]) -> None:
    msgspec.convert(LEAST[form], form)
    with pytest.raises(msgspec.ValidationError, match="unknown field"):
        msgspec.convert({**LEAST[form], "luck": 1}, form)


def test_what_is_left_out_is_usual() -> None:
    """By the page's table of keys; no combatant carries, knows or covers anything by default."""
    assert msgspec.to_builtins(Config()) == {
        "hex_feet": 5,
        "initiative_tie": "npc_first",
        "positional_advantage_on_counter_roll": True,
        "durability_damages": "weapon",
        "durability_applies_to_ranged": False,
        "repair_by": "owner",
        "belt_cost": "free",
        "crowd_when": "always",
        "nat1_applies_to": "player_characters",
        "disarm_two_handed_advantage": "either_party",
        "maneuver_tie": "initiator_fails",
        "grapple_break_cost": "action",
        "pack_cost": "whole_turn",
        "cover_against_adjacent": True,
        "cover_stack": False,
        "zero_hp_npc": "slain",
        "zero_hp_pc": "down",
    }
    club = msgspec.convert(CLUB, Weapon)
    assert (club.durability, club.complex, club.natural, club.ammunition) == (0, False, False, "")
    rags, wet = msgspec.convert(LEAST[Armor], Armor), msgspec.convert(LEAST[Condition], Condition)
    assert (rags.die, rags.bonus, rags.hands, wet.disadvantage, wet.feet) == (0, 0, 0, 0, 0)
    wolf = msgspec.convert(LEAST[Block], Block)
    assert (wolf.pc, wolf.shield, wolf.armor, wolf.initiative, wolf.skills, wolf.missiles) == (
        False,
        False,
        "none",
        None,
        {},
        {},
    )
    numbers = (wolf.strength, wolf.dexterity, wolf.constitution, wolf.intelligence, wolf.wisdom, wolf.charisma)
    assert numbers == (0, 0, 0, 0, 0, 0)
    assert msgspec.convert(LEAST[Spell], Spell).rounds == 0
    ada = msgspec.convert(ADA, Spec)
    assert (ada.count, ada.movement, ada.pc, ada.shield) == (1, 30, None, None)


@pytest.mark.parametrize(
    ("form", "field", "least", "most"),
    [
        (Config, "hex_feet", 1, 100),
        (Spec, "hp", 1, 999),
        (Spec, "hp_max", 1, 999),
        (Spec, "count", 1, 500),
        (Spec, "movement", 0, 300),
        (Spec, "initiative", 0, 999),
        *((Spec, name, -20, 20) for name in ("str", "dex", "con", "int", "wis", "cha")),
        (Spell, "rounds", 0, 99),
        (Weapon, "hands", 0, 2),
        (Weapon, "durability", 0, 999),
        (Armor, "bonus", 0, 999),
        (Terrain, "hexes", 0, 9),
        (Condition, "disadvantage", 0, 999),
        (Block, "str", -20, 20),
    ],
)
def test_a_number_has_its_bounds(form: type[Any], field: str, least: int, most: int) -> None:
    for number in (least, most):
        assert field in msgspec.to_builtins(msgspec.convert({**LEAST[form], field: number}, form))
    for number in (least - 1, most + 1):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**LEAST[form], field: number}, form)


@pytest.mark.parametrize("field", ["name", "side"])
def test_names_are_from_one_letter_to_sixty(field: str) -> None:
    for length in (1, 60):
        msgspec.convert({**ADA, field: "a" * length}, Spec)
    for length in (0, 61):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**ADA, field: "a" * length}, Spec)


@pytest.mark.parametrize(
    ("form", "field", "values", "no"),
    [
        (Weapon, "die", (2, 3, 4, 6, 8, 10, 12), (0, 1, 5, 7, 9, 11, 13, 20)),
        (Armor, "die", (0, 4, 6, 8, 10, 12), (1, 2, 3, 5, 7, 9, 11, 13)),
        (Weapon, "attribute", ("str", "dex", "either"), ("con",)),
        (Terrain, "cover", ("none", "soft", "hard", "full"), ("some",)),
    ],
)
def test_only_dice_that_there_are(form: type[Any], field: str, values: tuple[Any, ...], no: tuple[Any, ...]) -> None:
    for value in values:
        msgspec.convert({**LEAST[form], field: value}, form)
    for value in no:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**LEAST[form], field: value}, form)


def test_a_fight_needs_somebody() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"system": "hexblade", "combatant": []}, Encounter)


WORDS = [("maneuver", "what", 1, {}), ("use", "item", 1, {}), ("use", "what", 0, {"item": "rope"})]


@pytest.mark.parametrize(("kind", "field", "least", "other"), [*WORDS, ("cast", "what", 0, {"spell": "flash"})])
def test_words_of_an_action_are_two_hundred_letters_at_most(
    kind: str, field: str, least: int, other: dict[str, Any]
) -> None:
    form = RULESET.actions[kind]
    for length in (least, 200):
        msgspec.convert({**other, field: "a" * length}, form)
    for length in {201, least - 1} - {-1}:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**other, field: "a" * length}, form)


@pytest.mark.parametrize(
    ("kind", "field", "least", "most", "other"),
    [("harm", "amount", 1, 999, {"who": "ada"}), ("dc", "dc", 1, 40, {"who": "ada"})],
)
def test_numbers_of_a_ruling_have_their_bounds(
    kind: str, field: str, least: int, most: int, other: dict[str, Any]
) -> None:
    for form in filter(None, (RULESET.rulings[kind], RULESET.actions.get(kind))):
        for number in (least, most):
            msgspec.convert({**other, field: number}, form)
        for number in (least - 1, most + 1):
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert({**other, field: number}, form)


def test_a_fixed_number_is_given_to_somebody() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"who": [], "to": 3}, RULESET.rulings["initiative"])


def test_what_a_ruling_leaves_open_is_usual() -> None:
    """No armour, no shot, no time, one action, all that were spent."""
    usual: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
        "harm": ({"who": "a", "amount": 1}, {"armored": False}),
        "free_attack": ({"who": "a", "target": "b"}, {"shot": False}),
        "effect": ({"who": "a", "condition": "x"}, {"rounds": 0, "seconds": 0}),
        "unable": ({"who": "a"}, {"able": False}),
        "grant": ({"who": "a"}, {"by": 1, "pool": "actions"}),
        "recoverable": ({"item": "a"}, {"count": None}),
        "join": ({"combatant": ADA}, {"initiative": None}),
    }
    for kind, (said, rest) in usual.items():
        ruling = msgspec.convert(said, RULESET.rulings[kind])
        assert {key: getattr(ruling, key) for key in rest} == rest, kind


def test_a_damaged_die_is_the_next_smaller_one_and_never_below_a_d4() -> None:
    """A size that is smaller from the start is unchanged."""
    assert DICE == (4, 6, 8, 10, 12)
    assert [find_smaller(sides) for sides in (12, 10, 8, 6, 4, 3, 2)] == [10, 8, 6, 4, 4, 3, 2]
