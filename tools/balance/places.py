"""Where combatants of an encounter stand, and free places around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from affray.engine.core.coordinates import coordinates, is_cell
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Unusable
from affray.engine.kit import hexes, squares
from affray.events import Id


def places_of(entry: Mapping[str, Any]) -> list[Id]:
    """Return the places that an entry names."""
    at = entry.get("at") or []
    said = at if isinstance(at, list | tuple) else [at]
    return [one for one in said if isinstance(one, str)]


def place_read(at: str) -> Id:
    """Return a cell as it is read from an encounter, such as ``3, 1``; anything else as it is."""
    try:
        return coordinates(at, "at")
    except Unusable:
        return at


def around(places: Sequence[Id], taken: set[Id], ruleset: Ruleset) -> Iterator[Id]:
    """Yield free cells, those nearest to some places first."""
    neighbours = squares.neighbours if ruleset.map == "squares" else hexes.neighbours
    ring = [one for one in map(place_read, places) if is_cell(one)]
    taken = {*map(place_read, taken)}
    seen = {*ring, *taken}
    while ring:
        ring = [there for here in ring for there in neighbours(here) if there not in taken]
        ring = [there for there in dict.fromkeys(ring) if there not in seen]
        seen |= set(ring)
        yield from ring
