"""Map of a fight as text: a board of cells, or a list of zones."""

from collections.abc import Iterable, Iterator

from affray.engine.core.coordinates import CELL, CELLS, column_label, row_label
from affray.engine.core.state import Combatant, State
from affray.events import Id
from affray.tools.present.story.changes import list_traits
from affray.tools.present.story.words import Names, name_of, series

WIDEST, HIGHEST = 60, 30
"""A larger board is not drawn."""

SIGNS = {"blocked": "#", "difficult": "~"}
"""Marks of cells with a trait; a cell with any other trait is ``*``."""

Cell = tuple[int, int]


def board(state: State, map: str, names: Names) -> list[str]:
    """Return the map as lines; no lines if there is no map or it is too large."""
    placed = [one for one in state.combatants.values() if one.place]
    if placed and map in CELLS:
        return list(_draw_cells(state, placed, names, shifted=map == "hexes"))
    return list(_zones(state, names))


def _cell(place: Id) -> Cell | None:
    """Return the column and row that a place id such as ``3,4`` names, if any."""
    found = CELL.fullmatch(place)
    return (int(found[1]), int(found[2])) if found else None


def _draw_cells(state: State, placed: list[Combatant], names: Names, *, shifted: bool) -> Iterator[str]:
    """Yield the rows of a board, then a legend of letters and marks."""
    places = [
        (cell, place)
        for id, place in state.places.items()
        if (cell := _cell(id)) and (place.traits or place.side_traits)
    ]
    ground = {cell: (*place.traits, *(one.trait for one in place.side_traits)) for cell, place in places}
    letters = initials(placed)
    marks = {cell: next(_signs(traits, names), "*") for cell, traits in ground.items()}
    marks |= {cell: letters[one.id] for one in placed if (cell := _cell(one.place))}
    left, right = min(x for x, _ in marks) - 1, max(x for x, _ in marks) + 1
    top, bottom = min(y for _, y in marks) - 1, max(y for _, y in marks) + 1
    if right - left > WIDEST or bottom - top > HIGHEST:
        return
    if shifted:
        yield from _rows_of_hexes(marks)
    else:
        yield from _rows_of_squares(marks, range(left, right + 1), range(top, bottom + 1))
    told = {
        f"{next(_signs((trait,), names), '*')} {said}"
        for cell, place in places
        for trait, said in zip(ground[cell], list_traits(names, place.traits, place.side_traits), strict=True)
    }
    yield "  ".join((*(f"{letter} {name_of(names, who)}" for who, letter in letters.items()), *sorted(told)))


def _signs(traits: Iterable[str], names: Names) -> Iterator[str]:
    """Yield the mark of each trait that has one."""
    for one in traits:
        if sign := SIGNS.get(names.words.ground(one)):
            yield sign


def _rows_of_squares(marks: dict[Cell, str], columns: range, rows: range) -> Iterator[str]:
    """Draw rows of squares, with column names above and row names at the left."""
    above, before = [column_label(x) for x in columns], [row_label(y) for y in rows]
    wide, margin = max(map(len, above)) + 1, max(map(len, before))
    yield " " * margin + "".join(f"{name:>{wide}}" for name in above)
    for y, name in zip(rows, before, strict=True):
        yield f"{name:>{margin}}" + "".join(f"{marks.get((x, y), '·'):>{wide}}" for x in columns)


def _rows_of_hexes(marks: dict[Cell, str]) -> Iterator[str]:
    """Draw rows of hexes, each half a hex right of the row above.

    The name before a row is the name of its first hex.
    """
    across = [2 * q + r for q, r in marks]
    left, right = min(across) - 2, max(across) + 2
    top, bottom = min(r for _, r in marks) - 1, max(r for _, r in marks) + 1
    firsts = {r: left + (left + r) % 2 for r in range(top, bottom + 1)}
    names = {r: f"{column_label((first - r) // 2)},{row_label(r)}" for r, first in firsts.items()}
    margin = max(map(len, names.values()))
    for r, first in firsts.items():
        row = " ".join(marks.get(((x - r) // 2, r), "·") for x in range(first, right + 1, 2))
        yield f"{names[r]:>{margin}} " + " " * (first - left) + row


def initials(people: Iterable[Combatant]) -> dict[Id, str]:
    """Return a unique letter for each combatant.

    It is the initial, or the letter at the end of a name such as ``Wolf B``.
    """
    taken: dict[Id, str] = {}
    for one in people:
        last = one.name.split()[-1]
        wanted = last.lower() if len(last) == 1 else one.name[0].upper()
        spare = (
            *one.name.upper(),
            *one.name.lower(),
            *"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        )
        free = (letter for letter in (wanted, *spare) if letter.isalnum() and letter not in taken.values())
        taken[one.id] = next(free, "?")
    return taken


def _zones(state: State, names: Names) -> Iterator[str]:
    """Yield a line for each zone: its traits, the combatants in it, its exits."""
    for place in state.places.values():
        there = [name_of(names, one.id) for one in state.combatants.values() if one.place == place.id]
        traits = f" ({', '.join(list_traits(names, place.traits))})" if place.traits else ""
        ways = f" → {', '.join(map(names.place, place.exits))}" if place.exits else ""
        yield f"{names.place(place.id)}{traits}: {series(there)}{ways}"
