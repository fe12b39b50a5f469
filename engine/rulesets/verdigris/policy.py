"""The policy of a sensible fighter: its declarations in order, and their worth."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from functools import cache

from affray.engine.core.actions import Action
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.kit.odds import combine, find_chance_at_least, find_mean
from affray.engine.kit.riding import mount_of
from affray.engine.kit.sheets import stat
from affray.events import Id

from .attack.attacks import Attack, Ready
from .attack.striking import choose_weapon
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
from .gear.things import (
    FIRED,
    attribute_of,
    bonus_of,
    count_free_hands,
    count_hands_for,
    damage_of,
    find_ammunition,
    find_weapon_for,
    group_of,
    is_broken,
    is_melee,
    list_held,
    must_be_wieldable,
    usage_of,
)
from .harm.minutes import TickMinute
from .movement.leaving import LeaveMelee
from .movement.moving import EnterMelee, Move, list_exits
from .odds import Pool, Target, damage, net
from .sheet import Strike, can_see, is_active, is_enemy, is_in_play, is_mount, melee_of, shared_melee
from .turns.initiative import Begin, RollInitiative, SurpriseCheck
from .turns.turn import BeginTurn, EndTurn

STRAIN = 0.5
"""The cost of a point of stress in dice, for the panic that it may end in."""


def prefers(table: Table, actor: Id, manner: str) -> Iterator[Action]:
    """Yield declarations, best first: help, get free, attack, ready, close in."""
    phase = table.draft.phase
    if phase == "setup":
        yield Begin()
    elif phase == "initiative":
        yield RollInitiative()
    elif phase in ("slot", "surprise"):
        yield BeginTurn()
    elif phase == "turn":
        yield from _turn(table, actor)
        yield EndTurn()


def _turn(table: Table, actor: Id) -> Iterator[Action]:
    """Yield the declarations of a combatant in its own turn."""
    one, fights = table[actor], melee_of(table, actor) is not None
    if one.has("fleeing"):
        if fights:
            yield LeaveMelee()
        return
    if table.pool(actor, "action"):
        for friend in table.at(one.place):
            if table[friend].has("deaths_door") and table[friend].side == one.side:
                yield Heal(patient=friend, cures="deaths_door")
        if one.has("ablaze"):
            yield Douse()
        if one.has("entangled") or one.has("ensnared"):
            yield Struggle()
        arms = _arms(table, actor)
        if not arms or (fights and not any(map(is_melee, arms))):
            yield from _draw_weapons(table, actor, fights)
        yield from _attacks(table, actor, arms, fights)
        yield from _ready_weapons(arms)
    if fights and mount_of(table, actor):
        yield from (MountAttack(target=foe) for foe in _foes(table, actor) if shared_melee(table, actor, foe))
    if not fights and _is_melee_fighter(table, actor):
        yield from _close_in(table, actor)


def _foes(table: Table, actor: Id) -> list[Id]:
    """Return the enemies who can still fight, in joining order; else all not dead yet."""
    people = [who for who in table.draft.combatants if is_enemy(table, actor, who)]
    return [who for who in people if is_active(table, who)] or [who for who in people if is_in_play(table, who)]


def _arms(table: Table, actor: Id) -> list[Item]:
    """Return the weapons in hand that are whole, with free hands and ammunition."""
    return [item for item in list_held(table, actor) if item.kind == "weapon" and _serves(table, actor, item)]


def _serves(table: Table, actor: Id, weapon: Item) -> bool:
    """Tell whether a weapon in hand is of use."""
    if group_of(weapon) in FIRED and find_ammunition(table, actor, weapon) is None:
        return False
    try:
        must_be_wieldable(table, actor, weapon, "")
    except Refused:
        return False
    return True


def _draw_weapons(table: Table, actor: Id, fights: bool) -> Iterator[Action]:
    """Yield to draw a weapon, and to drop what the hands hold in its place."""
    for item in table.items_of(actor):
        if item.kind != "weapon" or item.where != "belt" or is_broken(item):
            continue
        if is_melee(item) or not (fights or (group_of(item) in FIRED and find_ammunition(table, actor, item) is None)):
            yield Draw(item=item.id)
            if count_free_hands(table, actor) < count_hands_for(item):
                yield from (Drop(item=one.id) for one in list_held(table, actor) if one.kind == "weapon")


def _attacks(table: Table, actor: Id, arms: list[Item], fights: bool) -> Iterator[Action]:
    """Yield an attack on every enemy within reach, the best first; else with fists."""
    found: list[tuple[float, Action]] = []
    fists = [table.item(f"{actor}.unarmed")]
    close_arms, far_arms = [one for one in arms if is_melee(one)] or fists, [one for one in arms if not is_melee(one)]
    for foe in _foes(table, actor):
        close = fights and shared_melee(table, actor, foe) is not None
        strike: Strike = "rider" if mount_of(table, foe) else "mount" if is_mount(table, foe) else ""
        for weapon in (*(close_arms if close else ()), *(far_arms if can_see(table, actor, foe) else ())):
            found.append(
                (estimate_share(table, actor, foe, weapon), Attack(target=foe, weapon=weapon.id, strike=strike))
            )
    for _, attack in sorted(found, key=lambda one: one[0], reverse=True):
        yield attack


def _ready_weapons(arms: list[Item]) -> Iterator[Action]:
    """Yield to load or light the weapons in hand."""
    for item in arms:
        if item.counters.get("loaded") == 0:
            yield Reload(weapon=item.id)
        if item.counters.get("lit") == 0:
            yield LightMatch(weapon=item.id)


def _close_in(table: Table, actor: Id) -> Iterator[Action]:
    """Yield to begin a melee here, or to step towards the zone of the nearest enemy."""
    foes = [foe for foe in _foes(table, actor) if not is_mount(table, foe)]
    here = table[actor].place
    near = [foe for foe in foes if table[foe].place == here]
    weapon = find_weapon_for(table, actor, "", melee=True)
    for foe in sorted(near, key=lambda one: estimate_share(table, actor, one, weapon), reverse=True):
        yield EnterMelee(target=foe)
    if not near:
        there = {table[foe].place for foe in foes}
        yield from (Move(to=way, cautious=True) for way in _first_steps(table, actor, there))


def _first_steps(table: Table, actor: Id, there: set[Id]) -> list[Id]:
    """Return the first zone of the shortest way to one of these zones, if any."""
    queue = deque((way, way) for way in list_exits(table, actor))
    seen = {table[actor].place}
    while queue:
        zone, first = queue.popleft()
        if zone in there:
            return [first]
        if zone not in seen and zone in table.draft.places:
            seen.add(zone)
            queue.extend((way, first) for way in table.draft.places[zone].exits)
    return []


def estimate_share(table: Table, actor: Id, foe: Id, weapon: Item, grip: str = "") -> float:
    """Return the expected share of an enemy's hit points that an attack takes."""
    grip = grip or ("two" if weapon.stats.get("hands") == 2 else "one")
    if is_mount(table, actor):
        dice = stat(table, actor, "quality")
    else:
        dice = stat(table, actor, attribute_of(table, weapon)) + stat(table, actor, usage_of(weapon).skill)
    pool = Pool(max(0, dice + bonus_of(weapon, grip)))
    target = Target(stat(table, foe, "dodge"), stat(table, foe, "withstand"))
    left = table.pool(foe, "hp") if is_active(table, foe) else 0
    return _estimate_share(pool, target, damage_of(weapon, grip), left)


