"""The next command of a side that a policy plays."""

from collections.abc import Sequence
from random import Random

from affray.engine.analysis.policies import Policy, decide_for_all
from affray.engine.fight import Fight
from affray.events import EVERYBODY, Event, Id

QUICK = "sensible"
"""The default policy of a played side."""


def next_of(fight: Fight, side: str | None, policy: Policy, dice: Random) -> tuple[Event | None, str | None]:
    """Return the next command of a side, and the side; ``None`` if no input of it is due.

    Args:
        side: The side; ``*`` for every side and the game master; ``None`` for the side whose input is due.

    Real dice are never thrown for a player.
    """
    concerned = up(fight)
    if side is None:
        side = _side(fight, concerned[0]) if concerned else EVERYBODY
    mine = {who for who in concerned if side in (EVERYBODY, _side(fight, who))}
    if fight.table.draft.awaited is not None or not (mine or (side == EVERYBODY and not concerned)):
        return None, side
    return policy(fight, dice, mine.__contains__ if mine else decide_for_all), side


def up(fight: Fight) -> Sequence[Id]:
    """List the combatants that must decide now, or may act next."""
    draft = fight.table.draft
    if draft.question is not None:
        return draft.question.of
    if draft.window is not None:
        return draft.window.to
    return draft.acting or tuple(dict.fromkeys([who for who, _ in fight.ruleset.turns.list_movers(fight.table)]))


def _side(fight: Fight, who: Id) -> str:
    one = fight.table.draft.combatants.get(who)
    return one.side if one else EVERYBODY
