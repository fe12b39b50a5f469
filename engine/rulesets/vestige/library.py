"""What an encounter of Vestige can name."""

from affray.engine.core.library import Shelf
from affray.engine.core.ruleset import data

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
