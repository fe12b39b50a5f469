"""How good a declaration looks to a sensible fighter."""

from affray.engine.core.actions import Action
from affray.engine.kit.sides import enemies
from affray.events import Id

from .attack import Attack
from .chapters.delay import Delay, Reinsert
from .chapters.ready import Ready
from .chapters.skills import Improvise, Skill
from .config import Table
from .gear import Reload, Swap, in_hand
from .harm import Forfeit
from .movement.board import distance, metres
from .movement.moving import Move, Shift, Steps
from .sheet import is_active, stat
from .turns.course import Begin
from .turns.order import EndTurn


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Return a number to compare declarations by: strike the weakest, close in, keep a token to answer an enemy."""
    if manner == "readied" and not _is_answer_to_enemy(table, actor):
        return 5.0
    if isinstance(action, Begin):
        return 2.0 if action == Begin() else 0.0
    if isinstance(action, Attack | Skill) and action.target:
        return 60 + _promise(table, actor, action.target) - 4 * action.ep
    if isinstance(action, Move) and manner == "standard":
        return 30 + _closer(table, actor, action)
    return _PLAIN.get(type(action), 0.0)


_PLAIN: dict[type[Action], float] = {
    Reload: 55.0,
    EndTurn: 10.0,
    Ready: 12.0,
    Reinsert: 90.0,
    Delay: -50.0,
    Forfeit: -40.0,
    Swap: 1.0,
    Shift: -5.0,
    Skill: -5.0,
    Improvise: 50.0,
}


def _is_answer_to_enemy(table: Table, actor: Id) -> bool:
    """Tell whether what resolves next is an enemy's; otherwise a token is better kept."""
    pending = table.pending()
    return pending is not None and pending.actor in table.draft.combatants and enemies(table, actor, pending.actor)


def _promise(table: Table, actor: Id, target: Id) -> float:
    """Return how much a blow at somebody promises: better against the weak and the easily hit."""
    brink = 10 if table[target].has("brink") else 0
    return brink - table.pool(target, "health") - stat(table, target, "agility") / 4


def _closer(table: Table, actor: Id, steps: Steps) -> float:
    """Return how much nearer a way brings the nearest enemy in metres; moving away or standing by is worth nothing."""
    foes = [who for who in table.draft.combatants if enemies(table, actor, who) and is_active(table, who)]
    if not foes:
        return -60.0
    here = min(distance(table, actor, who) for who in foes)
    if here <= in_hand(table, actor).stats["range"]:
        return -60.0
    if not steps.path:
        return float(steps.metres)
    there = min(metres(table, steps.path[-1], table[who].place) for who in foes)
    return here - there if there < here else -60.0
