"""What a sensible fighter does: how good a declaration looks, and which one is made."""

from collections.abc import Iterator

from affray.engine.core.actions import Action
from affray.engine.core.state import Item
from affray.engine.kit import squares
from affray.engine.kit.approach import approach, way_round
from affray.engine.kit.ground import has_trait
from affray.engine.kit.sides import enemies
from affray.events import Id

from .attack import PLAIN, Attack, accuracy, might
from .chapters.delay import Delay, Reinsert
from .chapters.ready import Ready
from .chapters.skills import Improvise, Skill
from .config import Table
from .gear import Reload, Swap, in_hand
from .harm import Forfeit
from .movement.board import can_see, distance, metres, occupant, path_cost, step_cost, ways
from .movement.moving import Move, Shift, Steps, allowance_of
from .odds import hits, holds_on
from .sheet import can_be_loaded, is_active, needed_types, stat, weapon_type
from .turns.course import Begin
from .turns.order import EndTurn

ROUND = 60
"""As many metres somebody goes out of the way for an enemy behind a wall."""


def prefers(table: Table, actor: Id, manner: str) -> Iterator[Action]:
    """Yield what a sensible fighter declares, best first: strike, reload, close in, keep a token for who comes near."""
    draft = table.draft
    if actor == "gm":
        yield Begin()
        return
    if manner == "readied":
        if _is_answer_to_enemy(table, actor):
            yield from _blows(table, actor)
        return
    if draft.window is not None:
        yield Reinsert()
        return
    if actor not in draft.acting:
        return
    weapon = in_hand(table, actor)
    if can_be_loaded(weapon) and not weapon.counters.get("loaded"):
        yield Reload()
    yield from _blows(table, actor)
    nearest = _nearest(table, actor)
    if nearest:
        yield from _approach(table, actor, nearest)
        yield Ready()
    yield EndTurn()


def foes_of(table: Table, actor: Id) -> list[Id]:
    """Return the active enemies of somebody, in joining order."""
    return [who for who in table.draft.combatants if is_active(table, who) and enemies(table, actor, who)]


def _blows(table: Table, actor: Id) -> Iterator[Action]:
    """Yield an attack on each enemy in reach, the one that promises most first, with the energy one has to spare."""
    weapon = in_hand(table, actor)
    reach = weapon.stats["range"]
    spare = _spare(table, actor) if actor in table.draft.acting else 0
    near = [foe for foe in foes_of(table, actor) if distance(table, actor, foe) <= reach]
    for foe in sorted(near, key=lambda one: promise(table, actor, one), reverse=True):
        if spare:
            for skill in table.items_of(actor):
                fits = "attack" in skill.traits and skill.counters.get("cost", 1) <= spare
                if fits and weapon_type(weapon) in (needed_types(skill) or (weapon_type(weapon),)):
                    yield Skill(skill=skill.id.removeprefix(f"{actor}."), target=foe)
        yield Attack(target=foe, ep=spare)


def _spare(table: Table, actor: Id) -> int:
    """Return how much energy there would be too much of at the next turn."""
    regain = table[actor].stats.get("ep_regain", table.config.ep_regain)
    ep, most = table.pool(actor, "ep"), stat(table, actor, "ep")
    return min(ep, max(0, ep + regain - most), regain)


def promise(table: Table, actor: Id, target: Id, skill: Item = PLAIN, ep: int = 0) -> float:
    """Return how much of somebody an attack is likely to take: of the health, or at the brink of the life."""
    weapon = in_hand(table, actor)
    bonus = sum([term.value for term in accuracy(table, actor, weapon, skill, ep)])
    chance = float(hits(bonus, stat(table, target, "agility")))
    if table[target].has("brink"):
        return chance * (1 - float(holds_on(config=table.config)))
    harm = sum([term.value for term in might(table, actor, weapon, skill)]) - stat(table, target, "protection")
    health = table.pool(target, "health")
    return chance * min(1.0, max(0, harm) / health) if health else 0.0


def _nearest(table: Table, actor: Id) -> Id:
    """Return the nearest enemy."""
    return min(foes_of(table, actor), key=lambda one: distance(table, actor, one), default="")


def _approach(table: Table, actor: Id, foe: Id) -> Iterator[Action]:
    """Yield a move towards an enemy, into reach and sight if that is possible; nothing where one is there already."""
    reach = in_hand(table, actor).stats["range"]
    apart, here, goal = distance(table, actor, foe), table[actor].place, table[foe].place
    if apart <= reach and can_see(table, actor, foe):
        return
    if not (here and goal):
        yield Move(metres=min(allowance_of(table, actor), max(1, apart - reach)))
        return

    def cost(one: Id, other: Id) -> int:
        return 0 if has_trait(table, other, "blocked") else step_cost(table, one, other)

    def far(one: Id, other: Id) -> int:
        return metres(table, one, other)

    near = reach if apart > reach else max(1, apart - 1)
    path = approach(here, goal, near, allowance_of(table, actor), cost, squares.neighbours, far)
    yield from _ending_free(table, actor, path)
    path = way_round(goal, near, ROUND, lambda most: ways(table, actor, most), far)
    while path and path_cost(table, actor, path) > allowance_of(table, actor):
        path = path[:-1]
    yield from _ending_free(table, actor, path)


def _ending_free(table: Table, actor: Id, path: tuple[Id, ...]) -> Iterator[Action]:
    """Yield the move along a path, as far as it ends where nobody stands."""
    while path and occupant(table, path[-1]):
        path = path[:-1]
    if path:
        yield Move(path=path)


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Return a number to compare declarations by: strike where it promises most, close in, keep a token for foes."""
    if manner == "readied" and not _is_answer_to_enemy(table, actor):
        return 5.0
    if isinstance(action, Begin):
        return 2.0 if action == Begin() else 0.0
    if isinstance(action, Attack | Skill) and action.target:
        skill = table.draft.items.get(f"{actor}.{action.skill}", PLAIN) if isinstance(action, Skill) else PLAIN
        return 60 + 40 * promise(table, actor, action.target, skill, action.ep) - 4 * action.ep
    if isinstance(action, Move) and manner == "standard":
        return 30 + _closer(table, actor, action)
    return _PLAIN.get(type(action), 0.0)


_PLAIN: dict[type[Action], float] = {
    Reload: 55.0,
    EndTurn: 10.0,
    Ready: 12.0,
    Reinsert: 90.0,
    Delay: -50.0,
    Forfeit: -40.0,
    Swap: 1.0,
    Shift: -5.0,
    Skill: -5.0,
    Improvise: 50.0,
}


def _is_answer_to_enemy(table: Table, actor: Id) -> bool:
    """Tell whether what resolves next is an enemy's; otherwise a token is better kept."""
    pending = table.pending()
    return pending is not None and pending.actor in table.draft.combatants and enemies(table, actor, pending.actor)


def _closer(table: Table, actor: Id, steps: Steps) -> float:
    """Return how much nearer a way brings the nearest enemy in metres; moving away or standing by is worth nothing."""
    foes = [who for who in table.draft.combatants if enemies(table, actor, who) and is_active(table, who)]
    if not foes:
        return -60.0
    here = min(distance(table, actor, who) for who in foes)
    if here <= in_hand(table, actor).stats["range"]:
        return -60.0
    if not steps.path:
        return float(steps.metres)
    there = min(metres(table, steps.path[-1], table[who].place) for who in foes)
    return here - there if there < here else -60.0
