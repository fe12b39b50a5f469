"""The library of Hexblade: what an encounter file can name, and how a sheet is laid out."""

from affray.engine.core.library import Layout, Section, Shelf

from .tables import armors, blocks, skills, weapons


def _missiles() -> dict[str, dict[str, object]]:
    """Return the kinds of missiles with the weapons that shoot them (HEX-027).

    A thrown weapon is no missile of another weapon.
    """
    shooting = {key: weapon.ammunition for key, weapon in weapons().items() if weapon.ammunition not in ("", "itself")}
    return {
        kind: {"name": kind, "weapons": [key for key, shot in shooting.items() if shot == kind]}
        for kind in dict.fromkeys(shooting.values())
    }


LIBRARY = (
    Shelf(key="blocks", title="Stat blocks", lines=blocks, fields=("combatant[].block",)),
    Shelf(
        key="weapons",
        title="Weapons",
        lines=weapons,
        fields=("combatant[].weapons[]",),
        own="weapon",
        but=("unarmed",),
    ),
    Shelf(key="missiles", title="Missiles", lines=_missiles, fields=("combatant[].missiles{}",)),
    Shelf(key="armor", title="Armour", lines=armors, fields=("combatant[].armor",), but=("shield",)),
    Shelf(key="skills", title="Skills", lines=skills, fields=("combatant[].skills{}",)),
    Shelf(key="spells", title="Spells of the encounter", lines=dict, fields=("combatant[].spells[]",), own="spell"),
)

GROUND = ("board.difficult", "board.smoke", "board.fence", "board.blocked")
"""The fields that list hexes of one kind of ground each."""

LAYOUT = Layout(
    facts=("hp", "initiative", "armor", "shield", "weapons"),
    sheet=(
        Section("Gear", ("weapons", "missiles", "armor", "shield", "belt", "pack")),
        Section("Sheet", ("hp", "initiative", "pc")),
        Section("Attributes and skills", ("str", "dex", "con", "int", "wis", "cha", "skills")),
        Section("Magic", ("class", "spells"), more=True),
        Section("Rarely changed", ("hp_max", "movement", "cover"), more=True),
    ),
    parts=(
        Section("Edges of the map, and cover along a side", ("board",), more=True),
        Section("Made for this fight", ("weapon", "spell"), more=True),
    ),
    titles={"pc": "Player character", "hp_max": "Most HP", "movement": "Feet a turn", "pack": "In the pack"},
    places=("combatant[].at", *GROUND, "board.side[].between"),
    ground=GROUND,
)
