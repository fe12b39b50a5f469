"""Leaving enemies: their free attacks, and without a board the new distances.

Each enemy in melee with the leaver has one free attack for the whole path, before the step that leaves it. The attack
is not made if the leaver lies down before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial

from affray.engine.core.effects import Ask, Go, Interrupted, Rule, choice
from affray.engine.core.state import Item
from affray.engine.errors import Refused
from affray.engine.kit.distances import set_view, stated_view
from affray.engine.kit.relative_moves import (
    DISTANCE,
    build_distance_field,
    list_answered_distances,
    list_group_fields,
    list_others,
)
from affray.engine.kit.riding import list_unit, rider_of, state_distance
from affray.engine.kit.squares import is_next_to, list_squares_left_behind
from affray.engine.rulesets.wwn.attack.declaring import Attack
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.gear.things import find_melee_weapon, list_melee_arms
from affray.engine.rulesets.wwn.marks import WITHDREW
from affray.engine.rulesets.wwn.sheet import is_active, must_be_active
from affray.engine.rulesets.wwn.turns.acting import sort_by_turn
from affray.events import Answered, Clause, Field, Id, Moved, Option

from .board import COVER, FAR, FEET, SQUARE, distance, is_adjacent, is_meleeing, list_near, view


def walk(table: Table, mover: Id, path: tuple[Id, ...], *rules: Clause) -> Rule[None]:
    """Move along a path square by square, until the mover is felled."""
    struck: set[Id] = set()
    at = 0
    while at < len(path):
        if not is_next_to(table[mover].place, path[at]):
            raise table.refuse(mover, "is not where the way goes on", "WWN-T13", "too_far")
        stop, leaving = _find_exit(table, mover, path, at, struck)
        if stop > at:
            yield from _step(table, mover, path[at:stop], *rules)
        at = stop
        if leaving:
            again = partial(_list_leaving_at, table, mover, path, at, frozenset(struck))
            struck |= yield from let_strike(table, mover, again)


def _list_leaving_at(table: Table, mover: Id, path: tuple[Id, ...], at: int, struck: frozenset[Id]) -> tuple[Id, ...]:
    """Return the enemies that a step of a path leaves, as things are now."""
    stop, leaving = _find_exit(table, mover, path[: at + 1], at, struck)
    return leaving if stop == at else ()


def _find_exit(
    table: Table, mover: Id, path: tuple[Id, ...], at: int, struck: Collection[Id]
) -> tuple[int, tuple[Id, ...]]:
    """Return the next step that leaves enemies with a free attack, and these enemies.

    Without one, return the end of the path and no enemies.
    """
    if not _is_dangerous(table, mover):
        return len(path), ()
    close = table.config.adjacent_ft // SQUARE
    here, stood_on = table[mover].place, table.draft.occupants.keys()
    for nth in range(at, len(path)):
        behind = list_squares_left_behind(here, path[nth], close)
        if not stood_on.isdisjoint(behind):
            leaving = _list_left(table, mover, behind, struck)
            if leaving:
                return nth, sort_by_turn(table, leaving)
        here = path[nth]
    return len(path), ()


def _list_left(table: Table, mover: Id, behind: tuple[Id, ...], struck: Collection[Id]) -> list[Id]:
    """Return the enemies in melee with the mover in the squares left behind.

    Those who have struck already are left out.
    """
    occupants = table.draft.occupants
    there = table.list_known([one for square in behind if square in occupants for one in occupants[square]])
    return [one for one in there if one != mover and one not in struck and is_meleeing(table, one, mover)]


def list_left_by(table: Table, mover: Id, path: tuple[Id, ...]) -> tuple[Id, ...]:
    """Return the enemies with a free attack on a path, in the order they are left."""
    left: list[Id] = []
    here, close = table[mover].place, table.config.adjacent_ft // SQUARE
    for there in path if _is_dangerous(table, mover) else ():
        behind = list_squares_left_behind(here, there, close)
        if not table.draft.occupants.keys().isdisjoint(behind):
            left += sort_by_turn(table, _list_left(table, mover, behind, left))
        here = there
    return tuple(left)


def _is_dangerous(table: Table, mover: Id) -> bool:
    """Tell whether leaving melee draws free attacks.

    It does not after a Fighting Withdrawal, or once the mover is down.
    """
    withdrew = WITHDREW.of(table, mover) == table.draft.round
    return table.config.melee_exit_free_attack and not withdrew and is_active(table, mover)


def _step(table: Table, mover: Id, path: tuple[Id, ...], *rules: Clause) -> Rule[None]:
    """Change the place of the mover, and of its rider."""
    cost = SQUARE * len(path)
    for who in _list_carried(table, mover):
        yield Moved(who=who, before=table[who].place, after=path[-1], path=path, cost=cost, rules=rules)


def _list_carried(table: Table, mover: Id) -> tuple[Id, ...]:
    rider = rider_of(table, mover)
    return (mover, rider) if rider else (mover,)


def let_strike(table: Table, mover: Id, leaving: Callable[[], Iterable[Id]]) -> Rule[set[Id]]:
    """Ask every enemy left behind for its free attack (WWN-T34, WWN-T45).

    The attacks come before the next step. ``leaving`` returns the enemies left as things are now, in turn order. Return
    the enemies that were asked.
    """
    answers: dict[Id, Answered | None] = {}
    waits = False
    while enemy := _find_first(leaving, answers):
        if _build_offer(table, enemy, mover) is None:
            answers[enemy] = None
            continue
        if not waits:
            yield Go("leave_melee")
            waits = True
        answer = yield from choice(partial(_build_next_offer, table, enemy, mover, leaving, answers))
        if answer is not None:
            answers[enemy] = answer if answer.choice != "decline" else None
    if not waits:
        return set(answers)
    made = [(one, _build_attack(table, one, mover, answer)) for one in leaving() if (answer := answers.get(one))]
    possible = tuple([(enemy, attack) for enemy, attack in made if _is_possible(table, enemy, attack)])
    yield Interrupted(by=possible, manner="free", rules=("WWN-T34",)) if possible else Go("let_go")
    must_be_active(table, mover, "WWN-T45")
    return set(answers)


def _find_first(leaving: Callable[[], Iterable[Id]], answers: Mapping[Id, Answered | None]) -> Id:
    """Return the first enemy left behind that has not been asked; else empty."""
    return next((one for one in leaving() if one not in answers), "")


def _build_next_offer(
    table: Table, enemy: Id, mover: Id, leaving: Callable[[], Iterable[Id]], answers: Mapping[Id, Answered | None]
) -> Ask | None:
    """Return an enemy's question, while it is the next to be asked."""
    return _build_offer(table, enemy, mover) if _find_first(leaving, answers) == enemy else None


