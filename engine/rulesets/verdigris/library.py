"""What an encounter of Verdigris can name."""

from collections.abc import Mapping

from affray.engine.core.library import Shelf

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
    """Return the skills; those that weapons are used with say for which groups (5.3)."""
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
