"""The behaviour of a sensible fighter: what it declares, how it scores a choice, what it answers."""

from collections import deque
from collections.abc import Iterator
from functools import cache

from affray.engine.core.actions import Action
from affray.engine.core.groups.fighter import Reply, choose_default_answer
from affray.engine.core.state import Item, Question
from affray.engine.kit.odds import combine, find_mean
from affray.engine.kit.sides import are_enemies
from affray.events import Id

from .attack.engage import Engage
from .attack.foe_attacks import Attack
from .attack.shots import Fire
from .attack.testing import HELP
from .chapters.recovery import Repair, Rest, Revive
from .chapters.spells import Spell
from .chapters.stunts import Improvise, Stunt
from .config import Config, Table
from .gear.handling import Reload, Wear
from .gear.pieces import build_die, is_loaded, is_ranged, list_ready_weapons, list_usable_weapons, list_worn
from .movement.melee import can_see, is_adjacent, is_engaged
from .movement.moving import Move, list_reachable
from .odds import armor_against_shot, blow_effects, success_chance
from .sheet import can_be_hurt, can_test, find_ability, find_better_ability, is_active, leaves_test_to
from .turns.sides import Begin
from .turns.turn import EndTurn


def prefers(table: Table, actor: Id, manner: str) -> Iterator[Action]:
    """Yield a sensible fighter's declarations, best first.

    Help a friend up, strike or shoot, reload, approach.
    """
    if table.draft.phase == "setup":
        yield Begin()
    elif table.draft.phase == "turn":
        foes = _list_foes(table, actor)
        near = [foe for foe in foes if is_adjacent(table, actor, foe)]
        if table.pool(actor, "actions"):
            for who, one in table.draft.combatants.items():
                if one.conditions and one.has("incapacitated") and not are_enemies(table, actor, who):
                    yield Revive(target=who)
            yield from _list_blows(table, actor, foes, near)
            for item in list_usable_weapons(table, actor, shot=True):
                if not is_loaded(table, item):
                    yield Reload(weapon=item.id)
        if not near:
            yield from _close_in(table, actor, foes)
        yield EndTurn()


def answer_question(table: Table, question: Question) -> Reply:
    """Answer an attack with a riposte, else a guard; other questions as usual.

    Help is never used, since it would cost a friend's action.
    """
    choices = [option.choice for option in question.options]
    for stance in ("riposte", "guard"):
        if stance in choices:
            return Reply(stance)
    usual = choose_default_answer(table, question)
    needed = {field.name for field in question.options[0].fields if not field.optional}
    return Reply(usual.choice, {name: value for name, value in usual.fields.items() if name in needed})


def _list_foes(table: Table, actor: Id) -> list[Id]:
    """Return the active enemies in joining order, or else the fallen ones."""
    people = [who for who in table.draft.combatants if are_enemies(table, actor, who)]
    return [who for who in people if is_active(table, who)] or [who for who in people if can_be_hurt(table, who)]


def _list_blows(table: Table, actor: Id, foes: list[Id], near: list[Id]) -> Iterator[Action]:
    """Yield a blow or a shot at each enemy in reach, the most effective first."""
    found: list[tuple[float, Action]] = []
    for foe in near:
        tests = _is_tester(table, actor, foe)
        strike = (
            Engage(target=foe)
            if tests
            else Attack(target=foe, weapon=list_ready_weapons(table, actor, shot=False)[0].id)
        )
        found.append(
            (expected_harm(table, actor, foe, list_ready_weapons(table, actor, shot=False), shot=False), strike)
        )
    shots = [] if is_engaged(table, actor) else list_ready_weapons(table, actor, shot=True)
    if shots and is_loaded(table, shots[0]):
        for foe in foes:
            if can_see(table, actor, foe):
                weapon = shots[0].id
                tests = _is_tester(table, actor, foe)
                shoot = Fire(target=foe, weapon=weapon) if tests else Attack(target=foe, weapon=weapon)
                found.append((expected_harm(table, actor, foe, shots, shot=True), shoot))
    for _, blow in sorted(found, key=lambda one: one[0], reverse=True):
        yield blow


def _is_tester(table: Table, actor: Id, foe: Id) -> bool:
    """Return whether a combatant tests when it strikes at another."""
    return can_test(table, actor) and not leaves_test_to(table, actor, foe)


