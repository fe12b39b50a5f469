"""Find the recorded fights whose events cite a clause."""

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
"""So many positions of a fight are named."""


class Counted(Struct, frozen=True, kw_only=True):
    """Where a clause counted in a recorded fight.

    Attributes:
        fight: The name of its file, without the ending.
        times: How many events cite it, of those that were not taken back.
        positions: The first of them.
        at, says: One of them, and what happened there.
    """

    fight: str
    times: int
    positions: tuple[int, ...]
    at: int
    says: str


def counted(fights: Iterable[tuple[Path, Fight]]) -> dict[Clause, tuple[Counted, ...]]:
    """Return for each clause the fights in which it counted, those where it did most often first."""
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
    """Tell whether an event says more than that something is about to happen."""
    event = fight.history.recorded[position - 1].event
    return not isinstance(event, Asked | DiceAwaited) and tell(event, Names()) is not None
