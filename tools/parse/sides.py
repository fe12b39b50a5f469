"""The side that a request for odds or luck names."""

from __future__ import annotations

from affray.engine.errors import NoSuch, Unusable
from affray.engine.fight import Fight


def side_of(fight: Fight, side: str | None = None, field: str = "--side") -> str:
    """Return the named side; without a name the side that joined first.

    Args:
        field: The field of the name, for the error.

    Raises:
        Unusable: no combatant is on that side.
    """
    sides = list(dict.fromkeys([one.side for one in fight.state.combatants.values()]))
    if not sides:
        raise Unusable("nobody is in this fight", "FIGHT")
    if side is not None and side not in sides:
        raise NoSuch("side", side, sides, field)
    return sides[0] if side is None else side
