"""How good a declaration looks to a sensible fighter."""

from affray.engine.core.actions import Action
from affray.engine.kit.sides import enemies
from affray.events import Id

from .attack.declaring import Attack
from .attack.modifiers import hit_bonus
from .chapters.checks import Stabilize
from .chapters.maneuvers import Improvise
from .chapters.riding import Dismount, Mount
from .chapters.spells import Cast
from .config import Table
from .gear.handling import Draw, Drop, Ready, Reload, Stow
from .gear.things import armor_class, is_missile, mode_of, reach_of, usual_weapon
from .harm import no_shock
from .movement.board import apart, distance
from .movement.moving import Move, Prone, Stand, Withdraw
from .sheet import is_active, is_mount
from .turns.rounds import Begin, EndTurn


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Return a number to compare declarations by: strike where it promises most, close in, help friends."""
    if isinstance(action, Begin):
        return 2.0 if action == Begin() else 0.0
    if isinstance(action, Attack):
        worth = _promise(table, actor, action, snap=manner == "snap")
        return worth if manner == "standard" else worth - 45
    if isinstance(action, Move):
        return 30 + _closer(table, actor, action) - (35 if action.payment == "main" else 0)
    return _PLAIN.get(type(action), 0.0)


_PLAIN: dict[type[Action], float] = {
    Stabilize: 90.0,
    Reload: 32.0,
    Stand: 70.0,
    EndTurn: 10.0,
    Mount: 5.0,
    Dismount: -20.0,
    Withdraw: -10.0,
    Prone: -30.0,
    Draw: 1.0,
    Ready: 2.0,
    Stow: -30.0,
    Drop: -60.0,
    Improvise: 4.0,
    Cast: 3.0,
}


def _promise(table: Table, actor: Id, action: Attack, *, snap: bool) -> float:
    """Return how much an attack promises: how likely it hits, what it does then, and what it does otherwise."""
    weapon = action.armed(table, actor)
    mode = action.mode or mode_of(weapon)
    blow = action.blow(table, actor, snap=snap)
    ac = armor_class(table, action.target)
    need = ac - sum(term.value for term in hit_bonus(table, actor, blow, weapon))
    chance = min(0.95, max(0.05, (21 - need) / 20))
    harm = weapon.stats["dice"] * (weapon.stats["sides"] + 1) / 2 + (2 if action.dual else 0)
    shock = 0 if no_shock(table, actor, action.target, weapon, mode, ac) else weapon.stats["shock"]
    worth = chance * harm + (1 - chance) * shock
    lost = 5 if mode == "throw" else 0
    mount = 4 if is_mount(table, action.target) else 0
    return 60 + 4 * worth - min(20.0, table.pool(action.target, "hp") / 4) - lost - mount


def _closer(table: Table, actor: Id, move: Move) -> float:
    """Return how much nearer a way brings the nearest enemy in feet; with one in reach it is worth nothing."""
    foes = [who for who in table.draft.combatants if enemies(table, actor, who) and is_active(table, who)]
    if not foes:
        return -60.0
    weapon = usual_weapon(table, actor, "")
    reach = 0 if weapon is None else weapon.stats["far"] if is_missile(weapon) else reach_of(table, weapon)
    here = min(distance(table, actor, who) for who in foes)
    if here <= reach:
        return -60.0
    if not move.path:
        return 5.0 + move.feet / 10
    there = min(apart(move.path[-1], table[who].place) for who in foes)
    return (here - there) / 2 if there < here else -60.0
