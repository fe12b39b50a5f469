"""Hexes in axial coordinates. A place is written ``q,r``; directions are counted from 0, east, to 5, south-east."""

from functools import lru_cache

from affray.events import Id

from .line_cache import keep_short

Hex = tuple[int, int]

DIRECTIONS: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""East, north-east, north-west, west, south-west, south-east; the opposite of ``d`` is ``(d + 3) % 6``."""

SIDES = len(DIRECTIONS)


@lru_cache(maxsize=65536)
def parse_hex(place: Id) -> Hex | None:
    """Return the coordinates of a place, or ``None`` if it is no hex."""
    q, comma, r = place.partition(",")
    try:
        return (int(q), int(r)) if comma else None
    except ValueError:
        return None


def format_hex(hex: Hex) -> Id:
    """Return a hex as text, ``q,r``."""
    return f"{hex[0]},{hex[1]}"


@lru_cache(maxsize=65536)
def hex_neighbours(place: Id) -> tuple[Id, ...]:
    """Return the six neighbours in the order of the directions; empty if it is no hex."""
    here = parse_hex(place)
    return tuple(format_hex((here[0] + q, here[1] + r)) for q, r in DIRECTIONS) if here else ()


@lru_cache(maxsize=65536)
def hex_direction(place: Id, neighbour: Id) -> int | None:
    """Return the direction of a neighbour, or ``None`` if the two are not neighbours."""
    ring = hex_neighbours(place)
    return ring.index(neighbour) if neighbour in ring else None


@lru_cache(maxsize=65536)
def hex_distance(one: Id, other: Id) -> int | None:
    """Return the distance in hexes, or ``None`` if one of the places is no hex."""
    here, there = parse_hex(one), parse_hex(other)
    if here is None or there is None:
        return None
    dq, dr = there[0] - here[0], there[1] - here[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


@keep_short
def hex_line(one: Id, other: Id) -> tuple[Id, ...]:
    """Return the hexes on the straight line between the centres of two, inclusive.

    It is empty if one of them is no hex. A line along the border of hexes takes the same hexes in both directions.
    """
    if parse_hex(one) is None or parse_hex(other) is None:
        return ()
    if parse_hex(other) < parse_hex(one):  # type: ignore[operator]
        return hex_line(other, one)[::-1]
    (q, r), (to_q, to_r) = parse_hex(one), parse_hex(other)  # type: ignore[misc]
    steps = hex_distance(one, other) or 0
    return tuple(format_hex(_on_line(q, r, to_q - q, to_r - r, step, steps)) for step in range(steps + 1))


NUDGE = 1_000_000
"""Lines are calculated this many times finer than their steps, and slightly beside the centres. So no point lies
between two hexes."""


def _on_line(q: int, r: int, dq: int, dr: int, step: int, steps: int) -> Hex:
    """Return the hex a number of steps along a line, by integer arithmetic."""
    if not steps:
        return q, r
    unit = steps * NUDGE
    fine_q = (q * steps + dq * step) * NUDGE + steps
    fine_r = (r * steps + dr * step) * NUDGE + steps
    fine_s = -fine_q - fine_r
    near_q, near_r, near_s = (_round_division(one, unit) for one in (fine_q, fine_r, fine_s))
    off_q, off_r, off_s = (
        abs(near * unit - fine) for near, fine in ((near_q, fine_q), (near_r, fine_r), (near_s, fine_s))
    )
    if off_q > off_r and off_q > off_s:
        near_q = -near_r - near_s
    elif off_r > off_s:
        near_r = -near_q - near_s
    return near_q, near_r


def _round_division(value: int, unit: int) -> int:
    return (2 * value + unit) // (2 * unit)
