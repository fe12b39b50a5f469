"""The chain of usage dice: a size smaller, a size larger, and what hindrance makes of a size (WYR-039, 054, 065)."""

from __future__ import annotations

from functools import cache

from .config import Config

ABILITY_TOP = 12
"""The size at which an ability stops growing."""

TREASURE = 20
"""The size that only treasure has."""


@cache
def sizes(chain: tuple[str, ...], top: int) -> tuple[int, ...]:
    """Return the sizes of the chain that gear can have, from the smallest."""
    known = {int(one[1:]) for one in chain}
    if top == TREASURE:
        known.add(TREASURE)
    return tuple(sorted(size for size in known if size <= top))


def smaller(config: Config, size: int) -> int:
    """Return the next smaller size; 0 if there is none, for then the piece is destroyed."""
    below = [one for one in sizes(config.chain, config.chain_top) if one < size]
    return below[-1] if below else 0


def larger(config: Config, size: int, top: int) -> int:
    """Return the next larger size up to a top; the size itself at the end of the chain."""
    return min((one for one in sizes(config.chain, config.chain_top) if size < one <= top), default=size)


def mended(config: Config, size: int, base: int) -> int:
    """Return the size after mending or rest: the next of the chain, but the base where that comes first (WYR-045)."""
    return min((one for one in sizes(config.chain, config.chain_top) if size < one <= base), default=base)


def hindered(config: Config, size: int, by: int) -> int:
    """Return the size that is rolled instead, so many sizes smaller but none below the floor (WYR-054, WYR-056)."""
    for _ in range(by):
        below = smaller(config, size)
        size = below if below >= config.hindrance_floor else size
    return size


def moved(config: Config, size: int, by: int, top: int) -> int:
    """Return the size so many steps along the chain; 0 once it has left the chain downwards."""
    for _ in range(abs(by)):
        size = larger(config, size, top) if by > 0 else smaller(config, size)
    return size
