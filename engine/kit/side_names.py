"""Checks of side names: trimmed, told apart by their look, no reserved words."""

from collections.abc import Iterable, Mapping
from typing import Any

from affray.engine.appearance import appearance
from affray.engine.errors import Unusable
from affray.engine.texts import comparison_key
from affray.events import EVERYBODY

from .relative_moves import REST

RESERVED = frozenset({EVERYBODY, REST})
"""Words with a meaning in rulings and moves: all combatants, and all the rest."""


def check_sides(said: Iterable[tuple[str, str]], there: Iterable[str], line: str) -> None:
    """Refuse a side's name that looks like another side's, or is a reserved word.

    Args:
        said: Each field with the side that it names.
        there: The existing sides. Naming one of them is always accepted.
        line: A line that would work, with ``SIDE`` in place of the name.

    Raises:
        Unusable: names the field, and ends with the line.
    """
    sides = {_key(side): side for side in there}
    known = set(sides.values())
    for field, side in said:
        key = _key(side)
        if side in known:
            continue
        if not key:
            raise Unusable(f"must be a name; write {line.replace('SIDE', 'watch')}", field)
        if key in RESERVED:
            way_out = line.replace("SIDE", "reserve")
            raise Unusable(f"cannot be {side}, which means others in rulings; write {way_out}", field)
        if key in sides:
            alike = sides[key]
            raise Unusable(f"looks like the side {alike}, and is another; write {line.replace('SIDE', alike)}", field)
        sides[key] = side
        known.add(side)


def _key(side: str) -> str:
    """Return a key that is equal for names that look or are spelled alike."""
    return appearance(comparison_key(side))


def trim_sides(encounter: Mapping[str, Any]) -> dict[str, Any]:
    """Strip blanks around the names of sides in an encounter or a party."""
    entries = encounter.get("combatant")
    if not isinstance(entries, list):
        return dict(encounter)
    return {**encounter, "combatant": [_trim_side(one) for one in entries]}


def _trim_side(entry: Any) -> Any:
    side = entry.get("side") if isinstance(entry, Mapping) else None
    return {**entry, "side": side.strip()} if isinstance(side, str) else entry