@cache
def _estimate_share(pool: Pool, target: Target, listed: int, left: int) -> float:
    """Return the expected share of the remaining hit points that an attack takes.

    A target without hit points counts for little.
    """
    if not left:
        return float(find_chance_at_least(net(pool, target.dodge), 1)) / 10
    return float(find_mean(combine(lambda amount: min(amount, left), damage(pool, target, listed)))) / left


def fitness(table: Table, who: Id) -> float:
    """Return a combatant's dice to strike with, less the likely cost of its stress."""
    weapon = find_weapon_for(table, who, "")
    attribute = attribute_of(table, weapon)
    dice = table.pool(who, attribute) + stat(table, who, usage_of(weapon).skill) + weapon.counters.get("bonus", 0)
    return max(1.0, dice - STRAIN * table.pool(who, "stress"))


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Return a number by which declarations are compared; the highest is the best."""
    if isinstance(action, Begin):
        return 2.0 if action == Begin() else 0.0
    if isinstance(action, Attack):
        return 60 + _estimate_attack(table, actor, action)
    if isinstance(action, EnterMelee):
        return 45.0 if _is_melee_fighter(table, actor) else 5.0
    if isinstance(action, Move):
        return _rate_move(table, actor, action)
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
    SurpriseCheck: -5.0,
    TakePackItem: -5.0,
    TickMinute: 30.0,
    Use: 2.0,
}


def _estimate_attack(table: Table, actor: Id, attack: Attack) -> float:
    """Return the worth of an attack; less against the fallen, and against a mount."""
    weapon = choose_weapon(table, actor, attack.target, attack.weapon)
    down = -20 if not is_active(table, attack.target) else 0
    worth = 10 * estimate_share(table, actor, attack.target, weapon, attack.grip)
    return worth + down - (1 if attack.strike == "mount" else 0)


def _is_melee_fighter(table: Table, actor: Id) -> bool:
    """Tell whether a combatant holds a melee weapon, or nothing better."""
    return all(map(is_melee, _arms(table, actor)))


def _rate_move(table: Table, actor: Id, move: Move) -> float:
    """Return the worth of a step: high towards enemies, low where some are near."""
    if not _is_melee_fighter(table, actor) or melee_of(table, actor) is not None:
        return -60.0

    def foes(place: Id) -> bool:
        here = [one for one in table.at(place) if is_enemy(table, actor, one) and not is_mount(table, one)]
        return any(is_active(table, one) for one in here)

    if foes(table[actor].place):
        return -60.0
    return 40.0 if foes(move.to) else 30.0
