"""How far two places of a fight are apart, in its own words and unit."""

from __future__ import annotations

from msgspec import Struct

from affray.engine.core.references import must_be_a_place
from affray.engine.fight import Fight
from affray.events import Id


class Apart(Struct, frozen=True):
    """How far two places are apart.

    Attributes:
        distance: In the unit of the fight's rules; nothing where no way leads from one to the other.
        says: The same in words, such as ``15 feet``.
    """

    distance: int | None
    says: str


def apart(fight: Fight, here: Id, there: Id) -> Apart:
    """Return how far two places are apart, as the rules count it.

    Raises:
        Refused: the fight has no map.
        Unusable: the map has no such place.
    """
    ruleset = fight.ruleset
    for field, place in (("here", here), ("there", there)):
        must_be_a_place(fight.table, place, field)
    found = ruleset.apart(fight.table, here, there)
    if found is None:
        return Apart(None, "no way leads there")
    unit = ruleset.vocabulary.places.unit or f"{ruleset.vocabulary.places.one}{'' if found == 1 else 's'}"
    return Apart(found, f"{found} {unit}")
