"""The behaviour of a sensible fighter: what it declares, and how it scores each choice."""

from collections.abc import Collection, Iterator
from functools import cache

from affray.engine.core.actions import Action
from affray.engine.core.state import Item
from affray.engine.kit import hexes
from affray.engine.kit.approach import Walk, list_moves_towards
from affray.engine.kit.odds import combine, find_mean
from affray.engine.kit.sheets import stat
from affray.engine.kit.sides import are_enemies
from affray.events import Id

from .attack.melee import Attack
from .attack.shots import Shoot
from .chapters.disarm import Disarm
from .chapters.downtime import RecoverAmmo, Repair
from .chapters.grapple import BreakFree, Grapple
from .chapters.knock_prone import KnockProne
from .chapters.maneuvers import Cast, Maneuver, Use
from .config import Table
from .gear import (
    Draw,
    find_armor,
    find_die,
    find_melee_weapon,
    find_missiles,
    find_shield,
    is_broken,
    is_ranged,
    list_in_hand,
    list_weapon_modifiers,
)
from .movement import board
from .movement.moving import SPRINT, Move, Sprint, Stand
from .movement.positions import can_see
from .odds import Arms, Roll, blow_harm, oppose_rolls, win_chance
from .sheet import can_fight_back, is_active, list_modifiers
from .turns.procedures import Begin, BeginTurn, EndTurn, RollInitiative

FAR = 99

ROUND = 40
"""The detour, in hexes, that a combatant takes to reach an enemy behind a wall."""


def prefers(table: Table, actor: Id, manner: str) -> Iterator[Action]:
    """Yield a sensible fighter's declarations, best first.

    Get up and free, strike or shoot, draw a weapon, approach.
    """
    phase = table.draft.phase
    if phase == "setup":
        yield Begin()
    elif phase == "initiative":
        yield RollInitiative()
    elif phase == "order_ready":
        yield BeginTurn()
    elif phase == "turn":
        if table[actor].has("prone"):
            yield Stand()
        if table.draft.relations and _is_held(table, actor):
            yield BreakFree()
        foes = _list_foes(table, actor)
        if foes and table.pool(actor, "actions"):
            yield from _list_attacks(table, actor, foes)
            yield from (Draw(item=item.id) for item in table.items_of(actor) if score_arming(table, actor, item) > 0)
        if foes:
            yield from _approach(table, actor, foes)
        yield EndTurn()


def _list_attacks(table: Table, actor: Id, foes: list[Id]) -> Iterator[Action]:
    """Yield every shot, and every blow at an adjacent enemy, the most effective first."""
    found: list[tuple[float, Action]] = []
    here, launcher = table[actor].place, _find_launcher(table, actor)
    for foe in foes:
        if launcher is not None and can_see(table, actor, foe):
            found.append((expected_shot_harm(table, actor, foe, launcher), Shoot(target=foe, weapon=launcher.id)))
        if board.is_adjacent(here, table[foe].place):
            found.append((expected_harm(table, actor, foe), Attack(target=foe)))
    for _, action in sorted(found, key=lambda one: one[0], reverse=True):
        yield action


def _find_launcher(table: Table, actor: Id) -> Item | None:
    """Return a combatant's loaded unbroken ranged weapon in hand, or nothing."""
    for item in list_in_hand(table, actor):
        if is_ranged(item) and not is_broken(item) and find_missiles(table, actor, item):
            return item
    return None


def _find_arms(table: Table, who: Id, weapon: Item, foe: Id) -> Arms:
    """Return the dice of a blow between two combatants, and of its defence."""
    armor = find_armor(table, foe)
    bonus = sum([term.value for term in list_weapon_modifiers(table, who, weapon, damage=True)])
    return Arms(find_die(weapon), bonus, find_die(armor) if armor else 0, int(find_shield(table, foe) is not None))


def _attack_roll(table: Table, who: Id, weapon: Item) -> Roll:
    return Roll(sum([term.value for term in list_weapon_modifiers(table, who, weapon)]))


def expected_harm(table: Table, actor: Id, foe: Id) -> float:
    """Return the share of an enemy that a blow is expected to take, less the own loss."""
    mine, theirs = find_melee_weapon(table, actor), find_melee_weapon(table, foe)
    taken = _harm_share(_find_arms(table, actor, mine, foe), table.pool(foe, "hp"))
    if not can_fight_back(table, foe):
        return taken
    paid = _harm_share(_find_arms(table, foe, theirs, actor), table.pool(actor, "hp"))
    won, lost = _contest_chances(_attack_roll(table, actor, mine), _attack_roll(table, foe, theirs))
    return won * taken - lost * paid


def expected_shot_harm(table: Table, actor: Id, foe: Id, launcher: Item) -> float:
    """Return the share of an enemy that a shot is expected to take."""
    evades = Roll(sum([term.value for term in list_modifiers(table, foe, "evade", "HEX-030")]))
    chance = _hit_chance(_attack_roll(table, actor, launcher), evades) if can_fight_back(table, foe) else 1.0
    return chance * _harm_share(_find_arms(table, actor, launcher, foe), table.pool(foe, "hp"))