def _build_offer(table: Table, enemy: Id, mover: Id) -> Ask | None:
    """Ask an enemy for its free attack on a leaver or its mount (WWN-G04)."""
    whom = _list_targets(table, enemy, mover)
    here = is_active(table, mover) and is_adjacent(table, enemy, mover) and is_meleeing(table, enemy, mover)
    if not (whom and here):
        return None
    arms = list_melee_arms(table, enemy)
    target = (Field(name="target", kind="id", among=whom, optional=True),) if len(whom) > 1 else ()
    options = []
    for way, says, fit in (
        ("strike", "makes a free attack", [item.id for item in arms]),
        ("spare", "makes one that leaves alive whom it fells", [item.id for item in arms if "LL" in item.traits]),
    ):
        if fit:
            weapon = Field(name="weapon", kind="id", among=tuple(fit), optional=True)
            options.append(Option(choice=way, says=says, fields=(weapon, *target)))
    options.append(Option(choice="decline", says="lets it pass"))
    rules = ("WWN-T34", *(("WWN-G04", "WWN-T53") if target else ()), *_list_weapon_clauses(arms[0]))
    refuses = partial(_must_be_possible, table, enemy, mover)
    return Ask(of=(enemy,), about=f"free_attack:{enemy}", options=tuple(options), rules=rules, refuses=refuses)


def _list_weapon_clauses(weapon: Item) -> tuple[Clause, ...]:
    """Return the clauses for a free attack with a long weapon or bare hands (WWN-T52)."""
    return ("WWN-T52",) if "L" in weapon.traits else ("WWN-T55",) if "unarmed" in weapon.traits else ()


def _must_be_possible(table: Table, enemy: Id, mover: Id, answer: Answered) -> None:
    """Refuse a free attack as any attack is refused."""
    if answer.choice in ("strike", "spare"):
        _build_attack(table, enemy, mover, answer).check(table, enemy, "free")


def _build_attack(table: Table, enemy: Id, mover: Id, answer: Answered) -> Attack:
    """Return an enemy's free attack as it chose it, with usual values for the rest."""
    spare = answer.choice == "spare"
    arms = [item.id for item in list_melee_arms(table, enemy) if not spare or "LL" in item.traits]
    weapon = answer.fields.get("weapon") or (*arms, "")[0]
    target = answer.fields.get("target") or (*_list_targets(table, enemy, mover), mover)[0]
    return Attack(target=str(target), weapon=str(weapon), mode="melee", spare=spare)


