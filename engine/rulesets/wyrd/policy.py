"""How good a declaration looks to a sensible fighter."""

from __future__ import annotations

from affray.engine.core.actions import Action
from affray.engine.core.table import Table
from affray.engine.kit.sides import enemies
from affray.events import Id

from .attack import Attack
from .craft import Improvise, Spell
from .downtime import Repair, Rest
from .engage import Engage
from .fire import Fire
from .gear import carried, die, ranged, ready
from .melee import near
from .moving import Move
from .reload import Reload
from .reviving import Revive
from .sheet import ability, active, better
from .stunt import Stunt
from .turn import Begin, EndTurn
from .wearing import Wear


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Return a number to compare declarations by: strike with the largest dice, close in, help friends up."""
    if isinstance(action, Begin):
        return 2.0 if action == Begin() else 0.0
    if isinstance(action, Engage | Fire | Attack):
        return _blow(table, actor, action)
    if isinstance(action, Move):
        return _closer(table, actor, action)
    return _PLAIN.get(type(action), 0.0)


_PLAIN: dict[type[Action], float] = {
    Reload: 40.0,
    Revive: 70.0,
    Stunt: 8.0,
    EndTurn: 10.0,
    Spell: 5.0,
    Improvise: 5.0,
    Wear: 1.0,
    Repair: 6.0,
    Rest: 5.0,
}


def _blow(table: Table, actor: Id, action: Engage | Fire | Attack) -> float:
    """Return how much a blow promises: large dice, somebody who can still hit back, and no fatigue."""
    shot = isinstance(action, Fire) or bool(action.weapon and ranged(table, table.item(action.weapon)))
    weapons = [table.item(action.weapon)] if action.weapon else ready(table, actor, shot=shot)
    worth = 50.0 + sum(die(table, one).sides for one in weapons)
    if not active(table, action.target):
        worth -= 60
    if isinstance(action, Engage | Fire):
        worth += ability(table, actor, action.ability or better(table, actor)).die - 4 * action.push
    return worth


def _closer(table: Table, actor: Id, action: Move) -> float:
    """Return what a move is worth: something if it brings an enemy into reach, nothing if one has an enemy already."""
    if action.payment == "action" and table.pool(actor, "moves"):
        return 0.0
    foes = [who for who in table.draft.combatants if enemies(table, actor, who) and active(table, who)]
    if any(near(table, actor, foe) for foe in foes):
        return 0.0
    if action.payment == "action" and carried(table, actor, shot=True):
        return 0.0
    here = action.to or table[actor].place
    if action.contact in foes:
        return 35.0
    return 30.0 if any(table[foe].place == here for foe in foes) else 12.0 if action.to else 0.0
