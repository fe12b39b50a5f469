"""How good a declaration looks to a sensible fighter."""

from affray.engine.core.actions import Action
from affray.engine.kit.sides import enemies
from affray.events import Id

from .attack.announced import Attack
from .attack.engage import Engage
from .attack.shots import Fire
from .chapters.recovery import Repair, Rest, Revive
from .chapters.spells import Spell
from .chapters.stunts import Improvise, Stunt
from .config import Table
from .gear.handling import Reload, Wear
from .gear.pieces import carried, die_of, is_ranged, ready
from .movement.melee import is_adjacent
from .movement.moving import Move
from .sheet import ability, better_ability, is_active
from .turns.sides import Begin
from .turns.turn import EndTurn


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
    shot = isinstance(action, Fire) or bool(action.weapon and is_ranged(table, table.item(action.weapon)))
    weapons = [table.item(action.weapon)] if action.weapon else ready(table, actor, shot=shot)
    worth = 50.0 + sum(die_of(table, one).sides for one in weapons)
    if not is_active(table, action.target):
        worth -= 60
    if isinstance(action, Engage | Fire):
        worth += ability(table, actor, action.ability or better_ability(table, actor)).die - 4 * action.push
    return worth


def _closer(table: Table, actor: Id, action: Move) -> float:
    """Return what a move is worth: something if it brings an enemy into reach, nothing if one has an enemy already."""
    if action.payment == "action" and table.pool(actor, "moves"):
        return 0.0
    foes = [who for who in table.draft.combatants if enemies(table, actor, who) and is_active(table, who)]
    if any(is_adjacent(table, actor, foe) for foe in foes):
        return 0.0
    if action.payment == "action" and carried(table, actor, shot=True):
        return 0.0
    here = action.to or table[actor].place
    if action.contact in foes:
        return 35.0
    return 30.0 if any(table[foe].place == here for foe in foes) else 12.0 if action.to else 0.0
