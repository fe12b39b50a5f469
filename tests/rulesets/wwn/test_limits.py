"""Size limits and defaults of a fight of Worlds Without Number."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from affray.engine.core.ruleset import config_of
from affray.engine.kit.encounters import MeleeEntry
from affray.engine.rulesets.wwn import RULESET
from affray.engine.rulesets.wwn.attack.declaring import Attack
from affray.engine.rulesets.wwn.chapters.maneuvers import Improvise
from affray.engine.rulesets.wwn.chapters.spells import Cast
from affray.engine.rulesets.wwn.config import Config
from affray.engine.rulesets.wwn.encounter.file import Board, Encounter, Pair, Sight, Spec
from affray.engine.rulesets.wwn.movement.moving import Move
from affray.engine.rulesets.wwn.rulings.actions import CircumstanceRuled, Grant
from affray.engine.rulesets.wwn.rulings.beasts import MountCheck
from affray.engine.rulesets.wwn.rulings.outcomes import Harm, Unable, Wound
from affray.engine.rulesets.wwn.rulings.outcomes import Test as Checked
from affray.engine.rulesets.wwn.rulings.positions import Melee as MeleeRuled
from affray.engine.rulesets.wwn.rulings.roster import Group, Loose
from affray.engine.rulesets.wwn.tables import (
    Armor,
    Block,
    Class,
    Condition,
    Focus,
    Modifier,
    Skill,
    Weapon,
    class_attack,
    classes,
)

SPEC = {"name": "Asha", "side": "heroes"}
WEAPON = {"name": "Stick", "damage": "1d4", "attribute": ["str"], "skill": "stab"}
ARMOR = {"name": "Tin", "class": "light", "ac": 10}
BLOCK = {"name": "Ogre", "hp": 9, "ac": 13, "attack": 1}
MODIFIER = {"to": "hit"}
CLASS = {"name": "Bard", "levels": 1}
FOCUS = {"name": "Brave"}

NUMBERS: list[tuple[type[Any], dict[str, Any], str, int, int | None]] = [
    (Spec, SPEC, "count", 1, 500),
    (Spec, SPEC, "level", 1, 20),
    (Spec, SPEC, "attack", -20, 20),
    *((Spec, SPEC, one, 3, 18) for one in ("str", "dex", "con", "int", "wis", "cha")),
    (Spec, SPEC, "skill", -20, 20),
    (Spec, SPEC, "hp", 1, 999),
    (Spec, SPEC, "hp_max", 1, 999),
    (Spec, SPEC, "ac", 0, 40),
    (Spec, SPEC, "ac_bonus", -20, 20),
    (Spec, SPEC, "armor_share", 0, 20),
    (Spec, SPEC, "shield_share", 0, 20),
    (Spec, SPEC, "move", 0, 999),
    (Spec, SPEC, "morale", 2, 12),
    (Spec, SPEC, "instinct", 1, 10),
    (Spec, SPEC, "quick", 1, 20),
    (Pair, {"between": ["asha", "bran"]}, "feet", 0, 9999),
    (Encounter, {"system": "wwn", "combatant": [SPEC]}, "apart", 0, 9999),
    (Weapon, WEAPON, "shock", 0, 9999),
    (Weapon, WEAPON, "shock_ac", 0, 40),
    (Weapon, WEAPON, "near", 0, 9999),
    (Weapon, WEAPON, "far", 0, 9999),
    (Weapon, WEAPON, "magic", -20, 20),
    (Modifier, MODIFIER, "value", -20, 20),
    (Armor, ARMOR, "ac", 0, 40),
    (Armor, ARMOR, "bonus", 0, 9999),
    (Class, CLASS, "levels", 1, None),
    (Class, CLASS, "bonus", 0, 9999),
    (Class, CLASS, "again", 0, 9999),
    (Focus, FOCUS, "level", 1, 2),
    (Focus, FOCUS, "shock_as_ac", 0, 40),
    (Focus, FOCUS, "bow_in_melee", -20, 20),
    (Focus, FOCUS, "initiative_dice", 1, 4),
    (Focus, FOCUS, "mount_morale", 2, 12),
    (Block, BLOCK, "hp", 1, 999),
    (Block, BLOCK, "ac", 0, 40),
    (Block, BLOCK, "attack", -20, 20),
    (Block, BLOCK, "move", 0, 9999),
    (Block, BLOCK, "hd", 0, 9999),
    (Block, BLOCK, "morale", 2, 12),
    (Block, BLOCK, "instinct", 1, 10),
    (Config, {}, "quick_bonus", 0, 20),
    (Config, {}, "shield_shock_ignores_per_round", 0, 99),
    (Config, {}, "dual_wield_min_stab", -1, 4),
    (Config, {}, "adjacent_ft", 5, 30),
    (Config, {}, "skill_difficulty", 2, 20),
    (Config, {}, "bleed_rounds", 1, 99),
    (Config, {}, "min_damage", 0, 99),
    (Move, {}, "feet", 0, 9999),
    (Harm, {"who": "asha"}, "amount", 1, 999),
    (Wound, {"who": "asha"}, "amount", 1, 999),
    (Checked, {"who": "asha", "attribute": "str", "skill": "stab"}, "difficulty", 2, 30),
    (Grant, {"who": "asha"}, "by", -9, 9),
    (MountCheck, {"mount": "nag"}, "difficulty", 2, 20),
]
"""What is described, what else must be said of it, a number of it, and the least and the greatest it may be."""


@pytest.mark.parametrize(
    ("kind", "said", "key", "least", "most"), NUMBERS, ids=[f"{one[0].__name__}-{one[2]}" for one in NUMBERS]
)
def test_a_number_has_a_least_and_a_greatest(
    kind: type[Any], said: dict[str, Any], key: str, least: int, most: int | None
) -> None:
    def made(value: int) -> Any:
        return msgspec.convert({**said, key: value}, kind)

    within = {field.encode_name: field.name for field in msgspec.structs.fields(kind)}[key]
    assert getattr(made(least), within) == least
    with pytest.raises(msgspec.ValidationError, match=f">= {least}"):
        made(least - 1)
    if most is not None:
        assert getattr(made(most), within) == most
        with pytest.raises(msgspec.ValidationError, match=f"<= {most}"):
            made(most + 1)


@pytest.mark.parametrize(
    ("kind", "said", "key", "few", "many"),
    [
        (Spec, SPEC, "name", "A", "A" * 60),
        (Spec, SPEC, "side", "A", "A" * 60),
        (Improvise, {}, "what", "A", "A" * 200),
        (Cast, {}, "spell", "A", "A" * 200),
        (MeleeEntry, {}, "members", ["asha", "bran"], None),
        (Encounter, {"system": "wwn"}, "combatant", [SPEC], None),
        (Weapon, WEAPON, "attribute", ["str"], None),
        (Group, {"group": "pack"}, "members", ["asha"], None),
        (MeleeRuled, {}, "members", ["asha", "bran"], None),
    ],
)
def test_a_word_or_list_has_a_least_and_a_greatest_length(
    kind: type[Any], said: dict[str, Any], key: str, few: Any, many: Any
) -> None:
    msgspec.convert({**said, key: few}, kind)
    with pytest.raises(msgspec.ValidationError, match=f">= {len(few)}"):
        msgspec.convert({**said, key: few[1:]}, kind)
    if many is not None:
        msgspec.convert({**said, key: many}, kind)
        with pytest.raises(msgspec.ValidationError, match=f"<= {len(many)}"):
            msgspec.convert({**said, key: many + many[:1]}, kind)


@pytest.mark.parametrize(("level", "good"), [(-2, False), (-1, True), (4, True), (5, False)])
def test_a_skill_has_a_level_from_untrained_to_4(level: int, good: bool) -> None:
    said = {**SPEC, "skills": {"stab": level}}
    if good:
        assert msgspec.convert(said, Spec).skills == {"stab": level}
    else:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(said, Spec)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Spec, SPEC),
        (Pair, {"between": ["asha", "bran"], "feet": 5}),
        (MeleeEntry, {"members": ["asha", "bran"]}),
        (Sight, {"viewer": "asha", "target": "bran", "view": "half"}),
        (Board, {}),
        (Encounter, {"system": "wwn", "combatant": [SPEC]}),
        (Weapon, WEAPON),
        (Armor, ARMOR),
        (Modifier, MODIFIER),
        (Skill, {"name": "Dance"}),
        (Class, CLASS),
        (Focus, FOCUS),
        (Condition, {}),
        (Block, BLOCK),
        (Config, {}),
    ],
)
def test_a_word_that_means_nothing_is_refused(kind: type[Any], said: dict[str, Any]) -> None:
    msgspec.convert(said, kind)
    with pytest.raises(msgspec.ValidationError, match="unknown field `sneaky`"):
        msgspec.convert({**said, "sneaky": True}, kind)


def test_an_entry_says_nothing_that_is_not_written() -> None:
    """Fields that an entry lacks are unknown, none or false."""
    bare = msgspec.to_builtins(Spec(name="Asha", side="heroes"))
    nothing = {"block": "", "at": "", "class": "", "armor": "", "shield": "", "rides": "", "group": ""}
    no = dict.fromkeys(("pc", "shock_immune", "dual_wields", "quick", "concealed"), False)
    zero = dict.fromkeys(("skill", "ac_bonus", "armor_share", "shield_share"), 0)
    unknown = dict.fromkeys(("level", "attack", "str", "dex", "con", "int", "wis", "cha", "hp", "hp_max", "ac"))
    unknown |= dict.fromkeys(("move", "morale", "instinct", "weapons", "in_hand", "mount", "war_trained"))
    unknown |= dict.fromkeys(("carries", "dice"))
    empty: dict[str, Any] = {
        "skills": {},
        "saves": {},
        **dict.fromkeys(("stowed", "foci", "spells", "modifiers", "veiled"), ()),
    }
    assert bare == {**SPEC, "count": 1, **nothing, **no, **zero, **unknown, **empty}


def test_a_table_line_says_nothing_that_is_not_written() -> None:
    def made(kind: type[Any], said: dict[str, Any]) -> dict[str, Any]:
        told: dict[str, Any] = msgspec.to_builtins(msgspec.convert(said, kind))
        return {key: value for key, value in told.items() if key not in said}

    none: dict[str, Any] = {"damage_skill": "", "shock": None, "tags": (), "modifiers": ()}
    assert made(Weapon, WEAPON) == {**none, "shock_ac": 0, "near": 0, "far": 0, "magic": 0}
    assert made(Armor, ARMOR) == {"bonus": 0, "bash": "", "magical": False, "proof": False}
    assert made(Modifier, MODIFIER) == {"value": 0, "skill": "", "modes": (), "tags": (), "label": ""}
    assert made(Class, CLASS) == {"bonus": 0, "again": 0, "casts": False}
    flags = dict.fromkeys(("shrugs_off_shock", "unsurprised", "lends_ac"), False)
    numbers = {"shock_as_ac": None, "bow_in_melee": None, "mount_morale": None, "initiative_dice": 1}
    assert made(Focus, FOCUS) == {"level": 1, "modifiers": (), "throws_in_melee": (), **flags, **numbers}
    beast = {"morale": None, "instinct": None, "damage": None, "mount": False, "war_trained": None}
    assert made(Block, BLOCK) == {"move": 30, "hd": 1, **beast, "weapons": ()}


def test_the_configuration_is_the_pages_where_nothing_is_said() -> None:
    """The defaults of the Terms, and of what is ours."""
    assert msgspec.to_builtins(config_of(RULESET, {})) == {
        "initiative_attribute": "best",
        "quick_bonus": 1,
        "foe_groups": "per_side",
        "attribute_mods": "wwn",
        "npc_flat_attack": True,
        "nat_1_misses": True,
        "nat_20_hits": True,
        "shield_shock_ignores_per_round": 1,
        "dual_wield_min_stab": 1,
        "dual_choice": "declare",
        "main_as_move": True,
        "adjacent_ft": 5,
        "meleed_requires_adjacent": True,
        "unusable_in_melee_tags": ("bow", "2H+missile"),
        "unusable_mounted_tags": ("longbow", "rifle"),
        "snap_timing": "before",
        "skill_difficulty": 8,
        "opposed_tie": "defender",
        "mount_check": "morale",
        "pc_at_zero": "mortally_wounded",
        "bleed_rounds": 6,
        "melee_exit_free_attack": True,
        "surprise": "gm",
        "reroll_initiative": False,
        "min_damage": 0,
        "announce_ac": True,
    }


@pytest.mark.parametrize(
    ("class_", "bonuses"),
    [
        ("warrior", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("expert", [0, 1, 1, 2, 2, 3, 3, 4, 4, 5]),
        ("mage", [0, 0, 0, 0, 1, 1, 1, 1, 1, 2]),
        ("partial_warrior", [1, 2, 2, 3, 4, 5, 5, 6, 6, 7]),
    ],
)
def test_a_class_attacks_the_better_the_higher_its_level(class_: str, bonuses: list[int]) -> None:
    """Warriors by level, experts by half, mages by a fifth; who is half a warrior has 1 more, and another from 5 on."""
    assert [class_attack(classes()[class_], level) for level in range(1, 11)] == bonuses


def test_a_condition_is_no_more_than_it_says() -> None:
    assert (Condition().helpless, Condition().out) == (False, False)


def test_whom_actions_are_aimed_at() -> None:
    assert Cast(spell="light").targets() == Improvise(what="sings").targets() == ()
    assert Cast(spell="light", target="bran").targets() == Improvise(what="sings", target="bran").targets() == ("bran",)
    assert Harm(who="bran", amount=1).targets() == ("bran",)
    assert (Harm(who="bran", amount=1).spare, Wound(who="bran", amount=1).spare) == (False, False)
    assert (Grant(who="bran").by, Attack(target="bran").spare) == (1, False)
    assert (Unable(who="bran").able, Loose(mount="nag").slot, Group(group="pack", members=("ulf",)).quick) == (
        False,
        True,
        0,
    )
    assert CircumstanceRuled(who="bran", name="snap").applies


def test_what_stacks_and_what_does_not() -> None:
    """On Turn and Instant actions need no window; the others may be answered by a snap attack."""
    at_once = {key for key, one in RULESET.actions.items() if not one.stacks}
    assert at_once == {"begin", "draw", "drop", "end_turn", "prone"}
    assert {key for key, one in RULESET.actions.items() if one.by_gm} == {"begin"}
