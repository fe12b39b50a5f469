"""Refusals in events: their clauses, and those of a combatant that has left."""

from __future__ import annotations

from affray.engine.errors import NotInFight, Refused
from affray.events import Clause


def cite_clauses(refusal: Refused, *more: Clause) -> tuple[Clause, ...]:
    """Return the clauses of a refusal, and further ones, for an event."""
    return (refusal.rule, *more) if refusal.rule else more


def as_refusal(no: Refused | NotInFight) -> Refused:
    """Return a refusal; convert a missing combatant to one."""
    return no if isinstance(no, Refused) else Refused("gone", "", str(no))
