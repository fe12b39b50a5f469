"""The tables that an encounter of Verdigris can name, and the layout of its sheet."""

from collections.abc import Mapping

from affray.engine.core.library import Layout, Section, Shelf

from .tables import Ammunition, Armor, Creature, Mount, Shield, blocks, inventory, people, protection, talents, weapons


def _creatures() -> Mapping[str, Creature]:
    return blocks().creature


def _mounts() -> Mapping[str, Mount]:
    return blocks().mount


def _armor() -> Mapping[str, Armor]:
    return protection().armor


def _shields() -> Mapping[str, Shield]:
    return protection().shield


def _ammunition() -> Mapping[str, Ammunition]:
    return inventory().ammunition


def _skills() -> dict[str, dict[str, object]]:
    """Return the skills. A skill that weapons are used with lists their groups (5.3)."""
    groups: dict[str, list[str]] = {}
    for name, group in people().group.items():
        groups.setdefault(group.skill, []).append(name)
    return {skill: {"name": skill, "groups": groups.get(skill)} for skill in people().skills}


LIBRARY = (
    Shelf(key="blocks", title="Stat blocks", lines=_creatures, fields=("combatant[].block",)),
    Shelf(key="mounts", title="Mounts", lines=_mounts, fields=("combatant[].mount", "combatant[].mount.mount")),
    Shelf(
        key="weapons",
        title="Weapons",
        lines=weapons,
        fields=("combatant[].weapons[]", "combatant[].weapons[].weapon"),
        own="weapon",
        but=("unarmed",),
    ),
    Shelf(key="armor", title="Armour", lines=_armor, fields=("combatant[].armor",)),
    Shelf(key="shields", title="Shields", lines=_shields, fields=("combatant[].shield", "combatant[].shield.shield")),
    Shelf(key="ammunition", title="Ammunition", lines=_ammunition, fields=("combatant[].ammunition{}",)),
    Shelf(key="skills", title="Skills", lines=_skills, fields=("combatant[].skills{}",)),
    Shelf(key="talents", title="Talents", lines=talents, fields=("combatant[].talents{}",)),
)

LAYOUT = Layout(
    sides=("party", "enemies"),
    facts=("hp", "strength", "agility", "dodge", "weapons"),
    sheet=(
        Section("Who they are", ("pc", "player", "background", "mount")),
        Section("Gear", ("weapons", "armor", "shield", "ammunition", "items")),
        Section("Sheet", ("strength", "agility", "intelligence", "charisma", "dodge", "withstand", "panic", "hp")),
        Section("Skills and talents", ("skills", "talents")),
        Section("Wounds and nerve", ("wounds", "wounds_max", "stress", "stress_min", "inspiration"), more=True),
        Section("Rarely changed", ("hp_max", "warding", "size", "bodies", "tenacious"), more=True),
    ),
    parts=(
        Section("Zones", ("zone",)),
        Section("Sight and melees", ("view", "melee")),
        Section("Made for this fight", ("weapon",), more=True),
    ),
    titles={
        "pc": "Player character",
        "hp_max": "Most HP",
        "wounds_max": "Most wounds",
        "stress_min": "Least stress",
        "bodies": "Counts as",
    },
    places=("combatant[].at", "zone[].exits"),
    zones="zone",
    people=("view[].between", "view[].viewer", "view[].target", "melee[].members"),
)
