"""Conditions with an end: the source of such a condition says until when it lasts, in words."""

from __future__ import annotations

import re
from typing import Literal

from affray.events import Id

from .ruleset import load
from .table import Table

Moment = Literal["end of round", "end of own turn", "start of own turn", "end of fight"]
"""When a condition can end; one's own turn is the next one, or the one under way."""

_UNTIL: dict[Moment, str] = {
    "end of round": "until the end of round {}",
    "end of own turn": "until the end of their turn in round {}",
    "start of own turn": "until the start of their turn in round {}",
    "end of fight": "until the end of the fight",
}
_SAID = re.compile(r"until the (?:(end|start) of (their turn in )?round ([1-9]\d{0,5})|end of the fight)")

Ending = tuple[Id, str, Id]
"""A condition with an end: its bearer, its name and its source."""


def is_ending(source: Id) -> bool:
    """Tell whether the source of a condition says until when it lasts."""
    return source.startswith("until ") and _SAID.fullmatch(source) is not None


def ending(table: Table, who: Id, until: Moment, rounds: int = 1) -> Id:
    """Return the source of a condition that ends then.

    Args:
        until: The moment.
        rounds: How many rounds it lasts, the present one included, where it ends with a round.
    """
    present = max(1, table.draft.round)
    if until == "end of round":
        return _UNTIL[until].format(present + rounds - 1)
    gone = _has_begun(table, who) and not (until == "end of own turn" and _is_still_to_end(table, who))
    return _UNTIL[until].format(present + gone)


def _has_begun(table: Table, who: Id) -> bool:
    """Tell whether the turn of a combatant, or of the slot in which it acts, has begun in this round."""
    draft = table.draft
    return f"{who}/turn" in draft.counts or any(
        f"{slot.id}/turn" in draft.counts for slot in draft.slots if who in slot.members
    )


def _is_still_to_end(table: Table, who: Id) -> bool:
    """Tell whether a combatant has the turn, or has set it aside."""
    return who in table.draft.acting or load(table.draft.system).keeps_turn(table, who)


def endings(table: Table) -> tuple[Ending, ...]:
    """Return every condition with an end, in the order of the roster. To be asked through ``table.derived``."""
    found: list[Ending] = []
    for who, one in table.draft.combatants.items():
        if one.conditions:
            told = ((condition, source) for condition, sources in one.conditions.items() for source in sources)
            found += [(who, condition, source) for condition, source in told if is_ending(source)]
    return tuple(found)


def endings_due(table: Table) -> tuple[Ending, ...]:
    """Return the conditions whose end has come; with the fight all of them end.

    A turn that is skipped ends with its round.
    """
    known = table.derived(endings)
    return tuple([one for one in known if _is_due(table, one[0], one[2])]) if known else ()


def _is_due(table: Table, who: Id, source: Id) -> bool:
    said = _SAID.fullmatch(source)
    assert said is not None
    moment, own_turn, last = said.groups()
    draft = table.draft
    if draft.ended or not moment:
        return draft.ended
    if draft.round != int(last):
        return draft.round > int(last)
    if not own_turn or not _has_begun(table, who):
        return False
    return moment == "start" or not _is_still_to_end(table, who)
