"""Hexes in axial coordinates. A place is written ``q,r``; directions are counted from 0, east, to 5, south-east."""

from functools import lru_cache

from affray.events import Id

from .lines import keep_short

Hex = tuple[int, int]

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""East, north-east, north-west, west, south-west, south-east; the opposite of ``d`` is ``(d + 3) % 6``."""

SIDES = len(DIRECTIONS)


@lru_cache(maxsize=65536)
def hex_of(place: Id) -> Hex | None:
    """Return the coordinates of a place, or ``None`` if it is no hex."""
    q, comma, r = place.partition(",")
    try:
        return (int(q), int(r)) if comma else None
    except ValueError:
        return None


def place_of(hex: Hex) -> Id:
    """Return a hex as text, ``q,r``."""
    return f"{hex[0]},{hex[1]}"


@lru_cache(maxsize=65536)
def neighbours(place: Id) -> tuple[Id, ...]:
    """Return the six neighbours in the order of the directions; empty if it is no hex."""
    here = hex_of(place)
    return tuple(place_of((here[0] + q, here[1] + r)) for q, r in DIRECTIONS) if here else ()


@lru_cache(maxsize=65536)
def direction(place: Id, neighbour: Id) -> int | None:
    """Return the direction of a neighbour, or ``None`` if the two are not neighbours."""
    ring = neighbours(place)
    return ring.index(neighbour) if neighbour in ring else None


@lru_cache(maxsize=65536)
def distance(one: Id, other: Id) -> int | None:
    """Return the distance in hexes, or ``None`` if one of the places is no hex."""
    here, there = hex_of(one), hex_of(other)
    if here is None or there is None:
        return None
    dq, dr = there[0] - here[0], there[1] - here[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


@keep_short
def line(one: Id, other: Id) -> tuple[Id, ...]:
    """Return the hexes on the straight line between the centres of two, inclusive.

    It is empty if one of them is no hex. A line along the border of hexes takes the same hexes in both directions.
    """
    if hex_of(one) is None or hex_of(other) is None:
        return ()
    if hex_of(other) < hex_of(one):  # type: ignore[operator]
        return line(other, one)[::-1]
    (q, r), (to_q, to_r) = hex_of(one), hex_of(other)  # type: ignore[misc]
    steps = distance(one, other) or 0
    return tuple(place_of(_on_line(q, r, to_q - q, to_r - r, step, steps)) for step in range(steps + 1))


NUDGE = 1_000_000
"""Lines are calculated this many times finer than their steps, and slightly beside the centres. So no tie is left
between two hexes."""


def _on_line(q: int, r: int, dq: int, dr: int, step: int, steps: int) -> Hex:
    """Return the hex a number of steps along a line, by integer arithmetic."""
    if not steps:
        return q, r
    unit = steps * NUDGE
    fine_q = (q * steps + dq * step) * NUDGE + steps
    fine_r = (r * steps + dr * step) * NUDGE + steps
    fine_s = -fine_q - fine_r
    near_q, near_r, near_s = (_rounded(one, unit) for one in (fine_q, fine_r, fine_s))
    off_q, off_r, off_s = (
        abs(near * unit - fine) for near, fine in ((near_q, fine_q), (near_r, fine_r), (near_s, fine_s))
    )
    if off_q > off_r and off_q > off_s:
        near_q = -near_r - near_s
    elif off_r > off_s:
        near_r = -near_q - near_s
    return near_q, near_r


def _rounded(value: int, unit: int) -> int:
    return (2 * value + unit) // (2 * unit)
