"""How good a declaration looks to a sensible fighter."""

from affray.engine.core.actions import Action
from affray.engine.kit.hexes import distance
from affray.engine.kit.sides import enemies
from affray.events import Id

from .attack.melee import Attack
from .attack.shots import Shoot
from .chapters.disarm import Disarm
from .chapters.downtime import RecoverAmmo, Repair
from .chapters.grapple import BreakFree, Grapple
from .chapters.knock_prone import KnockProne
from .chapters.maneuvers import Cast, Maneuver, Use
from .config import Table
from .gear import Draw, in_hand, is_broken, is_ranged, melee_weapon, missiles_for
from .movement.board import is_adjacent
from .movement.moving import Move, Sprint, Stand
from .sheet import is_active
from .turns.course import Begin, BeginTurn, EndTurn, RollInitiative

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
    if not enemies(table, actor, action.target) or not is_active(table, action.target):
        return -90.0
    unarmed = isinstance(action, Attack) and "natural" in melee_weapon(table, actor).traits
    return (45 if unarmed else 65) - table.pool(action.target, "hp") / 10


def _is_held(table: Table, actor: Id) -> bool:
    """Tell whether somebody is held by another, rather than only holding one."""
    grapples = [one for one in table.draft.relations.values() if one.kind == "grapple"]
    return any(member.who == actor and member.role == "held" for one in grapples for member in one.members)


def _foes(table: Table, actor: Id) -> list[Id]:
    people = table.draft.combatants.items()
    return [who for who, one in people if one.place and is_active(table, who) and enemies(table, actor, who)]


def _closer(table: Table, actor: Id, way: Move) -> float:
    """Return how much nearer a way brings the nearest enemy; archers and whoever is beside one stay."""
    here = table[actor].place
    goal = way.path[-1] if way.path else way.to
    foes = [table[who].place for who in _foes(table, actor)]
    now = min((distance(here, place) or FAR for place in foes), default=FAR)
    then = min((distance(goal, place) or FAR for place in foes), default=FAR)
    shoots = any(
        is_ranged(item) and missiles_for(table, actor, item) and not is_broken(item) for item in in_hand(table, actor)
    )
    if now <= 1 or shoots or then >= now:
        return -60.0
    return 30.0 + now - then


def _arming(table: Table, actor: Id, action: Draw) -> float:
    """Return how much somebody with bare hands wants a weapon."""
    item = table.item(action.item)
    if (
        item.kind != "weapon"
        or is_broken(item)
        or is_ranged(item)
        or "natural" not in melee_weapon(table, actor).traits
    ):
        return -20.0
    shoots = any(
        is_ranged(one) and missiles_for(table, actor, one) and not is_broken(one) for one in in_hand(table, actor)
    )
    close = any(is_adjacent(table[actor].place, table[who].place) for who in _foes(table, actor))
    return 60.0 if close or not shoots else -20.0
