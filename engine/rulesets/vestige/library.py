"""The library of Vestige: what an encounter file can name, and how a sheet is laid out."""

from affray.engine.core.catalogue import data
from affray.engine.core.library import Layout, Section, Shelf

from .tables import PACKAGE, blocks, skills, weapons


def _armor() -> dict[str, dict[str, object]]:
    return data(PACKAGE, "data/armor.toml")


def _disciplines() -> dict[str, dict[str, object]]:
    """Return each discipline with the skills that it teaches (VES-T15)."""
    taught = dict.fromkeys(skill.discipline for skill in skills().values() if skill.discipline)
    return {
        discipline: {
            "name": discipline,
            "skills": [key for key, skill in skills().items() if skill.discipline == discipline],
        }
        for discipline in taught
    }


LIBRARY = (
    Shelf(key="blocks", title="Stat blocks", lines=blocks, fields=("combatant[].block",)),
    Shelf(
        key="weapons", title="Weapons", lines=weapons, fields=("combatant[].weapons[]",), own="weapon", but=("unarmed",)
    ),
    Shelf(key="armor", title="Armour", lines=_armor),
    Shelf(key="skills", title="Skills", lines=skills, fields=("combatant[].skills[]",), own="skill"),
    Shelf(key="disciplines", title="Disciplines", lines=_disciplines, fields=("combatant[].disciplines[]",)),
)

LAYOUT = Layout(
    facts=("health", "agility", "might", "protection", "weapons"),
    sheet=(
        Section("Gear and training", ("weapons", "skills", "disciplines")),
        Section("Sheet", ("agility", "might", "accuracy", "protection", "health", "ep", "morale")),
        Section("Most, and by turn", ("health_max", "ep_max", "ep_regain", "move", "group"), more=True),
    ),
    parts=(
        Section("Distances and sight", ("distance", "view")),
        Section("Made for this fight", ("weapon", "skill"), more=True),
    ),
    titles={
        "ep_max": "Most energy",
        "ep_regain": "Energy back",
        "health_max": "Most health",
        "move": "Metres a move",
        "group": "Act as a group",
    },
    places=("combatant[].at", "board.difficult", "board.blocked"),
    ground=("board.difficult", "board.blocked"),
    people=("distance[].between", "view[].between", "view[].viewer", "view[].target"),
)
