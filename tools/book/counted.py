"""Recorded fights that cite a clause."""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from affray.engine.fight import Fight
from affray.events import Asked, Clause, DiceAwaited
from affray.tools.present.receipts.teller import Teller
from affray.tools.present.story.narration import tell
from affray.tools.present.story.words import Names

from .telling import rules_of

SHOWN = 8
"""Number of positions that are listed for a fight."""


class Counted(Struct, frozen=True, kw_only=True):
    """Citations of a clause in a recorded fight.

    Attributes:
        fight: Name of the fight's file, without the ending.
        times: Number of effective events that cite the clause.
        positions: Positions of the first of them.
        at, says: Position of one event, and its sentence.
    """

    fight: str
    times: int
    positions: tuple[int, ...]
    at: int
    says: str


def find_citations(fights: Iterable[tuple[Path, Fight]]) -> dict[Clause, tuple[Counted, ...]]:
    """Find the fights that cite each clause, those with most citations first."""
    found: dict[Clause, list[Counted]] = {}
    for file, fight in fights:
        where: dict[Clause, list[int]] = {}
        for recorded in fight.history.effective():
            for clause in dict.fromkeys(rules_of(recorded.event)):
                where.setdefault(clause, []).append(recorded.position)
        teller = Teller(fight)
        for clause, positions in where.items():
            told = next((at for at in positions if _tells(fight, at)), positions[0])
            one = Counted(
                fight=file.stem,
                times=len(positions),
                positions=tuple(positions[:SHOWN]),
                at=told,
                says=teller.row(told).text,
            )
            found.setdefault(clause, []).append(one)
    return {clause: tuple(sorted(all_, key=lambda one: (-one.times, one.fight))) for clause, all_ in found.items()}


def _tells(fight: Fight, position: int) -> bool:
    """Tell whether an event has a sentence, and asks for neither dice nor an answer."""
    event = fight.history.recorded[position - 1].event
    return not isinstance(event, Asked | DiceAwaited) and tell(event, Names()) is not None
