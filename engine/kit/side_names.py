"""Names of sides: trimmed, told apart by what people see, and no words that rulings use otherwise."""

from collections.abc import Iterable, Mapping
from typing import Any

from affray.engine.appearance import appearance
from affray.engine.errors import Unusable
from affray.engine.texts import comparison_key
from affray.events import EVERYBODY

from .relative_moves import REST

RESERVED = frozenset({EVERYBODY, REST})
"""Words of rulings and moves: everybody, and all others."""


def check_sides(said: Iterable[tuple[str, str]], there: Iterable[str], line: str) -> None:
    """Refuse the name of a side that looks like that of another, or means something else.

    Args:
        said: Fields, each with the side that it names.
        there: The sides that there are; naming one of them is always right.
        line: A line that would work, with ``SIDE`` where the name of a side stands.

    Raises:
        Unusable: says in which field, and ends with the line.
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
    """Return what is the same for sides that look the same, or that people might spell the same."""
    return appearance(comparison_key(side))


def with_sides_trimmed(encounter: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of an encounter or a party, without blanks around the names of sides."""
    entries = encounter.get("combatant")
    if not isinstance(entries, list):
        return dict(encounter)
    return {**encounter, "combatant": [_with_side_trimmed(one) for one in entries]}


def _with_side_trimmed(entry: Any) -> Any:
    side = entry.get("side") if isinstance(entry, Mapping) else None
    return {**entry, "side": side.strip()} if isinstance(side, str) else entry
