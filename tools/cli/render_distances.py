"""Distances between combatants in a fight without a map, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table as Grid

from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import State
from affray.engine.fight import Fight
from affray.engine.kit.distances import order_pair
from affray.events import Id
from affray.tools.api.distances import distance_text, list_distances
from affray.tools.present.story.words import Names, name_of, side_said

from .terminal import Hanging, join_pieces

WIDEST = 100
"""Greatest width of a table of distances, in columns of the terminal."""

MOST_SHOWN = 50
"""The most combatants with all their distances shown, since those grow with the square of their number."""

UNKNOWN = "–"


def draw_distances(state: State, ruleset: Ruleset, names: Names) -> Iterator[Grid | Hanging]:
    """Yield the distances between all combatants as a table.

    A table that would be too wide is replaced by a line for each combatant. If there are too many, one line names the
    command that lists those of one combatant.
    """
    if len(state.combatants) > MOST_SHOWN:
        yield join_pieces(
            f"affray apart FIGHT WHO lists the distances of one of the {len(state.combatants)} combatants"
        )
        return
    people = [name_of(names, who) for who in state.combatants]
    width = max(map(len, people)) + 2 + sum(len(name) + 2 for name in people[1:])
    if width <= WIDEST:
        yield _table(state, names)
        return
    widest = max(map(len, people))
    for who in state.combatants:
        yield join_pieces(
            (f"{name_of(names, who):{widest}}", "bold"), "  ", " · ".join(group_distances(state, ruleset, who, names))
        )


def group_distances(state: State, ruleset: Ruleset, who: Id, names: Names) -> list[str]:
    """Return the combatants at each distance, nearest first: ``5 feet: Toke, Brand``."""
    groups: dict[str, list[str]] = {}
    for one in list_distances(state, ruleset, who):
        groups.setdefault(one.says, []).append(name_of(names, one.who))
    return [f"{says}: {', '.join(_shorten_names(those))}" for says, those in groups.items()]


def _shorten_names(people: Sequence[str]) -> Iterator[str]:
    """Shorten names that differ in a last letter: ``Wolf A``, ``B``, ``C``."""
    before = ""
    for name in people:
        front, _, letter = name.rpartition(" ")
        alike = front and front == before and len(letter) <= len("AA") and letter.isupper()
        yield letter if alike else name
        before = front


def sum_up_distances(fight: Fight) -> str:
    """Say all distances by sides: ``40 feet between the red and the blue``; empty if those of two sides differ."""
    state, found = fight.state, dict[tuple[str, ...], set[str]]()
    for one, apart in state.distances.items():
        for other, far in apart.items():
            sides = tuple(sorted({state.combatants[who].side for who in (one, other)}))
            found.setdefault(sides, set()).add(distance_text(fight.ruleset, far))
    if any(len(far) > 1 for far in found.values()):
        return ""
    within = {min(far) for sides, far in found.items() if len(sides) == 1}
    parts = [f"{min(far)} between {' and '.join(map(side_said, sides))}" for sides, far in found.items() if sides[1:]]
    if len(within) == 1:
        parts.append(f"{min(within)} within a side")
    else:
        parts += [f"{min(far)} within {side_said(*sides)}" for sides, far in found.items() if not sides[1:]]
    return f"  Apart – {', '.join(parts)}"


def lines_apart(fight: Fight, who: Id) -> list[str]:
    """Return a line for each other combatant with its distance, nearest first."""
    found = list_distances(fight, fight.ruleset, who)
    names = {one.who: fight.state.combatants[one.who].quoted_name for one in found}
    width = max(map(len, names.values()), default=0)
    return [f"{names[one.who]:{width}}  {one.says}" for one in found] or ["nobody else is there"]


def _table(state: State, names: Names) -> Grid:
    """Build the table of distances; each pair is shown once."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 1), show_edge=False)
    people = list(state.combatants.values())
    grid.add_column("apart", no_wrap=True)
    for one in people[1:]:
        grid.add_column(name_of(names, one.id), justify="right")
    for at, one in enumerate(people[:-1]):
        row = [_apart(state, one.id, other.id) if nth > at else "" for nth, other in enumerate(people)]
        grid.add_row(join_pieces(name_of(names, one.id)), *row[1:])
    return grid


def _apart(state: State, one: Id, other: Id) -> str:
    """Return the distance of two combatants, or a dash if it is unknown."""
    first, second = order_pair(one, other)
    return str(state.distances.get(first, {}).get(second, UNKNOWN))
