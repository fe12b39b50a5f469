"""How good a declaration looks to a sensible fighter."""

from __future__ import annotations

from affray.engine.core.actions import Action
from affray.events import Id

from .attack.attacks import Attack, Ready
from .attack.striking import weapon_meant
from .chapters.actions import Douse, Improvise, Stand
from .chapters.called_shots import CalledShot
from .chapters.care import Calm, Heal
from .chapters.grappling import BreakGrapple, Grapple
from .chapters.mounts import ControlMount, Dismount, MountAttack, MountUp
from .chapters.pushing import SpendInspiration
from .chapters.struggling import Struggle
from .config import Table
from .gear.handling import Draw, Drop, TakePackItem, Use
from .gear.loading import LightMatch, Reload
from .gear.things import bonus_of, damage_of
from .movement.leaving import LeaveMelee
from .movement.moving import EnterMelee, Move
from .rulings.happenings import TickMinute
from .sheet import is_active, is_enemy, is_mount, melee_of
from .turns.initiative import Begin, RollInitiative, SurpriseCheck
from .turns.turn import BeginTurn, EndTurn


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Return a number to compare declarations by: strike the weakest, close in, get free, help the dying."""
    if isinstance(action, Begin):
        return 2.0 if action == Begin() else 0.0
    if isinstance(action, Attack):
        return 60 + _promise(table, actor, action)
    if isinstance(action, EnterMelee):
        return 45.0 if _is_melee_fighter(table, actor) else 5.0
    if isinstance(action, Move):
        return _nearer(table, actor, action)
    if isinstance(action, LeaveMelee) and table[actor].has("fleeing"):
        return 50.0
    return _PLAIN.get(type(action), 0.0)


_PLAIN: dict[type[Action], float] = {
    BeginTurn: 50.0,
    BreakGrapple: 30.0,
    CalledShot: 20.0,
    Calm: 15.0,
    ControlMount: 46.0,
    Dismount: -20.0,
    Douse: 40.0,
    Draw: 47.0,
    Drop: -50.0,
    EndTurn: 10.0,
    Grapple: 8.0,
    Heal: 65.0,
    Improvise: -10.0,
    LeaveMelee: -10.0,
    LightMatch: 57.0,
    MountAttack: 62.0,
    MountUp: -5.0,
    Ready: 12.0,
    Reload: 55.0,
    RollInitiative: 50.0,
    SpendInspiration: 1.0,
    Stand: 9.0,
    Struggle: 58.0,
    SurpriseCheck: 1.0,
    TakePackItem: -5.0,
    TickMinute: 30.0,
    Use: 2.0,
}


def _promise(table: Table, actor: Id, attack: Attack) -> float:
    """Return how much an attack promises: with more dice and damage, at the weak."""
    weapon = weapon_meant(table, actor, attack.target, attack.weapon)
    grip = attack.grip or ("two" if weapon.stats.get("hands") == 2 else "one")
    harm = damage_of(weapon, grip) + bonus_of(weapon, grip)
    down = -20 if not is_active(table, attack.target) else 0
    return harm + down - table.pool(attack.target, "hp") / 4 - (1 if attack.strike == "mount" else 0)


def _is_melee_fighter(table: Table, actor: Id) -> bool:
    """Tell whether somebody fights at close quarters: with a melee weapon in hand, or nothing better."""
    weapons = [item for item in table.items_of(actor) if item.where == "hand" and item.kind == "weapon"]
    return all(item.traits[0] in ("light", "heavy", "brawling") for item in weapons)


def _nearer(table: Table, actor: Id, move: Move) -> float:
    """Return whether a zone is worth going to: one with enemies, where none are near."""
    if not _is_melee_fighter(table, actor) or melee_of(table, actor) is not None:
        return -60.0

    def foes(place: Id) -> bool:
        here = [one for one in table.at(place) if is_enemy(table, actor, one) and not is_mount(table, one)]
        return any(is_active(table, one) for one in here)

    if foes(table[actor].place):
        return -60.0
    return 40.0 if foes(move.to) else 30.0
