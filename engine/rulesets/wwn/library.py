"""What an encounter of Worlds Without Number can name."""

from affray.engine.core.library import Shelf

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
    Shelf(key="armor", title="Armor", lines=_suits, fields=("combatant[].armor",), own="armor", suffix="+1"),
    Shelf(key="shields", title="Shields", lines=_shields, fields=("combatant[].shield",), own="armor", suffix="+1"),
    Shelf(key="skills", title="Skills", lines=skills, fields=("combatant[].skills{}",)),
    Shelf(key="foci", title="Foci", lines=foci, fields=("combatant[].foci[]",), own="focus"),
)
