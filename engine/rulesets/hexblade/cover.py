"""What lies between two combatants: cover on hexes, on sides of hexes or about somebody, and walls (HEX-078 to 082)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from affray.engine.core.table import Table
from affray.events import Clause, Id, Modifier

from .hexes import SIDES, apart, around, line
from .levels import Levels
from .tables import terrains

LEVELS: dict[str, int] = {"soft": 1, "hard": 2}
"""How many levels each kind of cover gives to an evade roll (HEX-079, HEX-080)."""

RULES: dict[str, Clause] = {"soft": "HEX-079", "hard": "HEX-080"}

GROUND: dict[str, str] = {key: one.cover for key, one in terrains().items() if one.cover != "none"}
"""The kinds of ground that cover what is in them or behind them."""

FULL = "full"


def side_trait(cover: str, at: int) -> str:
    """Return how a hex says that one of its sides gives cover, such as ``hard:3``."""
    return f"{cover}:{at}"


def sees(table: Table, viewer: Id, target: Id) -> bool:
    """Tell whether the line between two is free of walls; a ruling on the pair goes before the map (HEX-027)."""
    view = table.draft.views.get(f"{viewer}>{target}") if table.draft.views else None
    if view is not None:
        return view != "blocked"
    if not table.draft.places:
        return True
    between = line(table[viewer].place, table[target].place)[1:-1]
    return not any(GROUND.get(trait) == FULL for hex in between for trait in _traits(table, hex))


def _traits(table: Table, hex: Id) -> tuple[str, ...]:
    place = table.draft.places.get(hex)
    return place.traits if place else ()


def covers(table: Table, attacker: Id, target: Id) -> tuple[tuple[str, Id], ...]:
    """Return every cover that somebody has against an attacker, with what gives it (HEX-078)."""
    view = table.draft.views.get(f"{attacker}>{target}") if table.draft.views else None
    if view is not None:
        return ((view, f"{attacker}>{target}"),) if view in LEVELS else ()
    about = tuple((kind, f"{target}.{kind}_cover") for kind in LEVELS if f"{kind}_cover" in table[target].traits)
    return (*about, *_on_the_way(table, attacker, target)) if table.draft.places else about


def _on_the_way(table: Table, attacker: Id, target: Id) -> Iterator[tuple[str, Id]]:
    """Yield the cover of each side that is crossed and of each hex that is entered, the target's own included."""
    for here, there in pairwise(line(table[attacker].place, table[target].place)):
        at = around(here).index(there)
        back = (at + SIDES // 2) % SIDES
        for kind in LEVELS:
            if side_trait(kind, at) in _traits(table, here) or side_trait(kind, back) in _traits(table, there):
                yield kind, f"{here}|{there}"
        for trait in _traits(table, there):
            if GROUND.get(trait) in LEVELS:
                yield GROUND[trait], there


def cover_levels(table: Table, attacker: Id, target: Id) -> tuple[Levels, tuple[Clause, ...]]:
    """Return what cover gives to an evade roll, and the clauses besides those of its kind (HEX-079, 080, 082).

    The best one counts, unless the table lets them add up. Somebody adjacent is past all cover, unless the table or
    a ruling on the pair says otherwise.
    """
    found = covers(table, attacker, target)
    if not found:
        return (), ()
    ruled = f"{attacker}>{target}" in table.draft.views
    near = (apart(table[attacker].place, table[target].place) or 0) <= 1
    if near and not ruled and not table.config.cover_against_adjacent:
        return (), ("HEX-079",)
    several = ("HEX-078", "HEX-082") if len(found) > 1 else ("HEX-078",)
    if not table.config.cover_stack:
        found = (max(found, key=lambda one: LEVELS[one[0]]),)
    levels = tuple(
        Modifier(value=LEVELS[kind], label=f"{kind} cover", source=source, rule=RULES[kind]) for kind, source in found
    )
    return levels, several
