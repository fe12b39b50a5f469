"""The policy of a sensible fighter: its declarations in order, and their worth."""

from collections.abc import Collection, Iterator, Sequence

from affray.engine.core.actions import Action
from affray.engine.core.state import Item
from affray.engine.kit import squares
from affray.engine.kit.approach import Walk, list_moves_towards
from affray.engine.kit.distances import is_hidden_on_board
from affray.engine.kit.riding import list_unit, mount_of
from affray.engine.kit.sheets import stat
from affray.engine.kit.sides import are_enemies
from affray.engine.kit.terrain import has_trait, list_places_with
from affray.events import Id

from .attack.declaring import Attack, Mode
from .attack.modifiers import Blow
from .chapters.beasts import Obey
from .chapters.checks import Stabilize
from .chapters.maneuvers import Improvise
from .chapters.riding import Dismount, Mount
from .chapters.spells import Cast
from .config import Table
from .gear.handling import Draw, Drop, Ready, Reload, Stow, list_lying
from .gear.things import find_reach, find_usual_weapon, is_missile, list_readied
from .movement import board
from .movement.board import SQUARE, distance, find_occupant, is_adjacent, view
from .movement.moving import Move, Prone, Stand, Withdraw
from .sheet import is_active, is_mount, list_foes
from .turns.acting import Payment
from .turns.rounds import Begin, EndTurn
from .worth import estimate_worth

ROUND = 300
"""The detour in feet that a combatant makes for an enemy behind a wall."""


def prefers(table: Table, actor: Id, manner: str) -> Iterator[Action]:
    """Yield declarations, best first: help the dying, strike, close in.

    A snap attack takes the Main Action and seldom hits, so it is made only where it may well stop the enemy.
    """
    if actor == "gm":
        return iter((Begin(),))
    if manner == "snap":
        window = table.draft.window
        return _propose_snaps(table, actor) if window is not None and actor in window.to else iter(())
    return _turn(table, actor) if actor in table.draft.acting or is_mount(table, actor) else iter(())


def _turn(table: Table, actor: Id) -> Iterator[Action]:
    """Yield the declarations of a combatant in its own turn.

    The turn does not end before the mount has moved where it should.
    """
    if table[actor].has("prone"):
        yield Stand()
    if table.pool(actor, "main"):
        for who, one in table.draft.combatants.items():
            if one.conditions and one.has("mortally_wounded") and is_adjacent(table, actor, who):
                yield Stabilize(target=who)
        arms = list_readied(table, actor)
        weapon = find_usual_weapon(table, actor, "shoot")
        if weapon is not None and not weapon.counters.get("loaded", 1):
            if "SS" in weapon.traits:  # ten rounds, and none of them beside an enemy
                yield from _propose_attacks(table, actor, arms)
            yield Reload(weapon=weapon.id)
        if all("unarmed" in one.traits for one in arms):
            yield from (Ready(item=item) for item in list_lying(table, actor, "stowed"))
        yield from _propose_attacks(table, actor, arms)
    yield from _propose_moves(table, actor)
    if actor in table.draft.acting:
        mount = mount_of(table, actor)
        if not (mount and table.pool(mount, "move") and any(_propose_moves(table, mount))):
            if mount and not stat(table, mount, "pace"):
                yield from _dismount(table, actor)
            yield EndTurn()


def _dismount(table: Table, actor: Id) -> Iterator[Action]:
    """Yield to dismount from a mount that cannot move, if there is an enemy to go to."""
    if stat(table, actor, "pace") and _find_distances(table, actor, actor, list_readied(table, actor)):
        yield Dismount()
        yield Dismount(payment="main")


def _propose_snaps(table: Table, actor: Id) -> Iterator[Action]:
    """Yield a snap attack on the acting enemy, if it is worth half of its hit points."""
    pending = table.pending()
    if pending is None or pending.actor not in list_foes(table, actor):
        return
    for worth, attack in _list_attacks(table, actor, [pending.actor], list_readied(table, actor), snap=True):
        if worth >= 0.5:
            yield attack


def _propose_attacks(table: Table, actor: Id, arms: Sequence[Item]) -> Iterator[Action]:
    """Yield every attack on an enemy in reach, the best first."""
    for _, attack in _list_attacks(table, actor, _foes(table, actor), arms, snap=False):
        yield attack


def _foes(table: Table, actor: Id) -> list[Id]:
    """Return the active enemies, in joining order."""
    against = list_foes(table, actor)
    return [one for one in table.draft.combatants if one in against]


def _list_attacks(
    table: Table, actor: Id, among: list[Id], arms: Sequence[Item], *, snap: bool
) -> list[tuple[float, Attack]]:
    """Return the attacks on some enemies with their worth, best first.

    Worthless attacks are left out. Weapons are not thrown at near enemies.
    """
    found = []
    for foe in among:
        away = distance(table, actor, foe)
        for weapon in arms:
            mode = _find_mode(table, weapon, away)
            if mode:
                worth = estimate_worth(table, actor, Blow(foe, weapon.id, mode, snap=snap), weapon)
                if worth:
                    found.append((worth, Attack(target=foe, weapon=weapon.id, mode=mode)))
    found.sort(key=lambda one: one[0], reverse=True)
    return found


def _find_mode(table: Table, weapon: Item, away: int) -> Mode:
    """Return the mode of a weapon at this distance; empty if it does not reach."""
    if not is_missile(weapon) and away <= find_reach(table, weapon):
        return "melee"
    if is_missile(weapon) or "T" in weapon.traits:
        return ("shoot" if is_missile(weapon) else "throw") if away <= weapon.stats["far"] else ""
    return ""