def expected_harm(
    table: Table, actor: Id, foe: Id, weapons: list[Item], *, shot: bool, by: str = "", push: bool = False
) -> float:
    """Return the share of an enemy's Power that a blow is expected to take.

    A foe's own blow needs no test.

    Args:
        weapons: The weapons that it is struck or shot with.
        by: The ability that is tested, if it is not the usual one.
        push: Whether a die of help is paid for.
    """
    arms = tuple([build_die(table, one).sides for one in weapons])
    armor = tuple([one.die for one in list_worn(table, foe)])
    power = find_ability(table, foe, "power").die
    if not (is_active(table, foe) and power):
        return 0.0
    own = find_ability(table, actor, by or ("grace" if shot else find_better_ability(table, actor))).die
    dice = (own, *arms, *[HELP] * push) if _is_tester(table, actor, foe) else ()
    return _harm_share(dice, arms, armor_against_shot(armor, table.config) if shot else armor, power, table.config)


@cache
def _harm_share(
    dice: tuple[int, ...], arms: tuple[int, ...], armor: tuple[int, ...], power: int, config: Config
) -> float:
    """Return the average damage behind armor as a share of the target's Power."""
    left = float(find_mean(combine(lambda effect: effect.remaining, blow_effects(arms, armor, power, config)))) / power
    return left * float(success_chance(dice, config)) if dice else left


def _close_in(table: Table, actor: Id, foes: list[Id]) -> Iterator[Action]:
    """Yield a move towards an enemy, unless an archer can see one already."""
    shots = list_usable_weapons(table, actor, shot=True)
    if shots and any(can_see(table, actor, foe) for foe in foes):
        return
    here = table[actor].place
    there = {table[foe].place for foe in foes}
    step = here if here in there else _find_first_step(table, actor, there)
    to = "" if step == here else step
    met = next((foe for foe in foes if table[foe].place == step), "")
    if met or to:
        yield Move(to=to, contact=met)
        yield Move(to=to, contact=met, payment="action")


def _find_first_step(table: Table, actor: Id, there: set[Id]) -> Id:
    """Return the next place on the shortest way to one of these, or the present place."""
    here, places = table[actor].place, table.draft.places
    queue = deque((way, way) for way in list_reachable(table, actor))
    seen = {here}
    while queue:
        place, first = queue.popleft()
        if place in there:
            return first
        if place not in seen and place in places:
            seen.add(place)
            queue.extend((way, first) for way in places[place].exits)
    return here


def fitness(table: Table, who: Id) -> float:
    """Return the total size of a combatant's fighting dice, less its fatigue."""
    dice = [find_ability(table, who, "power"), find_ability(table, who, find_better_ability(table, who))]
    dice += [*list_worn(table, who), *list_ready_weapons(table, who, shot=False)]
    return max(1.0, sum(one.die for one in dice) - float(table.pool(who, "fatigue")))


def appraise(table: Table, actor: Id, action: Action, manner: str) -> float:
    """Score a declaration, so that declarations can be compared."""
    if isinstance(action, Begin):
        return 2.0 if action == Begin() else 0.0
    if isinstance(action, Engage | Fire | Attack):
        return _score_blow(table, actor, action)
    if isinstance(action, Move):
        return _score_move(table, actor, action)
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


def _score_blow(table: Table, actor: Id, action: Engage | Fire | Attack) -> float:
    """Score a blow by its expected effect, less the fatigue of a push; 0 at the fallen."""
    if not is_active(table, action.target):
        return 0.0
    shot = isinstance(action, Fire) or bool(action.weapon and is_ranged(table, table.item(action.weapon)))
    weapons = [table.item(action.weapon)] if action.weapon else list_ready_weapons(table, actor, shot=shot)
    if isinstance(action, Attack):
        return 60 + 40 * expected_harm(table, actor, action.target, weapons, shot=shot)
    worth = expected_harm(table, actor, action.target, weapons, shot=shot, by=action.ability, push=action.push)
    return 60 + 40 * worth - 4 * action.push


def _score_move(table: Table, actor: Id, action: Move) -> float:
    """Score a move: best if it reaches an enemy, nothing if one is in reach already."""
    if action.payment == "action" and table.pool(actor, "moves"):
        return 0.0
    foes = [who for who in table.draft.combatants if are_enemies(table, actor, who) and is_active(table, who)]
    if any(is_adjacent(table, actor, foe) for foe in foes):
        return 0.0
    if action.payment == "action" and list_usable_weapons(table, actor, shot=True):
        return 0.0
    here = action.to or table[actor].place
    if action.contact in foes:
        return 35.0
    return 30.0 if any(table[foe].place == here for foe in foes) else 12.0 if action.to else 0.0
