"""Places of an encounter's combatants, and free places around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from affray.engine.core.coordinates import is_cell, parse_place
from affray.engine.core.ruleset import Ruleset
from affray.engine.kit import hexes, squares
from affray.events import Id


def places_of(entry: Mapping[str, Any], ruleset: Ruleset) -> list[Id]:
    """Return the places that an entry names, cells by their ids."""
    at = entry.get("at") or []
    said = at if isinstance(at, list | tuple) else [at]
    return [parse_place(one, ruleset.board.kind) for one in said if isinstance(one, str)]


def places_taken(encounter: Mapping[str, Any], entries: Iterable[Mapping[str, Any]], ruleset: Ruleset) -> set[Id]:
    """Return the places of entries, and those that the encounter's board lists."""
    ground = [kind for kind in (encounter.get("board") or {}).values() if isinstance(kind, list)]
    return {at for one in (*entries, *({"at": kind} for kind in ground)) for at in places_of(one, ruleset)}


def around(places: Sequence[Id], taken: set[Id], ruleset: Ruleset) -> Iterator[Id]:
    """Yield free cells, those nearest to some places first; a place that is no cell has none around it."""
    neighbours = squares.square_neighbours if ruleset.board.kind == "squares" else hexes.hex_neighbours
    seen, ring = {*places, *taken}, list(filter(is_cell, places))
    while ring:
        ring = [there for here in ring for there in neighbours(here) if there not in taken and is_cell(there)]
        ring = [there for there in dict.fromkeys(ring) if there not in seen]
        seen |= set(ring)
        yield from ring