def _list_targets(table: Table, enemy: Id, mover: Id) -> tuple[Id, ...]:
    """Return the targets of a free attack among those who leave, the mover first (WWN-T53)."""
    weapon = find_melee_weapon(table, enemy)
    assert weapon is not None  # enemies who cannot strike are not asked
    blows = [Attack(target=one, weapon=weapon.id, mode="melee") for one in _list_carried(table, mover)]
    return tuple(blow.target for blow in blows if _is_possible(table, enemy, blow))


def _is_possible(table: Table, enemy: Id, attack: Attack) -> bool:
    try:
        attack.check(table, enemy, "free")
    except Refused:
        return False
    return True


def move_off_board(table: Table, mover: Id, feet: Callable[[], int], *rules: Clause) -> Rule[None]:
    """Move without a board: enemies left behind strike first.

    Then the game master states the distances. ``feet`` returns the feet as things are now. For no feet there is no
    question.
    """
    answer = yield from choice(partial(build_distance_question, table, mover, feet, *rules))
    if answer is None:
        return
    after = partial(_read_distances, table, mover, feet(), answer)
    yield from move_feet(table, mover, after, feet(), *rules)
    yield from _state_views(table, mover, answer)


def move_feet(table: Table, mover: Id, after: Callable[[], Mapping[Id, int]], feet: int, *rules: Clause) -> Rule[None]:
    """Move a number of feet without a board: enemies left behind strike first.

    Then all distances are as ``after`` returns them.
    """
    yield from leave_behind(table, mover, lambda other: after().get(other, distance(table, mover, other)))
    apart = after()
    yield Moved(who=mover, before="", after="", cost=feet, rules=rules)
    for other, far in apart.items():
        yield from state_distance(table, mover, other, far, *rules)


def leave_behind(table: Table, mover: Id, after: Callable[[Id], int]) -> Rule[None]:
    """Let enemies in melee strike if they will be farther off than adjacent."""

    def leaving() -> tuple[Id, ...]:
        close = table.config.adjacent_ft
        beside = table.list_known(list_near(table, mover, close)) if _is_dangerous(table, mover) else ()
        left = [one for one in beside if one != mover and after(one) > close and is_meleeing(table, one, mover)]
        return sort_by_turn(table, left)

    yield from let_strike(table, mover, leaving)


def _read_distances(table: Table, mover: Id, feet: int, answer: Answered) -> dict[Id, int]:
    """Return the distances after a move, by the game master's answer.

    The answer names combatants, their mounts, or all others.
    """
    bounds = {other: _find_bounds(table, mover, other, feet) for other in list_others(table, mover, FEET)}
    return list_answered_distances(table, mover, answer, bounds, FEET)


def _find_bounds(table: Table, mover: Id, other: Id, feet: int) -> tuple[int, int]:
    """Return the least and the greatest distance to a combatant after a move."""
    now = distance(table, mover, other)
    return (0, FAR) if now == FAR else (max(0, now - feet), min(FAR, now + feet))


def build_distance_question(table: Table, mover: Id, feet: Callable[[], int], *rules: Clause) -> Ask | None:
    """Ask the game master for the distances after a move.

    Ask also for the view of those who are not clearly seen.
    """
    far = feet()
    if not far:
        return None
    fields: list[Field] = []
    for other in table.draft.combatants:
        if other in list_unit(table, mover) or rider_of(table, other):
            continue
        fields.append(build_distance_field(other, *_find_bounds(table, mover, other, far)))
        for key in ("view", "seen"):
            if _list_covered(table, mover, other, key):
                fields.append(Field(name=key, about=other, kind="id", among=COVER, optional=True))
    fields += list_group_fields(table, mover, fields, FEET)
    says = f"how many feet {table.name_of(mover)} will be from each"
    options = (Option(choice="stated", says=says, fields=tuple(fields)),)
    return Ask(of=("gm",), about="distances", options=options, rules=rules)


def _list_covered(table: Table, mover: Id, other: Id, key: str) -> list[tuple[Id, Id]]:
    """Return the viewers and targets without clear sight.

    For ``view`` the movers are the viewers, for ``seen`` the targets.
    """
    pairs_ = [(one, two) for one in list_unit(table, mover) for two in list_unit(table, other)]
    seeing = pairs_ if key == "view" else [(two, one) for one, two in pairs_]
    return [(viewer, target) for viewer, target in seeing if view(table, viewer, target) != "clear"]


def _state_views(table: Table, mover: Id, answer: Answered) -> Rule[None]:
    """Apply the game master's views."""
    for other, values in answer.about.items():
        for key, value in values.items():
            said = key != DISTANCE and value is not None
            for viewer, target in _list_covered(table, mover, other, key) if said else ():
                if value != (stated_view(table, viewer, target) or "clear"):
                    yield set_view(table, viewer, target, str(value), "WWN-019")
