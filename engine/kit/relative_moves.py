"""Moves without a map, towards or away from combatants, and the new distances.

A combatant who goes up to another is then as far from all others as that other. A combatant who goes away is farther
from
all others by the length of the move. A check that could refuse a move counts known combatants only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from affray.engine.core.actions import Action
from affray.engine.core.candidates import list_sides
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.kit.riding import list_unit
from affray.events import EVERYBODY, Answered, Clause, Field, Id, Scalar, SeveralId

DISTANCE = "distance"
"""The field of an answer with the distance to a combatant or a side."""

REST = "rest"
"""The field of an answer with the distance to all combatants that no other field covers."""


class Measure(NamedTuple):
    """The distances of a rule system in a fight without a map.

    Attributes:
        word: The parameter with the length of a move, such as ``feet``.
        close: The distance between combatants who stand beside each other.
        farthest: The greatest distance that can be stated.
        apart: Returns the distance between two combatants; ``None`` if not stated.
        unsaid: The distance assumed where none is stated; ``None`` if it is unknown.
    """

    word: str
    close: int
    farthest: int
    apart: Callable[[Table, Id, Id], int | None]
    unsaid: int | None = None

    def find_distance(self, table: Table, one: Id, other: Id) -> int | None:
        """Return the stated distance between two combatants, or else the assumed one."""
        apart = self.apart(table, one, other)
        return self.unsaid if apart is None else apart


class RelativeMove(Action, frozen=True, kw_only=True):
    """A move that can name a combatant to end beside, or to move away from.

    Attributes:
        beside: The combatant to go up to; a side, for all its known combatants; or ``*``.
        away_from: The combatant to move away from, likewise. The move is as long as allowed, unless a length is given.
    """

    beside: SeveralId = ""
    away_from: SeveralId = ""

    @property
    def is_relative(self) -> bool:
        """True if the move names combatants to go up to or away from."""
        return bool(self.beside or self.away_from)


def list_others(table: Table, mover: Id, measure: Measure) -> list[Id]:
    """List the combatants that can be at a distance from a mover, in joining order."""
    together = list_unit(table, mover)
    return [who for who in table.draft.combatants if who not in together]


def list_targets(table: Table, mover: Id, said: str, measure: Measure) -> tuple[Id, ...]:
    """Return the combatants that a move names: one, a side's known ones, or all known."""
    others = list_others(table, mover, measure)
    if table.is_combatant(said):
        return (said,) if said in others else ()
    return tuple([who for who in table.list_known(others) if said in (EVERYBODY, table[who].side)])


def find_relative_length(table: Table, mover: Id, way: RelativeMove, most: int, measure: Measure) -> int:
    """Return the length of a move: up to the farthest named one, or else the maximum."""
    if not way.beside:
        return most
    apart = [measure.find_distance(table, mover, one) for one in list_targets(table, mover, way.beside, measure)]
    return max((far - measure.close for far in apart if far is not None), default=0)


def check_relative(table: Table, mover: Id, way: RelativeMove, length: int, measure: Measure, rule: Clause) -> None:
    """Refuse a relative move with no target, no known distance, or no way to go.

    Args:
        length: The declared length; 0 if none is declared.

    Raises:
        Unusable: with a declaration that would work.
        Refused: the mover is beside all of them already.
    """
    field, said = ("beside", way.beside) if way.beside else ("away_from", way.away_from)
    if way.beside and way.away_from:
        raise Unusable(f"say either beside whom or away from whom, as in: {way.kind} away_from=*", "away_from")
    whom = list_targets(table, mover, said, measure)
    if not whom:
        known = ", ".join((*table.list_known(list_others(table, mover, measure)), *list_sides(table)))
        raise Unusable(f"{said} is no combatant or side to move by; there are {known}", field)
    if not way.beside:
        return
    if length:
        like = f'{way.kind} beside="{said}"' if " " in said else f"{way.kind} beside={said}"
        raise Unusable(f"the way to a combatant is as long as it must be; leave this out, as in: {like}", measure.word)
    apart = {one: measure.find_distance(table, mover, one) for one in whom}
    unknown = next((one for one, far in apart.items() if far is None), "")
    if unknown:
        message = f"no distance to {table.name_of(unknown)} is stated"
        raise Unusable(f"{message}; say how long the way is, as in: {way.kind} {measure.word}={measure.close}", field)
    if all(far is not None and far <= measure.close for far in apart.values()):
        raise table.refuse(mover, f"is beside {table.name_of(whom[0])} already", rule, "already_there", whom[0])


