"""The behaviour of a sensible fighter: what it declares, and how it scores each choice."""

from collections.abc import Collection, Iterator, Sequence

from affray.engine.core.actions import Action
from affray.engine.core.state import Item
from affray.engine.kit import squares
from affray.engine.kit.approach import Walk, list_moves_towards
from affray.engine.kit.distances import is_hidden_on_board
from affray.engine.kit.sheets import stat
from affray.engine.kit.sides import are_enemies, list_allied_pairs
from affray.engine.kit.terrain import has_trait, list_places_with
from affray.events import Id

from .attack import PLAIN, Attack
from .chapters.delay import Delay, Reinsert
from .chapters.ready import Ready
from .chapters.skills import Improvise, Skill
from .config import Table
from .gear import Reload, Swap, find_weapon_in_hand, is_empty
from .harm import Forfeit
from .movement.board import DIFFICULT, can_see, distance, find_occupant, metres, step_cost
from .movement.moving import Move, Shift, Steps, find_allowance
from .sheet import is_active, weapon_type
from .turns.order import EndTurn
from .turns.procedures import Begin
from .worth import can_hurt, expected_harm, find_energy_needed, list_usable_skills

ROUND = 60
"""The detour, in metres, that a combatant takes to reach an enemy behind a wall."""


def prefers(table: Table, actor: Id, manner: str) -> Iterator[Action]:
    """Yield a sensible fighter's declarations, best first.

    Strike, reload, approach, or keep a token for an enemy who comes near.
    """
    draft = table.draft
    if actor == "gm":
        yield Begin()
    elif manner == "readied":
        if _is_answer_to_enemy(table, actor):
            yield from _list_attacks(table, actor)
    elif draft.window is not None:
        if draft.window.what == "reinsert":
            yield Reinsert()
    elif actor in draft.acting and is_active(table, actor):
        yield from _list_turn_actions(table, actor)


def _list_turn_actions(table: Table, actor: Id) -> Iterator[Action]:
    """Yield what a combatant does in its own turn."""
    weapon = find_weapon_in_hand(table, actor)
    if table.pool(actor, "actions"):
        if is_empty(weapon):
            yield Reload()
        if weapon_type(weapon) == "unarmed":
            yield from _swap_to_better_weapon(table, actor, weapon)
        yield from _list_attacks(table, actor)
        yield from _close_in(table, actor, weapon)
    if any(_may_come_near(table, actor, foe, weapon) for foe in list_foes(table, actor)):
        yield Ready()
    yield EndTurn()


def _close_in(table: Table, actor: Id, weapon: Item) -> Iterator[Action]:
    """Yield an approach to an enemy, unless a worthwhile one is already in view.

    Enemies that it cannot hurt or never see do not count. Those that need much energy come last.
    """
    seen = [foe for foe in list_foes(table, actor) if not is_hidden_on_board(table, actor, foe)]
    foes = [foe for foe in seen if expected_harm(table, actor, foe, weapon)]
    foes = foes or [foe for foe in seen if can_hurt(table, actor, foe, weapon)]
    if not any(_is_in_view(table, actor, foe, weapon) for foe in foes):
        yield from _swap_to_better_weapon(table, actor, weapon)
        if foes:
            yield from _approach(table, actor, weapon, foes)


def list_foes(table: Table, actor: Id) -> tuple[Id, ...]:
    """Return the active enemies of a combatant, in joining order.

    A side shares one answer, unless any sides are allied.
    """
    known = table.derive(_start_foes)
    key = actor if table.derive(list_allied_pairs) else table[actor].side
    if key not in known:
        people = table.draft.combatants
        known[key] = tuple([who for who in people if is_active(table, who) and are_enemies(table, actor, who)])
    return known[key]


def _start_foes(_: Table) -> dict[str, tuple[Id, ...]]:
    """Return the empty store of ``list_foes``; it starts afresh when the roster changes."""
    return {}


def _is_in_view(table: Table, actor: Id, foe: Id, weapon: Item) -> bool:
    """Return whether an enemy is in sight and within a weapon's range."""
    return distance(table, actor, foe) <= weapon.stats["range"] and can_see(table, actor, foe)


def _may_come_near(table: Table, actor: Id, foe: Id, weapon: Item) -> bool:
    """Return whether an enemy worth attacking may be in range after two moves."""
    near = distance(table, actor, foe) <= weapon.stats["range"] + 2 * find_allowance(table, foe)
    return near and expected_harm(table, actor, foe, weapon) > 0


def _list_attacks(table: Table, actor: Id) -> Iterator[Action]:
    """Yield an attack on each enemy in range, the most effective first.

    Energy that would otherwise be lost is spent on accuracy.
    An enemy that only energy can hurt gets as much energy as it needs.
    """
    weapon = find_weapon_in_hand(table, actor)
    if is_empty(weapon) and not any("spares ammunition" in one.traits for one in table.items_of(actor)):
        return
    reach = weapon.stats["range"]
    spare = _find_spare_energy(table, actor) if actor in table.draft.acting else 0
    near = [foe for foe in list_foes(table, actor) if distance(table, actor, foe) <= reach]
    promised = {foe: expected_harm(table, actor, foe, weapon) for foe in near}
    for foe in sorted(near, key=promised.__getitem__, reverse=True):
        if promised[foe]:
            if spare:
                yield from (_use_skill(actor, skill, foe) for skill in list_usable_skills(table, actor, weapon, spare))
            yield Attack(target=foe, ep=spare)
        else:
            yield from _list_costly_attacks(table, actor, foe, weapon)


