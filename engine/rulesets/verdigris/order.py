"""Whose turn is next: sides, seats and surprise (VER-002 to VER-013)."""

from __future__ import annotations

from collections.abc import Callable

from affray.engine.core.state import Relation
from affray.engine.core.table import Table
from affray.engine.kit.turn_order import first_to_come
from affray.events import Id

from .refusing import no
from .sheet import PARTY, in_play, other_side, ranks

SIDE_DUE = "side_due"
"""Key of the fight's mark that names the side that is due."""

SURPRISING = "surprising"
"""Key of the fight's mark that names the side that surprises the other, as long as that matters."""

ROLLED = "rolled"
"""Key of the fight's mark that names the seat that made the last initiative roll."""

SEAT = "seat"
"""Key of the fight's mark that names the seat to which the game master gave the next one."""

WAITS = "waits"
"""Key of the mark that holds the round in which a newcomer does not act."""

EXEMPT = "exempt"
"""Key of the mark that says that somebody of the surprised side is not surprised."""


def side_due(table: Table) -> str:
    """Return the side that is due to take a turn."""
    return str(table.mark("fight", SIDE_DUE) or PARTY)


def surprising(table: Table) -> str:
    """Return the side that surprises the other in this round; empty if none does."""
    return str(table.mark("fight", SURPRISING) or "")


def waits(table: Table, who: Id) -> bool:
    """Tell whether somebody still has a turn to come this round (VER-002)."""
    draft = table.draft
    if f"{who}/turn" in draft.counts:
        return False
    return who not in draft.marks or table.mark(who, WAITS) != draft.round


def waiting(table: Table, side: str, which: str = "all") -> bool:
    """Tell whether a side has somebody with a turn to come.

    Args:
        table: The fight.
        side: Which side.
        which: ``all``, or ``exempt`` for those whom a surprise does not touch.
    """
    members = table.derived(ranks).get(side, ())
    if which == "exempt":
        return any(table.mark(who, EXEMPT) is not None and waits(table, who) for who in members)
    at = first_to_come(table, members, side)
    return at < len(members) and (waits(table, members[at]) or any(waits(table, one) for one in members[at + 1 :]))


def due(table: Table) -> tuple[str, Callable[[Id], bool]] | None:
    """Return the side whose turn is next, and who of it may take it; nothing if everybody has had a turn.

    A side with nobody left is skipped (VER-009). Those who surprise come before the surprised, in turns with those of
    the other side who are not (VER-012, VER-013).
    """
    side = side_due(table)
    ambush = surprising(table)
    if not ambush:
        for one in (side, other_side(side)):
            if waiting(table, one):
                return one, _anybody
        return None
    for one in (side, other_side(side)):
        if waiting(table, one, "all" if one == ambush else "exempt"):
            return one, _anybody if one == ambush else lambda who: table.mark(who, EXEMPT) is not None
    if table.config.surprise_surprised_side_acts_in_first_round and waiting(table, other_side(ambush)):
        return other_side(ambush), _anybody
    return None


def _anybody(who: Id) -> bool:
    return True


def candidates(table: Table) -> tuple[Id, ...]:
    """Return who may begin a turn now, in joining order (VER-008)."""
    side, may = due(table) or ("", _anybody)
    return tuple(who for who in table.derived(ranks).get(side, ()) if may(who) and waits(table, who))


def everybody(table: Table) -> frozenset[Id]:
    """Return who has a turn in each round. To be asked through ``table.derived``."""
    return frozenset(who for members in table.derived(ranks).values() for who in members)


def may_begin(table: Table, actor: Id) -> None:
    """Refuse in order: a mount (VER-060), out of play or acted (VER-002), surprised (VER-012), not due (VER-008)."""
    one = table[actor]
    if "mount" in one.traits:
        raise no("VER-060", f"{actor} acts in the turn of its rider", actor)
    if actor not in table.derived(everybody):
        raise no("VER-002", f"{actor} has no turn", actor)
    if not waits(table, actor):
        raise no("VER-002", f"{actor} has had its turn this round", actor)
    now = due(table)
    if now is None or (now[0] == one.side and now[1](actor)):
        return
    if surprising(table) not in ("", one.side):
        why = "is not surprised" if table.mark(actor, EXEMPT) is not None else "is surprised"
        raise no("VER-012", f"{actor} {why}, but others come first", actor)
    raise no("VER-008", f"the other side is due, not {one.side}", actor)


def seats(table: Table) -> tuple[Relation, ...]:
    """Return the players' seats in their order. To be asked through ``table.derived``."""
    return tuple(one for one in table.draft.relations.values() if one.kind == "seat")


def alive(table: Table, seat: Relation) -> bool:
    """Tell whether a player still has a character who is not dead (VER-011)."""
    return any(in_play(table, one.who) for one in seat.members)


def seat_due(table: Table) -> Relation | None:
    """Return the seat that makes the next initiative roll: after the last one, skipping the dead (VER-011)."""
    there = table.derived(seats)
    named = table.mark("fight", SEAT)
    for one in there:
        if one.id == named and alive(table, one):
            return one
    last = table.mark("fight", ROLLED)
    at = next((nth + 1 for nth, one in enumerate(there) if one.id == last), 0)
    return next((one for one in (*there[at:], *there[:at]) if alive(table, one)), None)


def rollers(table: Table) -> tuple[Id, ...]:
    """Return who may make the initiative roll: characters of the seat due, or if no player is left, the party."""
    seat = seat_due(table)
    if seat is not None:
        return tuple(one.who for one in seat.members if one.who in table.draft.combatants)
    return table.derived(ranks).get(PARTY, ())
