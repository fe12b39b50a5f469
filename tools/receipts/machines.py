"""An explanation as one object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from affray.engine.explaining import Account, Verdict
from affray.engine.fight import Fight
from affray.events import Clause, Declared

from .teller import Teller


def explanation(said: str, fight: Fight, found: Account) -> bytes:
    """Return an explanation as JSON: all positions, each with its sentence, and the receipt as the engine made it."""
    teller = Teller(fight)
    return msgspec.json.encode(
        {
            "fight": said,
            "position": found.position,
            "event": fight.history.at(found.position).event,
            "text": teller.row(found.position).text,
            "command": found.command,
            "undone_by": found.undone_by or None,
            "chain": [teller.row(one) for one in found.chain],
            "receipt": found.receipt,
            "harm": found.harm,
            "consequences": [teller.row(one) for one in found.consequences],
            "granted": [teller.row(one) for one in _granted(found)],
            "clauses": _clauses(teller, found.clauses),
        }
    )


def _granted(found: Account) -> list[int]:
    """Return the positions of all events that granted a number."""
    slip = found.receipt
    terms = [*slip.pool, *slip.modifiers] if slip else []
    for harm in (*(slip.damage if slip else ()), *((found.harm,) if found.harm else ())):
        terms += harm.terms
    return sorted({at for term in terms for at in term.granted})


def verdict(said: str, fight: Fight, intent: Declared, found: Verdict) -> bytes:
    """Return whether a declaration would be accepted, and why not, as JSON."""
    teller = Teller(fight)
    refusal = {
        "code": found.code,
        "rule": found.rule,
        "message": found.message,
        "source": found.source,
        "by": found.by,
        "guard": found.guard,
        "made_so": [teller.row(one) for one in found.made_so],
    }
    return msgspec.json.encode(
        {
            "fight": said,
            "at": found.at,
            "intent": intent,
            "allowed": found.allowed,
            "phase": found.phase,
            "trigger": found.trigger,
            "row": {"in": found.row[0], "on": found.row[1], "to": found.row[2], "rule": found.row_rule}
            if found.row
            else None,
            "refused": None if found.allowed else refusal,
            "clauses": _clauses(teller, (found.rule, found.row_rule)),
        }
    )


def _clauses(teller: Teller, cited: Sequence[Clause]) -> dict[str, Any]:
    return {name: {"title": one.title, "says": one.says} for name, one in teller.clauses(cited).items()}
