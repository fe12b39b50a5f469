"""What a sensible fighter does: how good a declaration looks, and which one is made."""

from collections.abc import Collection, Iterator, Sequence

from affray.engine.core.actions import Action
from affray.engine.core.state import Item
from affray.engine.kit import squares
from affray.engine.kit.approach import Walk, towards
from affray.engine.kit.distances import stated_view
from affray.engine.kit.ground import has_trait, places_with
from affray.engine.kit.sides import enemies
from affray.events import Id

from .attack.declaring import Attack, Mode
from .attack.modifiers import Blow
from .chapters.beasts import Obey
from .chapters.checks import Stabilize
from .chapters.maneuvers import Improvise
from .chapters.riding import Dismount, Mount
from .chapters.spells import Cast
from .config import Table
from .gear.handling import Draw, Drop, Ready, Reload, Stow, lying
from .gear.things import is_missile, reach_of, readied, usual_weapon
from .movement import board
from .movement.board import SQUARE, distance, is_adjacent, occupant, view
from .movement.moving import Move, Prone, Stand, Withdraw
from .sheet import foes, is_active, is_mount, mount_of, stat, unit
from .turns.acting import Payment
from .turns.rounds import Begin, EndTurn
from .worth import promise

ROUND = 300
"""As many feet somebody goes out of the way for an enemy behind a wall."""


def prefers(table: Table, actor: Id, manner: str) -> Iterator[Action]:
    """Return what a sensible fighter declares, best first: help the dying, strike, close in.

    A snap attack takes the Main Action and is hard to land, so it is made only where it may well stop the enemy.
    """
    if actor == "gm":
        return iter((Begin(),))
    if manner == "snap":
        window = table.draft.window
        return _snaps(table, actor) if window is not None and actor in window.to else iter(())
    return _turn(table, actor) if actor in table.draft.acting or is_mount(table, actor) else iter(())


def _turn(table: Table, actor: Id) -> Iterator[Action]:
    """Yield what somebody does in its own turn, which does not end before the mount has gone where it should."""
    if table[actor].has("prone"):
        yield Stand()
    if table.pool(actor, "main"):
        for who, one in table.draft.combatants.items():
            dies = one.conditions and one.has("mortally_wounded") and not one.has("stable")
            if dies and is_adjacent(table, actor, who):
                yield Stabilize(target=who)
        arms = readied(table, actor)
        weapon = usual_weapon(table, actor, "shoot")
        if weapon is not None and not weapon.counters.get("loaded", 1):
            if "SS" in weapon.traits:  # ten rounds, and none of them beside an enemy
                yield from _blows(table, actor, arms)
            yield Reload(weapon=weapon.id)
        if all("unarmed" in one.traits for one in arms):
            yield from (Ready(item=item) for item in lying(table, actor, "stowed"))
        yield from _blows(table, actor, arms)
    yield from _approach(table, actor)
    if actor in table.draft.acting:
        mount = mount_of(table, actor)
        if not (mount and table.pool(mount, "move") and any(_approach(table, mount))):
            if mount and not stat(table, mount, "pace"):
                yield from _getting_off(table, actor)
            yield EndTurn()


def _getting_off(table: Table, actor: Id) -> Iterator[Action]:
    """Yield to get off a mount that goes nowhere, if there is somebody to go to."""
    if stat(table, actor, "pace") and _far_ones(table, actor, actor, readied(table, actor)):
        yield Dismount()
        yield Dismount(payment="main")


def _snaps(table: Table, actor: Id) -> Iterator[Action]:
    """Yield a snap attack on the enemy who acts, if it is likely to take half of the hit points that are left."""
    pending = table.pending()
    if pending is None or pending.actor not in foes(table, actor):
        return
    for worth, attack in _possible(table, actor, [pending.actor], readied(table, actor), snap=True):
        if worth >= 0.5:
            yield attack


def _blows(table: Table, actor: Id, arms: Sequence[Item]) -> Iterator[Action]:
    """Yield every attack on an enemy in reach, the one that promises most first."""
    for _, attack in _possible(table, actor, _foes(table, actor), arms, snap=False):
        yield attack


def _foes(table: Table, actor: Id) -> list[Id]:
    """Return the active enemies, in joining order."""
    against = foes(table, actor)
    return [one for one in table.draft.combatants if one in against]


def _possible(
    table: Table, actor: Id, among: list[Id], arms: Sequence[Item], *, snap: bool
) -> list[tuple[float, Attack]]:
    """Return the attacks on some enemies, with what each promises, the best first; none that can take nothing.

    Nothing is thrown at who is near.
    """
    found = []
    for foe in among:
        away = distance(table, actor, foe)
        for weapon in arms:
            mode = _mode(table, weapon, away)
            if mode:
                worth = promise(table, actor, Blow(foe, weapon.id, mode, snap=snap), weapon)
                if worth:
                    found.append((worth, Attack(target=foe, weapon=weapon.id, mode=mode)))
    found.sort(key=lambda one: one[0], reverse=True)
    return found