def _propose_moves(table: Table, actor: Id) -> Iterator[Action]:
    """Yield moves towards the enemies until one is in reach of the best weapon.

    A second move takes the place of the attack. A mount carries its rider.
    """
    fighter = list_unit(table, actor)[0]
    arms = list_readied(table, fighter)
    apart = {} if mount_of(table, actor) else _find_distances(table, actor, fighter, arms)
    payments: tuple[Payment, ...] = ("move", "main") if table.pool(actor, "main") else ("move",)
    for way, feet in _list_ways(table, actor, apart, _find_reach(table, arms)) if apart else ():
        for payment in payments:
            yield Move(path=way, feet=feet, payment=payment)


def _find_distances(table: Table, mover: Id, fighter: Id, arms: Sequence[Item]) -> dict[Id, int]:
    """Return the distance of every enemy, unless one is within reach and in view.

    The reach is that of the best weapon. With a Main Action left, enemies that no weapon at hand can hurt are left out.
    """
    reach, strikes = _find_reach(table, arms), table.pool(fighter, "main")
    apart: dict[Id, int] = {}
    views = table.draft.views
    for foe in _foes(table, fighter) if reach else ():
        if views and is_hidden_on_board(table, fighter, foe):
            continue
        if strikes and not _can_hurt(table, fighter, foe, arms):
            continue
        apart[foe] = distance(table, mover, foe)
        if apart[foe] <= reach and view(table, fighter, foe) != "blocked":
            return {}
    return apart


def _can_hurt(table: Table, fighter: Id, foe: Id, arms: Sequence[Item]) -> bool:
    """Tell whether a weapon at hand can hurt an enemy from near by."""
    ways = ((one, _find_mode(table, one, 0)) for one in arms)
    return any(mode and estimate_worth(table, fighter, Blow(foe, one.id, mode), one) for one, mode in ways)


def _find_reach(table: Table, arms: Sequence[Item]) -> int:
    """Return the reach of the weapon that a combatant takes first; 0 without weapons."""
    if not arms:
        return 0
    return arms[0].stats["far"] if is_missile(arms[0]) else find_reach(table, arms[0])


def _list_ways(table: Table, actor: Id, apart: dict[Id, int], reach: int) -> Iterator[tuple[tuple[Id, ...], int]]:
    """Yield the paths towards the enemies, straight or around obstacles.

    Without a board, yield a number of feet.
    """
    here, pace = table[actor].place, stat(table, actor, "pace")
    nearest = sorted(apart, key=apart.__getitem__)
    near = {foe: reach if apart[foe] > reach else max(SQUARE, apart[foe] - SQUARE) for foe in nearest}
    goals = [(table[foe].place, near[foe]) for foe in nearest if table[foe].place]
    if not (here and goals):
        yield (), max(1, min(pace, apart[nearest[0]] - near[nearest[0]]))
        return

    def cost(_: Id, there: Id) -> int:
        return 0 if has_trait(table, there, "blocked") else SQUARE

    def is_free(place: Id) -> bool:
        return not find_occupant(table, place, but=list_unit(table, actor))

    def ways_past(barred: Collection[Id]) -> Iterator[tuple[Id, tuple[Id, ...]]]:
        return squares.list_shortest_paths(here, ROUND // SQUARE, {*list_places_with(table, "blocked"), *barred})

    walk = Walk(pace, cost, is_free, squares.square_neighbours, board.measure_feet, ways_past)
    taken = [place for place in table.draft.occupants if place != here]
    yield from ((path, 0) for path in list_moves_towards(walk, here, goals, taken))


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Return a number by which declarations are compared; the highest is the best."""
    if isinstance(action, Begin):
        return 2.0 if action == Begin() else 0.0
    if isinstance(action, Attack):
        weapon = action.find_weapon(table, actor)
        worth = estimate_worth(table, actor, action.build_blow(table, actor, snap=manner == "snap"), weapon)
        return 40 * worth + (2 if action.dual else 0) + (60 if manner != "snap" else _rate_snap(table, action.target))
    if isinstance(action, Move):
        return 30 + _rate_move(table, actor, action) - (35 if action.payment == "main" else 0)
    return _PLAIN.get(type(action), 0.0)


def _rate_snap(table: Table, target: Id) -> float:
    """Return the extra worth of a snap attack: negative unless its target is acting."""
    pending = table.pending()
    return 0.0 if pending is not None and pending.actor == target else -30.0


_PLAIN: dict[type[Action], float] = {
    Stabilize: 90.0,
    Reload: 32.0,
    Stand: 70.0,
    EndTurn: 10.0,
    Mount: 5.0,
    Obey: -20.0,
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


def _rate_move(table: Table, actor: Id, move: Move) -> float:
    """Return how many feet nearer a move brings the nearest enemy.

    A move is worthless with an enemy in reach.
    """
    foes = [who for who in table.draft.combatants if are_enemies(table, actor, who) and is_active(table, who)]
    if not foes:
        return -60.0
    reach = _find_reach(table, list_readied(table, actor))
    here = min(distance(table, actor, who) for who in foes)
    if here <= reach:
        return -60.0
    if not move.path:
        return 5.0 + move.feet / 10
    there = min(board.measure_feet(move.path[-1], table[who].place) for who in foes)
    return (here - there) / 2 if there < here else -60.0
