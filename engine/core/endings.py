"""Conditions with an end: their moments, and the conditions that are over."""

from __future__ import annotations

from affray.events import Ending, Id, Moment

from .loading import load
from .table import Table

RULING = "a ruling"
"""The source of a condition to which the game master gave an end but no source; no id has a blank."""

Ended = tuple[Id, str, Id]
"""A condition that is over: its combatant, its name and its source."""


def ending(table: Table, who: Id, moment: Moment, rounds: int = 1) -> Ending:
    """Return the ending of a condition that begins now.

    Args:
        rounds: The number of rounds that it lasts, including the present one, if it ends with a round.
    """
    present = max(1, table.draft.round)
    if moment == "end of fight":
        return Ending(moment)
    if moment == "end of round":
        return Ending(moment, present + rounds - 1)
    gone = _has_begun(table, who) and not (moment == "end of own turn" and _is_still_to_end(table, who))
    return Ending(moment, present + gone)


def lasts_through(ending: Ending | None, number: int) -> bool:
    """Tell whether an ending lies behind the end of a round."""
    if ending is None or ending.moment == "end of fight":
        return ending is not None
    return ending.round > number or ending == Ending("end of round", number)


def _has_begun(table: Table, who: Id) -> bool:
    """Tell whether a combatant's or its slot's turn has begun in this round."""
    draft = table.draft
    return f"{who}/turn" in draft.counts or any(
        f"{slot.id}/turn" in draft.counts for slot in draft.slots if who in slot.members
    )


def _is_still_to_end(table: Table, who: Id) -> bool:
    """Tell whether a combatant has the turn, or has set it aside."""
    return who in table.draft.acting or load(table.draft.system).turns.keeps_turn(table, who)


def endings(table: Table) -> tuple[tuple[Ended, Ending], ...]:
    """List every condition with an end, in roster order; for ``table.derive``."""
    return tuple(
        [
            ((who, condition, source), ending)
            for who, one in table.draft.combatants.items()
            if one.endings
            for condition, sources in one.endings.items()
            for source, ending in sources.items()
        ]
    )


def endings_due(table: Table) -> tuple[Ended, ...]:
    """List the conditions that are due to end; the end of the fight ends them all.

    A skipped turn ends with its round.
    """
    known = table.derive(endings)
    return tuple([one for one, ending in known if _is_due(table, one[0], ending)]) if known else ()


def _is_due(table: Table, who: Id, ending: Ending) -> bool:
    draft = table.draft
    if draft.ended or ending.moment == "end of fight":
        return draft.ended
    if draft.round != ending.round:
        return draft.round > ending.round
    if ending.moment == "end of round" or not _has_begun(table, who):
        return False
    return ending.moment == "start of own turn" or not _is_still_to_end(table, who)