def _mode(table: Table, weapon: Item, away: int) -> Mode:
    """Return how a weapon is used against somebody so far away; nothing where it does not reach."""
    if not is_missile(weapon) and away <= reach_of(table, weapon):
        return "melee"
    if is_missile(weapon) or "T" in weapon.traits:
        return ("shoot" if is_missile(weapon) else "throw") if away <= weapon.stats["far"] else ""
    return ""


def _approach(table: Table, actor: Id) -> Iterator[Action]:
    """Yield a move towards the enemies, until one is in reach of the best weapon; then once more instead of it.

    A mount carries its rider.
    """
    fighter = unit(table, actor)[0]
    arms = readied(table, fighter)
    apart = {} if mount_of(table, actor) else _far_ones(table, actor, fighter, arms)
    payments: tuple[Payment, ...] = ("move", "main") if table.pool(actor, "main") else ("move",)
    for way, feet in _ways(table, actor, apart, _reach(table, arms)) if apart else ():
        for payment in payments:
            yield Move(path=way, feet=feet, payment=payment)


def _far_ones(table: Table, mover: Id, fighter: Id, arms: Sequence[Item]) -> dict[Id, int]:
    """Return how far every enemy is out of the way, unless one of them is in reach of the best weapon and in view.

    Whoever has not struck yet leaves alone whom nothing at hand can hurt.
    """
    reach, strikes = _reach(table, arms), table.pool(fighter, "main")
    apart: dict[Id, int] = {}
    views = table.draft.views
    for foe in _foes(table, fighter) if reach else ():
        if views and _is_hidden_for_good(table, fighter, foe):
            continue
        if strikes and not _can_hurt(table, fighter, foe, arms):
            continue
        apart[foe] = distance(table, mover, foe)
        if apart[foe] <= reach and view(table, fighter, foe) != "blocked":
            return {}
    return apart


def _can_hurt(table: Table, fighter: Id, foe: Id, arms: Sequence[Item]) -> bool:
    """Tell whether something at hand can hurt an enemy, once one is near enough."""
    ways = ((one, _mode(table, one, 0)) for one in arms)
    return any(mode and promise(table, fighter, Blow(foe, one.id, mode), one) for one, mode in ways)


def _reach(table: Table, arms: Sequence[Item]) -> int:
    """Return how far the weapon reaches that somebody would take first; 0 for nobody armed."""
    if not arms:
        return 0
    return arms[0].stats["far"] if is_missile(arms[0]) else reach_of(table, arms[0])


def _is_hidden_for_good(table: Table, actor: Id, foe: Id) -> bool:
    """Tell whether by ruling an enemy cannot be seen, wherever on the board one goes."""
    return stated_view(table, actor, foe) == "blocked" and bool(table[actor].place and table[foe].place)


def _ways(table: Table, actor: Id, apart: dict[Id, int], reach: int) -> Iterator[tuple[tuple[Id, ...], int]]:
    """Yield the ways towards the enemies, straight and round what is in the way, or so many feet without a board."""
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
        return not occupant(table, place, but=unit(table, actor))

    def ways_past(barred: Collection[Id]) -> Iterator[tuple[Id, tuple[Id, ...]]]:
        return squares.shortest_ways(here, ROUND // SQUARE, {*places_with(table, "blocked"), *barred})

    walk = Walk(pace, cost, is_free, squares.neighbours, board.apart, ways_past)
    taken = [place for place in table.draft.occupants if place != here]
    yield from ((path, 0) for path in towards(walk, here, goals, taken))


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Return a number to compare declarations by: strike where it promises most, close in, help friends."""
    if isinstance(action, Begin):
        return 2.0 if action == Begin() else 0.0
    if isinstance(action, Attack):
        weapon = action.armed(table, actor)
        worth = promise(table, actor, action.blow(table, actor, snap=manner == "snap"), weapon)
        return 40 * worth + (2 if action.dual else 0) + (60 if manner != "snap" else _answering(table, action.target))
    if isinstance(action, Move):
        return 30 + _closer(table, actor, action) - (35 if action.payment == "main" else 0)
    return _PLAIN.get(type(action), 0.0)


def _answering(table: Table, target: Id) -> float:
    """Return what a snap attack is worth for whom it is made at: only of who acts it is better than to let it pass."""
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


def _closer(table: Table, actor: Id, move: Move) -> float:
    """Return how much nearer a way brings the nearest enemy in feet; with one in reach it is worth nothing."""
    foes = [who for who in table.draft.combatants if enemies(table, actor, who) and is_active(table, who)]
    if not foes:
        return -60.0
    reach = _reach(table, readied(table, actor))
    here = min(distance(table, actor, who) for who in foes)
    if here <= reach:
        return -60.0
    if not move.path:
        return 5.0 + move.feet / 10
    there = min(board.apart(move.path[-1], table[who].place) for who in foes)
    return (here - there) / 2 if there < here else -60.0
