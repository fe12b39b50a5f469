"""Moves without a map, said by whom they lead to or away from; and what follows from them for everybody else.

Who has gone up to a combatant is as far from all others as that combatant is. Who has gone away is farther from
everybody by the whole way. What follows counts known combatants only where it could refuse a move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from affray.engine.core.actions import Action
from affray.engine.core.domains import list_sides
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.events import EVERYBODY, Answered, Clause, Field, Id, SeveralId

REST = "rest"
"""The field of an answer that says how far everybody is of whom nothing else is said."""


class Measure(NamedTuple):
    """How a rule system measures in a fight without a map.

    Attributes:
        word: The parameter that says the length of a way, such as ``feet``.
        close: How far apart two are who stand beside each other.
        farthest: The greatest distance that can be stated.
        apart: How far apart two are; nothing where that is not stated.
        together: Who is always at one place with a combatant, which is among them.
        unsaid: How far apart two are taken to be of whom nothing is stated; nothing where that is open.
    """

    word: str
    close: int
    farthest: int
    apart: Callable[[Table, Id, Id], int | None]
    together: Callable[[Table, Id], Iterable[Id]]
    unsaid: int | None = None

    def taken(self, table: Table, one: Id, other: Id) -> int | None:
        """Return how far apart two are taken to be."""
        apart = self.apart(table, one, other)
        return self.unsaid if apart is None else apart


class RelativeMove(Action, frozen=True, kw_only=True):
    """A move that without a map may say beside whom it ends, or away from whom it leads.

    Attributes:
        beside: Whom to go up to: a combatant, or all known ones of a side, or ``*``.
        away_from: From whom to go away, likewise; as far as the move allows, unless a length is said.
    """

    beside: SeveralId = ""
    away_from: SeveralId = ""

    @property
    def is_relative(self) -> bool:
        """Whether it says beside whom it ends, or away from whom it leads."""
        return bool(self.beside or self.away_from)


def others_of(table: Table, mover: Id, measure: Measure) -> list[Id]:
    """Return everybody who can be some way from a mover, in joining order."""
    together = tuple(measure.together(table, mover))
    return [who for who in table.draft.combatants if who not in together]


def meant(table: Table, mover: Id, said: str, measure: Measure) -> tuple[Id, ...]:
    """Return whom a mover means: one combatant, or the known ones of a side, or all known ones."""
    others = others_of(table, mover, measure)
    if table.is_combatant(said):
        return (said,) if said in others else ()
    return tuple([who for who in table.list_known(others) if said in (EVERYBODY, table[who].side)])


def relative_length(table: Table, mover: Id, way: RelativeMove, most: int, measure: Measure) -> int:
    """Return how long a way is: up to the farthest of those whom it ends beside, or else as long as it may be."""
    if not way.beside:
        return most
    apart = [measure.taken(table, mover, one) for one in meant(table, mover, way.beside, measure)]
    return max((far - measure.close for far in apart if far is not None), default=0)


def check_relative(table: Table, mover: Id, way: RelativeMove, length: int, measure: Measure, rule: Clause) -> None:
    """Refuse a way to or from nobody, to whom nobody knows how far it is, or where the mover stands already.

    Args:
        length: As the declaration says it; 0 if it says none.

    Raises:
        Unusable: says what else would do.
        Refused: the mover stands beside all of them.
    """
    field, said = ("beside", way.beside) if way.beside else ("away_from", way.away_from)
    if way.beside and way.away_from:
        raise Unusable(f"say either beside whom or away from whom, as in: {way.kind} away_from=*", "away_from")
    whom = meant(table, mover, said, measure)
    if not whom:
        known = ", ".join((*table.list_known(others_of(table, mover, measure)), *list_sides(table)))
        raise Unusable(f"{said} is nobody to move by; there are {known}", field)
    if not way.beside:
        return
    if length:
        like = f'{way.kind} beside="{said}"' if " " in said else f"{way.kind} beside={said}"
        raise Unusable(f"the way up to somebody is as long as it must be; leave this out, as in: {like}", measure.word)
    apart = {one: measure.taken(table, mover, one) for one in whom}
    unknown = next((one for one, far in apart.items() if far is None), "")
    if unknown:
        message = f"nobody has said how far {table.called(unknown)} is"
        raise Unusable(f"{message}; say how long the way is, as in: {way.kind} {measure.word}={measure.close}", field)
    if all(far is not None and far <= measure.close for far in apart.values()):
        message = f"{table.called(mover)} is beside {table.called(whom[0])} already"
        raise Refused("already_there", rule, message, source=whom[0])


def after_relative(table: Table, mover: Id, way: RelativeMove, gone: int, measure: Measure) -> dict[Id, int]:
    """Return how far the mover is from everybody once a way is gone, as far as that follows from it."""
    if way.beside:
        return follow(table, mover, dict.fromkeys(meant(table, mover, way.beside, measure), measure.close), measure)
    apart = {one: measure.taken(table, mover, one) for one in others_of(table, mover, measure)}
    return {one: min(measure.farthest, far + gone) for one, far in apart.items() if far is not None}


def follow(table: Table, mover: Id, beside: Mapping[Id, int], measure: Measure) -> dict[Id, int]:
    """Return how far a mover is from everybody who is beside some now: as far as those are, the nearest of them.

    Args:
        beside: How far it is from those whom it is beside.
    """
    found = dict(beside)
    known = table.list_known(beside) if table.is_known(mover) else tuple(beside)
    for other in others_of(table, mover, measure):
        if other in found:
            continue
        near = known if table.is_known(other) else tuple(beside)  # so that no distance tells of a concealed one
        apart = [
            measure.close if other in measure.together(table, one) else measure.apart(table, one, other) for one in near
        ]
        stated = [far for far in apart if far is not None]
        if stated:
            found[other] = min(stated)
    return found


def candidates(table: Table, mover: Id, field: str, most: int, measure: Measure) -> list[str]:
    """Return what is offered for ``beside`` and ``away_from``: whom a way reaches; to go away is said, not offered.

    Args:
        most: How long the way may be; 0 where there is none.
    """
    if table[mover].place or not most or field == "away_from":
        return [""]
    apart = {who: measure.apart(table, mover, who) for who in table.list_known(others_of(table, mover, measure))}
    return ["", *[who for who, far in apart.items() if far is not None and 0 < far - measure.close <= most]]


def several_fields(table: Table, mover: Id, fields: Sequence[Field], measure: Measure) -> list[Field]:
    """Return the fields by which an answer says the distance of a whole side, and of all whom nothing else is said of.

    There are none where they would stand for one combatant alone.

    Args:
        fields: One for each combatant.
    """
    taken = {one.name for one in fields}
    known = table.list_known(others_of(table, mover, measure))
    sides = {side: [who for who in known if table[who].side == side] for side in list_sides(table)}
    names = [side for side, those in sides.items() if len(those) > 1 and is_plain(table, side)]
    names += [REST] if len(known) > 1 else []
    names = [one for one in dict.fromkeys(names) if one not in taken]
    return [Field(name=one, kind="int", high=measure.farthest, optional=True) for one in names]


def is_plain(table: Table, side: str) -> bool:
    """Tell whether a field can be called after a side: no combatant is, and it has no sign of the notation."""
    return side not in table.draft.combatants and not {":", "="} & {*side}


def stated_after(
    table: Table, mover: Id, answer: Answered, fields: Mapping[str, tuple[int, int]], measure: Measure
) -> dict[Id, int]:
    """Return how far the mover is from everybody by an answer: as it says, or as it follows from what it says.

    What is said of a combatant goes before what is said of its side, and that before what is said of the rest. Where
    nothing is said, who is newly beside a combatant is as far from all others as that combatant is, within the way.

    Args:
        fields: For each combatant between which distances the way can bring it.
    """
    others = others_of(table, mover, measure)
    said = {one: far for one, far in answer.fields.items() if one in others and isinstance(far, int)}
    said |= {
        one: said[same] for one in others if one not in said for same in measure.together(table, one) if same in said
    }
    found = dict(said)
    for one in others:
        side = table[one].side
        wide = answer.fields.get(side) if is_plain(table, side) else None
        wide = answer.fields.get(REST) if wide is None and REST not in others else wide
        if one not in found and isinstance(wide, int) and not isinstance(wide, bool):
            found[one] = _within(fields.get(one), wide)
    beside = {one: far for one, far in found.items() if far <= measure.close < (measure.apart(table, mover, one) or 0)}
    for one, far in follow(table, mover, beside, measure).items() if beside else ():
        if one not in found and measure.apart(table, mover, one) is not None:
            found[one] = _within(fields.get(one), far)
    return found


def _within(bounds: tuple[int, int] | None, far: int) -> int:
    """Return a distance as near to one as the bounds allow."""
    return far if bounds is None else min(max(far, bounds[0]), bounds[1])
