"""Ways over the board."""

from __future__ import annotations

from collections import deque

from affray.engine.core.table import Table
from affray.events import Id

from .board import SQUARE, WAYS, Cell, cell, trait


def reachable(table: Table, who: Id, feet: int) -> dict[Cell, tuple[Cell, ...]]:
    """Return every square somebody could go to with so many feet, with the shortest way to it.

    Among equally short ways it is the one that goes straight first.
    """
    start = cell(table[who].place)
    paths: dict[Cell, tuple[Cell, ...]] = {start: ()}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        way = paths[here]
        if SQUARE * (len(way) + 1) > feet:
            break
        for dx, dy in WAYS.values():
            there = (here[0] + dx, here[1] + dy)
            if there not in paths and not trait(table, there, "blocked"):
                paths[there] = (*way, there)
                queue.append(there)
    del paths[start]
    return paths


def straight(table: Table, who: Id, direction: str, feet: int) -> tuple[Cell, ...]:
    """Return the squares of a straight run, up to what blocks it."""
    dx, dy = WAYS[direction]
    here = cell(table[who].place)
    run: list[Cell] = []
    while SQUARE * (len(run) + 1) <= feet:
        here = (here[0] + dx, here[1] + dy)
        if trait(table, here, "blocked"):
            break
        run.append(here)
    return tuple(run)
