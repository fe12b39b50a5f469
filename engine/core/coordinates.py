"""Cells of a map of squares or hexes: ids ``x,y`` or ``q,r``, and their labels.

A label has no minus, which is easily missed or taken for a dash. Columns left of 0 begin with W, rows above 0 with N.
So ``-2,3`` is ``W2,3``, and ``5,-1`` is ``5,N1``.
"""

import re
from functools import lru_cache

from affray.engine.errors import Unusable
from affray.events import Id

CELLS = frozenset({"squares", "hexes"})
"""The kinds of maps whose places are cells; see ``Ruleset.map``."""

EDGE = 9_999
"""The largest coordinate. A place beyond it is refused in input and in a log, and no combatant can go there."""

CELL = re.compile(r"(-?\d{1,9}),(-?\d{1,9})", re.ASCII)
"""The pattern of a cell's id."""

_TYPED = re.compile(r"\s*([W+-]?\d{1,9})\s*,\s*([N+-]?\d{1,9})\s*", re.ASCII | re.IGNORECASE)
"""The pattern of a typed cell: its id or its label."""

_MINUS = str.maketrans("WwNn", "----")


def parse_cell(place: str, field: str, *, what: str = "cell", form: str = "x,y") -> Id:
    """Parse a cell that a person wrote, and return its id.

    Args:
        place: The text, such as ``3, 1`` or ``W2,3``.
        field: The field that holds it.
        what, form: The words for a cell, and for its form, in the refusal.

    Raises:
        Unusable: the text is no cell, or the cell is beyond the largest coordinate.
    """
    cell = _match_typed(place)
    if cell is None:
        raise Unusable(f'a {what} is written "{form}", such as "3,1", not "{place}"', field)
    if max(map(abs, cell)) > EDGE:
        raise Unusable(f"must be no farther than {EDGE} from 0,0", field)
    return f"{cell[0]},{cell[1]}"


@lru_cache(maxsize=65536)
def is_cell(place: Id) -> bool:
    """Tell whether a place is a cell within the edge, in the form of the log."""
    cell = _match_typed(place)
    return cell is not None and max(map(abs, cell)) <= EDGE and place == f"{cell[0]},{cell[1]}"


@lru_cache(maxsize=65536)
def cell_label(place: Id) -> str:
    """Return the label of a cell; other places are returned as they are."""
    found = CELL.fullmatch(place)
    if found is None:
        return place
    return f"{column_label(int(found[1]))},{row_label(int(found[2]))}"


def column_label(column: int) -> str:
    """Return the label of a column: left of column 0 with a W."""
    return f"W{-column}" if column < 0 else str(column)


def row_label(row: int) -> str:
    """Return the label of a row: above row 0 with an N."""
    return f"N{-row}" if row < 0 else str(row)


def place_label(place: Id, map: str) -> str:
    """Return the label of a place on a kind of map: a cell's, or a zone's name."""
    return cell_label(place) if map in CELLS else place


def parse_place(typed: str, map: str) -> Id:
    """Return the id of a typed place on a kind of map.

    A cell may be typed by its id or its label. Other texts are returned as they are.
    """
    cell = _match_typed(typed) if map in CELLS else None
    return typed if cell is None else f"{cell[0]},{cell[1]}"


def _match_typed(place: str) -> tuple[int, int] | None:
    found = _TYPED.fullmatch(place)
    if found is None:
        return None
    column, row = (int(one.translate(_MINUS)) for one in found.groups())
    return column, row
