"""An explanation as one object, for programs."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from affray.engine.analysis.explain import Account, Harm, IntentVerdict, Receipt, Sent, list_terms
from affray.engine.fight import Fight
from affray.engine.visibility import Viewer
from affray.events import Answered, Clause, Declared
from affray.events.vocabulary import AnyEvent
from affray.tools.present.receipts.teller import GAME_MASTER, Row, Teller


class Cited(Struct, frozen=True):
    """The text of a clause, in our own words."""

    title: str
    says: str


class Explanation(Struct, frozen=True, kw_only=True):
    """The explanation of an event, with a sentence for each position, and the receipt.

    Attributes:
        fight: The fight's name.
        position: The event's log position.
        event: The event.
        text: The event as a sentence.
        command: The command that recorded the event, with its claimed sender.
        undone_by: The log position that took the event back; ``None`` if the event is effective.
        chain: The events that led to it, from the first cause to the event itself.
        receipt: The account of its dice, if it is a roll.
        harm: The terms of its amount, if it is damage.
        consequences: The events that followed from it in the same resolution.
        granted: All events that granted one of its numbers.
        clauses: The texts of all cited clauses.
    """

    fight: str
    position: int
    event: AnyEvent
    text: str
    command: Sent
    undone_by: int | None
    chain: tuple[Row, ...]
    receipt: Receipt | None
    harm: Harm | None
    consequences: tuple[Row, ...]
    granted: tuple[Row, ...]
    clauses: dict[Clause, Cited]


def explanation(said: str, fight: Fight, found: Account, viewer: Viewer = GAME_MASTER) -> Explanation:
    """Return an explanation as one object, told in names that the viewer may read."""
    teller = Teller(fight, viewer)
    granted = {at for term in list_terms(found.receipt, found.harm) for at in term.granted}
    return Explanation(
        fight=said,
        position=found.position,
        event=fight.history.at(found.position).event,
        text=teller.row(found.position).text,
        command=found.command,
        undone_by=found.undone_by or None,
        chain=tuple(teller.row(one) for one in found.chain),
        receipt=found.receipt,
        harm=found.harm,
        consequences=tuple(teller.row(one) for one in found.consequences),
        granted=tuple(teller.row(one) for one in sorted(granted)),
        clauses=_clauses(teller, found.clauses),
    )


def list_positions(told: Explanation) -> set[int]:
    """List the positions of all events that an explanation repeats or names, but for what took it back."""
    found = {one.position for one in (*told.chain, *told.consequences, *told.granted)}
    if told.receipt is not None:
        slip = told.receipt
        found |= {slip.declared, slip.entered, *slip.judged, *(one.at for one in slip.damage)}
        found |= {die.at for group in slip.dice for die in group.dice}
    return found - {0}


def verdict(said: str, fight: Fight, intent: Declared | Answered, found: IntentVerdict) -> dict[str, Any]:
    """Return whether a declaration or an answer would be accepted, and why not, for machines."""
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
    return {
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


def _clauses(teller: Teller, cited: Sequence[Clause]) -> dict[Clause, Cited]:
    return {name: Cited(one.title, one.says) for name, one in teller.clauses(cited).items()}
