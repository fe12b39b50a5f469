"""Circumstance modifiers: what the situation adds to a hit (WWN-014 to WWN-024, WWN-049)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from affray.engine.core.changes import marked
from affray.engine.core.effects import Rule
from affray.engine.core.state import Item
from affray.engine.core.table import Table
from affray.events import Clause, Id, Modifier

from .arms import gift, gifts
from .board import adjacent, distance, meleed, view
from .sheet import flat, level, mount_of

Circumstance = Literal[
    "prone_near",
    "prone_far",
    "attacker_prone",
    "half_cover",
    "near_complete_cover",
    "snap",
    "range",
    "thrown_in_melee",
    "no_ride",
]
"""The circumstances there are, as the game master declares or waives them."""

CIRCUMSTANCES: tuple[Circumstance, ...] = get_args(Circumstance)

WORTH: dict[str, tuple[int, Clause]] = {
    "prone_near": (2, "WWN-016"),
    "prone_far": (-2, "WWN-017"),
    "attacker_prone": (-4, "WWN-018"),
    "half_cover": (-2, "WWN-019"),
    "near_complete_cover": (-4, "WWN-020"),
    "snap": (-4, "WWN-021"),
    "range": (-2, "WWN-022"),
    "thrown_in_melee": (-4, "WWN-023"),
    "no_ride": (-1, "WWN-049"),
}
"""What each adds to a hit, and by which clause; shooting at somebody prone nearby is WWN-015."""


def situation(
    table: Table, actor: Id, target: Id, weapon: Item, mode: str, snap: bool
) -> Iterator[tuple[str, int, Clause]]:
    """Yield every circumstance that holds by itself, what it adds, and the clause."""
    people = table.draft.combatants
    if "prone" in people[target].conditions:
        if adjacent(table, actor, target):
            yield "prone_near", 2, "WWN-016" if mode == "melee" else "WWN-015"
        elif mode != "melee":
            yield "prone_far", *WORTH["prone_far"]
    if mode == "melee" and "prone" in people[actor].conditions:
        yield "attacker_prone", *WORTH["attacker_prone"]
    cover = view(table, actor, target)
    if cover in ("half", "near_complete"):
        name = f"{cover}_cover"
        yield name, *WORTH[name]
    if snap:
        yield "snap", *WORTH["snap"]
    if mode != "melee":
        if distance(table, actor, target) > weapon.stats["near"]:
            yield "range", *WORTH["range"]
        if mode == "throw" and not throws_freely(table, actor, weapon) and meleed(table, actor):
            yield "thrown_in_melee", *WORTH["thrown_in_melee"]
    if mount_of(table, actor) and unpractised(table, actor):
        yield "no_ride", *WORTH["no_ride"]


def unpractised(table: Table, rider: Id) -> bool:
    """Tell whether somebody rides without the skill; a foe's one attack number contains it unless its sheet says so."""
    if flat(table, rider) and "ride" not in table[rider].stats:
        return False
    return level(table, rider, "ride") < 0


MEANT: dict[Clause, Clause] = {
    "WWN-017": "WWN-T17",
    "WWN-019": "WWN-T20",
    "WWN-020": "WWN-T20",
    "WWN-022": "WWN-T21",
    "WWN-023": "WWN-T18",
}
"""What a circumstance means, by the clause that lets it count."""

SITUATED = frozenset({"WWN-015", *(rule for _, rule in WORTH.values())})
"""The clauses of all circumstances."""


def throws_freely(table: Table, actor: Id, weapon: Item) -> bool:
    """Tell whether a Focus lets somebody throw a weapon while being meleed as at any other time."""
    words = {f"throws_in_melee:{tag}" for tag in weapon.traits}
    if any(not words.isdisjoint(one.traits) for one in gifts(table, actor)):
        return True
    ease = gift(table, actor, "bow_in_melee")
    return ease is not None and ease.stats["bow_in_melee"] >= 0


def circumstances(table: Table, actor: Id, target: Id, weapon: Item, mode: str, snap: bool) -> tuple[Modifier, ...]:
    """List the circumstances that count, with those that the game master declared and without those waived (WWN-014).

    All of them add up, except that near-complete cover takes the place of half cover.
    """
    found = {name: (value, rule) for name, value, rule in situation(table, actor, target, weapon, mode, snap)}
    marks = table.draft.marks.get(actor)
    if marks:
        for name in CIRCUMSTANCES:
            if f"declare/{name}" in marks:
                found.setdefault(name, WORTH[name])
            if f"waive/{name}" in marks:
                found.pop(name, None)
    if not found:
        return ()
    if "near_complete_cover" in found:
        found.pop("half_cover", None)
    return tuple(
        [
            Modifier(value=value, label=name.replace("_", " "), source=_source(name, actor, target), rule=rule)
            for name, (value, rule) in found.items()
        ]
    )


def _source(name: str, actor: Id, target: Id) -> Id:
    """Return what makes a circumstance hold, by name."""
    if name.startswith("prone"):
        return f"{target}.prone"
    if name == "attacker_prone":
        return f"{actor}.prone"
    return f"{actor}>{target}" if name in ("half_cover", "near_complete_cover", "range") else actor


def ruled_used_up(table: Table, actor: Id) -> Rule[None]:
    """Strike out what the game master declared or waived for this one attack (WWN-014)."""
    for key in [one for one in table.draft.marks.get(actor, {}) if one.startswith(("declare/", "waive/"))]:
        yield marked(actor, key, None, "WWN-014")