def _use_skill(actor: Id, skill: Item, foe: Id, ep: int = 0) -> Skill:
    return Skill(skill=skill.id.removeprefix(f"{actor}."), target=foe, ep=ep)


def _list_costly_attacks(table: Table, actor: Id, foe: Id, weapon: Item) -> Iterator[Action]:
    """Yield the attacks on an enemy that only energy makes possible."""
    energy = table.pool(actor, "ep")
    for skill in (PLAIN, *list_usable_skills(table, actor, weapon, energy)):
        cost = skill.counters.get("cost", 0)
        need = find_energy_needed(table, actor, foe, weapon, skill)
        if need is not None and cost + need <= energy:
            yield _use_skill(actor, skill, foe, need) if cost else Attack(target=foe, ep=need)


def _swap_to_better_weapon(table: Table, actor: Id, held: Item) -> Iterator[Action]:
    """Yield a swap to a weapon twice as effective here, or the only one that hurts."""
    arms = [item for item in table.items_of(actor) if item.kind == "weapon" and item.id != held.id]
    if not arms:
        return
    foes = list_foes(table, actor)

    def here(weapon: Item) -> float:
        seen = [foe for foe in foes if _is_in_view(table, actor, foe, weapon)]
        return max((expected_harm(table, actor, foe, weapon) for foe in seen), default=0.0)

    best = max(arms, key=here)
    if here(best) <= 2 * here(held):
        hopeless = not any(can_hurt(table, actor, foe, held) for foe in foes)
        able = [one for one in arms if any(can_hurt(table, actor, foe, one) for foe in foes)] if hopeless else []
        if not able:
            return
        best = max(able, key=lambda one: one.stats["range"])
    yield Swap(weapon=best.id, payment="ep")
    yield Swap(weapon=best.id, payment="action")


def _find_spare_energy(table: Table, actor: Id) -> int:
    """Return the energy that the next turn's regain would waste."""
    regain = table[actor].stats.get("ep_regain", table.config.ep_regain)
    ep, most = table.pool(actor, "ep"), stat(table, actor, "ep")
    return min(ep, max(0, ep + regain - most), regain)


def _approach(table: Table, actor: Id, weapon: Item, foes: Sequence[Id]) -> Iterator[Action]:
    """Yield a move towards the enemies, into range and sight if possible.

    The move goes straight, or round obstacles.
    Combatants that one move does not lead past are obstacles too, since a move cannot end on them.
    """
    reach, allowance = weapon.stats["range"], find_allowance(table, actor)
    apart = {foe: distance(table, actor, foe) for foe in foes}
    nearest = sorted(foes, key=apart.__getitem__)
    here = table[actor].place
    goals = [(table[foe].place, reach if apart[foe] > reach else max(1, apart[foe] - 1)) for foe in nearest]
    goals = [one for one in goals if one[0]]
    if not (here and goals):
        yield Move(metres=min(allowance, max(1, apart[nearest[0]] - reach)))
        return

    def is_free(place: Id) -> bool:
        return not find_occupant(table, place)

    taken = [place for place in table.draft.occupants if place != here]
    slow = list_places_with(table, "difficult")
    crammed = {place for place in taken if allowance <= (DIFFICULT if place in slow else 1) and not is_free(place)}

    def cost(one: Id, other: Id) -> int:
        price = 0 if has_trait(table, other, "blocked") or other in crammed else step_cost(table, one, other)
        return price if price <= allowance else 0

    def far(one: Id, other: Id) -> int:
        return metres(table, one, other)

    def ways_past(barred: Collection[Id]) -> Iterator[tuple[Id, tuple[Id, ...]]]:
        closed = (*list_places_with(table, "blocked"), *(slow if allowance < DIFFICULT else ()), *crammed, *barred)
        weights = {**dict.fromkeys(slow, DIFFICULT), **dict.fromkeys(closed, 0)}
        return squares.list_cheapest_paths(here, ROUND, weights, table.config.metric)

    walk = Walk(allowance, cost, is_free, squares.square_neighbours, far, ways_past)
    yield from (Move(path=path) for path in list_moves_towards(walk, here, goals, taken))


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Score a declaration, so that declarations can be compared."""
    if manner == "readied" and not (isinstance(action, Attack | Skill) and _is_answer_to_enemy(table, actor)):
        return 5.0
    if isinstance(action, Begin):
        return 2.0 if action == Begin() else 0.0
    if isinstance(action, Attack | Skill) and action.target:
        skill = table.draft.items.get(f"{actor}.{action.skill}", PLAIN) if isinstance(action, Skill) else PLAIN
        worth = expected_harm(table, actor, action.target, find_weapon_in_hand(table, actor), skill, action.ep)
        return 60 + 40 * worth - 4 * action.ep
    if isinstance(action, Move) and manner == "standard":
        return 30 + _score_move(table, actor, action)
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
    """Return whether an enemy's action resolves next; else a token is better kept."""
    pending = table.pending()
    return pending is not None and pending.actor in table.draft.combatants and are_enemies(table, actor, pending.actor)


def _score_move(table: Table, actor: Id, steps: Steps) -> float:
    """Return the metres gained on the nearest enemy; -60 if none are gained."""
    foes = [who for who in table.draft.combatants if are_enemies(table, actor, who) and is_active(table, who)]
    if not foes:
        return -60.0
    here = min(distance(table, actor, who) for who in foes)
    if here <= find_weapon_in_hand(table, actor).stats["range"]:
        return -60.0
    if not steps.path:
        return float(steps.metres)
    there = min(metres(table, steps.path[-1], table[who].place) for who in foes)
    return here - there if there < here else -60.0