def list_distances_after(table: Table, mover: Id, way: RelativeMove, gone: int, measure: Measure) -> dict[Id, int]:
    """Return the mover's known distances to others after a move."""
    if way.beside:
        return follow_distances(
            table, mover, dict.fromkeys(list_targets(table, mover, way.beside, measure), measure.close), measure
        )
    apart = {one: measure.find_distance(table, mover, one) for one in list_others(table, mover, measure)}
    return {one: min(measure.farthest, far + gone) for one, far in apart.items() if far is not None}


def follow_distances(table: Table, mover: Id, beside: Mapping[Id, int], measure: Measure) -> dict[Id, int]:
    """Return the mover's distances to others, once it stands beside some combatants.

    They are the distances of those combatants, and the smallest of them where several differ.

    Args:
        beside: The mover's distance to each combatant beside it.
    """
    found = dict(beside)
    known = table.list_known(beside) if table.is_known(mover) else tuple(beside)
    for other in list_others(table, mover, measure):
        if other in found:
            continue
        near = known if table.is_known(other) else tuple(beside)  # so that no distance reveals a concealed combatant
        apart = [measure.close if other in list_unit(table, one) else measure.apart(table, one, other) for one in near]
        stated = [far for far in apart if far is not None]
        if stated:
            found[other] = min(stated)
    return found


def list_relative_candidates(table: Table, mover: Id, field: str, most: int, measure: Measure) -> list[str]:
    """Return the combatants to offer for ``beside``: those within reach of the move.

    ``away_from`` can be declared, but none is offered.

    Args:
        most: The longest possible move; 0 if none is possible.
    """
    if table[mover].place or not most or field == "away_from":
        return [""]
    apart = {who: measure.apart(table, mover, who) for who in table.list_known(list_others(table, mover, measure))}
    return ["", *[who for who, far in apart.items() if far is not None and 0 < far - measure.close <= most]]


def list_group_fields(table: Table, mover: Id, fields: Sequence[Field], measure: Measure) -> list[Field]:
    """Return the fields for the distance to a whole side, and to all the rest.

    A field that would stand for a single combatant is left out.

    Args:
        fields: The fields for single combatants.
    """
    taken = {one.about for one in fields}
    known = table.list_known(list_others(table, mover, measure))
    sides = {side: [who for who in known if table[who].side == side] for side in list_sides(table)}
    names = [side for side, those in sides.items() if len(those) > 1 and is_plain_name(table, side)]
    found = [build_distance_field(one, 0, measure.farthest) for one in names if one not in taken]
    rest = Field(name=REST, kind="int", high=measure.farthest, optional=True)
    return [*found, rest] if len(known) > 1 and REST not in taken else found


def build_distance_field(about: SeveralId, low: int, high: int) -> Field:
    """Return the field for the distance to a combatant or a side."""
    return Field(name=DISTANCE, about=about, kind="int", low=low, high=high, optional=True)


def is_plain_name(table: Table, side: str) -> bool:
    """Tell whether a side's name can name a field: no combatant's id, no notation."""
    return side not in table.draft.combatants and not {":", "="} & {*side}


def list_answered_distances(
    table: Table, mover: Id, answer: Answered, fields: Mapping[str, tuple[int, int]], measure: Measure
) -> dict[Id, int]:
    """Return the mover's distances to others by an answer.

    A combatant's own field takes precedence over its side's field, and that over ``rest``. Without any field, the mover
    is as far from a combatant as the one that it now stands beside, within the length of the move.

    Args:
        fields: The least and the greatest distance that the move can lead to, for each combatant.
    """
    others = list_others(table, mover, measure)
    told = {one: far for one, those in answer.about.items() if isinstance(far := those.get(DISTANCE), int)}
    said = {one: far for one, far in told.items() if one in others}
    said |= {one: said[same] for one in others if one not in said for same in list_unit(table, one) if same in said}
    found = dict(said)
    for one in others:
        side = table[one].side
        wide: Scalar = told.get(side) if is_plain_name(table, side) else None
        wide = answer.fields.get(REST) if wide is None and REST not in others else wide
        if one not in found and isinstance(wide, int) and not isinstance(wide, bool):
            found[one] = _limit(fields.get(one), wide)
    beside = {one: far for one, far in found.items() if far <= measure.close < (measure.apart(table, mover, one) or 0)}
    for one, far in follow_distances(table, mover, beside, measure).items() if beside else ():
        if one not in found and measure.apart(table, mover, one) is not None:
            found[one] = _limit(fields.get(one), far)
    return found


def _limit(bounds: tuple[int, int] | None, far: int) -> int:
    """Return the distance within the bounds that is nearest to the given one."""
    return far if bounds is None else min(max(far, bounds[0]), bounds[1])
