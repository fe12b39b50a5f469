"""Letting the engine play a side."""

from collections.abc import Sequence
from random import Random

from affray.engine.analysis.policies import Way, best
from affray.engine.fight import Fight
from affray.engine.runtime.offers import Answer, Faces, Pass
from affray.engine.runtime.tree import Offers
from affray.events import Event, Id

ALL = "all"
"""Stands for every side, and the game master too."""


def next_of(fight: Fight, side: str | None, dice: Random) -> tuple[Event | None, str | None]:
    """Return what a side does next, or nothing once it is not up; with the side, which is found if not given.

    Real dice are never thrown for anybody.
    """
    concerned = up(fight)
    if side is None:
        side = _side(fight, concerned[0]) if concerned else ALL
    mine = [who for who in concerned if side in (ALL, _side(fight, who))]
    if fight.table.draft.awaited is not None or not (mine or (side == ALL and not concerned)):
        return None, side
    return best(fight, dice, lambda way: bool(_by(way) & {*mine}) or (side == ALL and not mine)), side


def up(fight: Fight) -> Sequence[Id]:
    """Return whose decision the fight waits for: those asked, those who may answer, those whose turn it is."""
    draft = fight.table.draft
    if draft.question is not None:
        return draft.question.of
    if draft.window is not None:
        return draft.window.to
    return draft.acting


def _side(fight: Fight, who: Id) -> str:
    one = fight.table.draft.combatants.get(who)
    return one.side if one else ALL


def _by(way: Way) -> set[Id]:
    match way:
        case Offers():
            return {way.actor}
        case Pass():
            return {way.intent.who}
        case Answer():
            return set(way.of)
        case Faces():
            return {way.by}
