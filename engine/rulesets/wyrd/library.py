"""The library of Wyrd: what an encounter file can name, and how a sheet is laid out."""

from affray.engine.core.library import Layout, Section, Shelf

from .gear.pieces import UNARMED
from .tables import PROTECTION, Piece, abilities, blocks, gear, grades, tags


def _weapons() -> dict[str, Piece]:
    return {key: one for key, one in gear().items() if one.kind == "weapon"}


def _protection() -> dict[str, Piece]:
    return {key: one for key, one in gear().items() if one.kind in (*PROTECTION, "other")}


def _gear() -> dict[str, Piece]:
    return {key: one for key, one in gear().items() if one.kind in ("other", "ammunition")}


LIBRARY = (
    Shelf(key="blocks", title="Stat blocks", lines=blocks, fields=("combatant[].block",)),
    Shelf(
        key="weapons",
        title="Weapons",
        lines=_weapons,
        fields=("combatant[].weapons[]",),
        own="gear",
        but=(UNARMED,),
    ),
    Shelf(key="protection", title="Protection", lines=_protection, fields=("combatant[].protection[]",), own="gear"),
    Shelf(key="gear", title="Other gear", lines=_gear, fields=("combatant[].gear[]",), own="gear"),
    Shelf(key="abilities", title="Abilities", lines=abilities, fields=("combatant[].current{}",)),
    Shelf(key="grades", title="Grades", lines=grades, fields=("gear{}.grade",)),
    Shelf(key="tags", title="Tags", lines=tags, fields=("gear{}.tags[]",)),
)

LAYOUT = Layout(
    facts=("weapons", "protection", "power", "grace", "will"),
    sheet=(
        Section("Gear", ("weapons", "protection", "gear", "spells")),
        Section("Sheet", ("power", "grace", "intellect", "will", "pc")),
        Section("Hands and slots", ("in_hand", "hands", "slots", "load", "fatigue"), more=True),
        Section("Wear", ("current",), more=True),
    ),
    parts=(
        Section("Places", ("place",)),
        Section("Distances, sight and melees", ("distance", "view", "melee")),
        Section("Made for this fight", ("gear",), more=True),
    ),
    titles={"pc": "Player character", "current": "Worn down to", "load": "Slots of other things"},
    places=("combatant[].at", "place[].exits"),
    zones="place",
    people=("distance[].between", "view[].between", "view[].viewer", "view[].target", "melee[].members"),
)
