"""The tables that an encounter can name, and the layout of its sheet."""

from affray.engine.core.library import Layout, Section, Shelf

from .tables import Armor, armor, blocks, classes, foci, skills, weapons


def _suits() -> dict[str, Armor]:
    return {key: one for key, one in armor().items() if one.class_ != "shield"}


def _shields() -> dict[str, Armor]:
    return {key: one for key, one in armor().items() if one.class_ == "shield"}


LIBRARY = (
    Shelf(key="blocks", title="Stat blocks", lines=blocks, fields=("combatant[].block",)),
    Shelf(key="classes", title="Classes", lines=classes, fields=("combatant[].class",)),
    Shelf(
        key="weapons",
        title="Weapons",
        lines=weapons,
        fields=("combatant[].weapons[]",),
        own="weapon",
        but=("unarmed",),
        suffix="+1",
    ),
    Shelf(key="armor", title="Armour", lines=_suits, fields=("combatant[].armor",), own="armor", suffix="+1"),
    Shelf(key="shields", title="Shields", lines=_shields, fields=("combatant[].shield",), own="armor", suffix="+1"),
    Shelf(key="skills", title="Skills", lines=skills, fields=("combatant[].skills{}",)),
    Shelf(key="foci", title="Foci", lines=foci, fields=("combatant[].foci[]",), own="focus"),
)

LAYOUT = Layout(
    facts=("hp", "ac", "attack", "class", "level", "weapons"),
    sheet=(
        Section("Who they are", ("pc", "class", "level")),
        Section("Gear", ("weapons", "armor", "shield", "foci", "spells")),
        Section("Sheet", ("hp", "ac", "attack", "skill", "morale")),
        Section("Attributes and skills", ("str", "dex", "con", "int", "wis", "cha", "skills")),
        Section("At hand", ("in_hand", "stowed", "dual_wields"), more=True),
        Section(
            "Rarely changed",
            (
                *("hp_max", "ac_bonus", "armor_share", "shield_share", "move", "instinct", "shock_immune", "quick"),
                *("group", "modifiers"),
            ),
            more=True,
        ),
        Section("Mounts", ("rides", "mount", "war_trained"), more=True),
    ),
    parts=(
        Section("Distances, sight and melees", ("apart", "distance", "view", "melee")),
        Section("Made for this fight", ("weapon", "armor", "focus"), more=True),
    ),
    titles={
        "pc": "Player character",
        "hp_max": "Most HP",
        "skill": "Skill bonus",
        "move": "Feet a move",
        "mount": "Can be ridden",
    },
    places=("combatant[].at", "board.blocked", "board.half_cover", "board.near_complete_cover"),
    ground=("board.blocked", "board.half_cover", "board.near_complete_cover"),
    people=(
        *("distance[].between", "view[].between", "view[].viewer", "view[].target"),
        *("melee[].members", "combatant[].rides"),
    ),
)
