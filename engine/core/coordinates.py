"""Coordinates on a map of squares or hexes: two whole numbers, ``x,y`` or ``q,r``."""

import re

from affray.engine.errors import Unusable
from affray.events import Id

EDGE = 9_999
"""The largest coordinate; beyond it a place is taken for a typing error."""

COORDINATES = re.compile(r"(?:0|-?[1-9]\d{0,3}),(?:0|-?[1-9]\d{0,3})", re.ASCII)
"""How a log writes a place within these bounds."""

_SAID = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})\s*", re.ASCII)


def coordinates(place: str, field: str, *, what: str = "cell", form: str = "x,y", such_as: str = "3,1") -> Id:
    """Return a place in its canonical form.

    Args:
        place: As it was written, such as ``3, 1``.
        field: Where it was.
        what, form, such_as: How to say what would be right.

    Raises:
        Unusable: it is no place, or one beyond the edge.
    """
    found = _SAID.fullmatch(place)
    if found is None:
        raise Unusable(f'a {what} is written "{form}", such as "{such_as}", not "{place}"', field)
    one, other = map(int, found.groups())
    if max(abs(one), abs(other)) > EDGE:
        raise Unusable(f"must be no farther than {EDGE} from 0,0", field)
    return f"{one},{other}"