@cache
def _contest_chances(own: Roll, foe: Roll) -> tuple[float, float]:
    """Return the chances to strike and to be struck in an exchange of blows."""
    ends = {end: float(chance) for end, chance in oppose_rolls(own, foe).items()}
    both = ends.get("both", 0.0)
    return ends.get("wins", 0.0) + both, ends.get("loses", 0.0) + both


@cache
def _hit_chance(own: Roll, foe: Roll) -> float:
    return float(win_chance(own, foe))


@cache
def _harm_share(arms: Arms, left: int) -> float:
    """Return the share of the remaining hit points that a blow is expected to take."""
    return float(find_mean(combine(lambda amount: min(amount, left), blow_harm(arms)))) / left if left else 1.0


def _approach(table: Table, actor: Id, foes: list[Id]) -> Iterator[Action]:
    """Yield a move towards the enemies, or a sprint if walking does not get nearer.

    An archer stays while it sees an enemy, and any combatant while it is adjacent to one.
    """
    here = table[actor].place
    apart = {foe: _hexes_apart(here, table[foe].place) for foe in foes}
    nearest = sorted(foes, key=apart.__getitem__)
    if apart[nearest[0]] <= 1:
        return
    near = 1
    if _find_launcher(table, actor) is not None:
        if any(can_see(table, actor, one) for one in foes):
            return
        near = apart[nearest[0]] - 1
    left, walks = table.pool(actor, "movement"), stat(table, actor, "movement")
    most = max(left, walks + SPRINT)
    hex_feet = table.config.hex_feet
    if hex_feet > (most if left == walks else left):
        return

    def cost(_: Id, there: Id) -> int:
        price = board.cost_in_feet(table, there)
        free = board.can_be_entered(table, there) and not board.find_enemy_in(table, actor, there)
        return price if free and price <= most else 0

    def is_free(place: Id) -> bool:
        return not table.at(place)

    def ways_past(barred: Collection[Id]) -> Iterator[tuple[Id, tuple[Id, ...]]]:
        slow = [place for place in table.draft.places if board.cost_in_feet(table, place) > most]
        return board.list_ways(table, actor, ROUND * hex_feet, barred={*slow, *barred})

    walk = Walk(left, cost, is_free, hexes.hex_neighbours, _hexes_apart, ways_past)
    goals = [(table[foe].place, near) for foe in nearest]
    taken = [place for place in table.draft.occupants if place != here]
    yield from (Move(path=path) for path in list_moves_towards(walk, here, goals, taken))
    if left == walks and any(list_moves_towards(walk._replace(allowance=walks + SPRINT), here, goals, taken)):
        yield Sprint()


def _hexes_apart(one: Id, other: Id) -> int:
    apart = hexes.hex_distance(one, other)
    return FAR if apart is None else apart


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Score a declaration, so that declarations can be compared."""
    if isinstance(action, Attack | Shoot):
        return _score_blow(table, actor, action)
    if isinstance(action, Move):
        return _score_move(table, actor, action)
    if isinstance(action, Draw):
        return score_arming(table, actor, table.item(action.item))
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


def _score_blow(table: Table, actor: Id, action: Attack | Shoot) -> float:
    """Score a blow: nothing against friends and the fallen, less with bare hands."""
    foe = action.target
    if not are_enemies(table, actor, foe) or not is_active(table, foe):
        return -90.0
    if isinstance(action, Shoot):
        launcher = table.item(action.weapon) if action.weapon else _find_launcher(table, actor)
        return 65 + 10 * (expected_shot_harm(table, actor, foe, launcher) if launcher else 0)
    unarmed = "natural" in find_melee_weapon(table, actor).traits
    return (45 if unarmed else 65) + 10 * expected_harm(table, actor, foe)


def _is_held(table: Table, actor: Id) -> bool:
    """Return whether a combatant is held by another, rather than only holding one."""
    grapples = [one for one in table.draft.relations.values() if one.kind == "grapple"]
    return any(member.who == actor and member.role == "held" for one in grapples for member in one.members)


def _list_foes(table: Table, actor: Id) -> list[Id]:
    people = table.draft.combatants.items()
    return [who for who, one in people if one.place and is_active(table, who) and are_enemies(table, actor, who)]


def _score_move(table: Table, actor: Id, way: Move) -> float:
    """Score a way by the hexes gained on the nearest enemy; archers had better stay."""
    here = table[actor].place
    goal = way.path[-1] if way.path else way.to
    foes = [table[who].place for who in _list_foes(table, actor)]
    now = min((_hexes_apart(here, place) for place in foes), default=FAR)
    then = min((_hexes_apart(goal, place) for place in foes), default=FAR)
    if now <= 1 or _find_launcher(table, actor) is not None or then >= now:
        return -60.0
    return 30.0 + now - then


def score_arming(table: Table, actor: Id, item: Item) -> float:
    """Score a combatant's need for a weapon while it has bare hands."""
    fit = item.kind == "weapon" and not is_broken(item) and not is_ranged(item) and "natural" not in item.traits
    if not fit or item.where in ("hand", "pack") or "natural" not in find_melee_weapon(table, actor).traits:
        return -20.0
    close = any(board.is_adjacent(table[actor].place, table[who].place) for who in _list_foes(table, actor))
    return 60.0 if close or _find_launcher(table, actor) is None else -20.0
