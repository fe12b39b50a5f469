"""How good a declaration looks to a sensible fighter."""

from __future__ import annotations

from affray.engine.core.actions import Action
from affray.engine.core.table import Table
from affray.engine.kit.sides import enemies
from affray.events import Id

from .disarm import Disarm
from .downtime import RecoverAmmo, Repair
from .grapple import BreakFree, Grapple
from .hexes import apart
from .items import Draw, Use
from .maneuver import Cast, Maneuver
from .melee import Attack
from .movement import Move, Sprint, Stand
from .prone import KnockProne
from .ranged import Shoot, missiles
from .sheet import able, blade, held, is_broken, ranged
from .turn import Begin, BeginTurn, EndTurn, RollInitiative

FAR = 99


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Return a number to compare declarations by: strike or shoot the weakest, stand up, close in."""
    if isinstance(action, Attack | Shoot):
        return _blow(table, actor, action)
    if isinstance(action, Move):
        return _closer(table, actor, action)
    if isinstance(action, Draw):
        return _arming(table, actor, action)
    if isinstance(action, BreakFree):
        return 40.0 if _is_held(table, actor) else -20.0
    return _PLAIN.get(type(action), 0.0)


_PLAIN: dict[type[Action], float] = {
    Begin: 90.0,
    RollInitiative: 90.0,
    BeginTurn: 90.0,
    Stand: 70.0,
    Grapple: -20.0,
    KnockProne: -10.0,
    Disarm: -10.0,
    Maneuver: -30.0,
    Sprint: 5.0,
    EndTurn: 10.0,
    Cast: 15.0,
    Use: -5.0,
    RecoverAmmo: 20.0,
    Repair: 20.0,
}


def _blow(table: Table, actor: Id, action: Attack | Shoot) -> float:
    """Return how much a blow promises: nothing against friends and the fallen, more against the weak."""
    if not enemies(table, actor, action.target) or not able(table, action.target):
        return -90.0
    unarmed = isinstance(action, Attack) and "natural" in blade(table, actor).traits
    return (45 if unarmed else 65) - table.pool(action.target, "hp") / 10


def _is_held(table: Table, actor: Id) -> bool:
    """Tell whether somebody is held by another, rather than only holding one."""
    grapples = [one for one in table.draft.relations.values() if one.kind == "grapple"]
    return any(member.who == actor and member.role == "held" for one in grapples for member in one.members)


def _foes(table: Table, actor: Id) -> list[Id]:
    people = table.draft.combatants.items()
    return [who for who, one in people if one.place and able(table, who) and enemies(table, actor, who)]


def _closer(table: Table, actor: Id, way: Move) -> float:
    """Return how much nearer a way brings the nearest enemy; archers and whoever is beside one stay."""
    here = table[actor].place
    goal = way.path[-1] if way.path else way.to
    foes = [table[who].place for who in _foes(table, actor)]
    now = min((apart(here, place) or FAR for place in foes), default=FAR)
    then = min((apart(goal, place) or FAR for place in foes), default=FAR)
    shoots = any(ranged(item) and missiles(table, actor, item) and not is_broken(item) for item in held(table, actor))
    if now <= 1 or shoots or then >= now:
        return -60.0
    return 30.0 + now - then


def _arming(table: Table, actor: Id, action: Draw) -> float:
    """Return how much somebody with bare hands wants a weapon."""
    item = table.item(action.item)
    if item.kind != "weapon" or is_broken(item) or ranged(item) or "natural" not in blade(table, actor).traits:
        return -20.0
    shoots = any(ranged(one) and missiles(table, actor, one) and not is_broken(one) for one in held(table, actor))
    close = any(apart(table[actor].place, table[who].place) == 1 for who in _foes(table, actor))
    return 60.0 if close or not shoots else -20.0
