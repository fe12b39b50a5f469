"""Moving and shifting (VES-031 to VES-035)."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Annotated, Any, Self

from msgspec import Meta

from affray.engine.core.actions import declared_as
from affray.engine.core.coordinates import cell_label
from affray.engine.core.effects import Ask, Go, Rule, choice
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.distances import set_distance, set_view, stated_distance, stated_view
from affray.engine.kit.relative_moves import (
    RelativeMove,
    build_distance_field,
    check_relative,
    find_relative_length,
    list_answered_distances,
    list_distances_after,
    list_group_fields,
    list_relative_candidates,
)
from affray.engine.kit.squares import format_cell, square_coordinates
from affray.engine.kit.terrain import has_trait, must_be_passable, must_connect, no_path_found
from affray.engine.rulesets.vestige.config import Table
from affray.engine.rulesets.vestige.turns.economy import is_yet_to_happen, must_afford, spend
from affray.events import Clause, Field, Id, Moved, Option, PlaceId

from .board import FARTHEST, METRES, can_see, find_occupant, find_way, list_ways, metres, path_cost, plain_cost
from .leaving import provoke

Metres = Annotated[int, Meta(ge=0)]


class Steps(RelativeMove, frozen=True, kw_only=True):
    """The way of a move: cells on a board, metres or another combatant without one.

    Attributes:
        to: The cell to go to, by the cheapest path.
        path: Instead of ``to``: every cell that is entered, in order.
        metres: Without a board: the length of the way in metres.
        difficult: Without a board: how many of these metres are difficult.
    """

    to: PlaceId = ""
    path: tuple[PlaceId, ...] = ()
    metres: Metres = 0
    difficult: Metres = 0

    def check_steps(self, table: Table, actor: Id, allowance: int) -> None:
        """Refuse a way that is too long or blocked, or ends on a combatant (VES-031)."""
        if not table[actor].place:
            self._check_stated_way(table, actor)
            length = self.length(table, actor, allowance)
            if length + self.difficult > allowance:
                rule = "VES-032" if length <= allowance else "VES-031"
                part = f"; go a part of the way: {self.kind} metres={allowance}" if self.beside else ""
                raise _refuse_distance(table, actor, length + self.difficult, allowance, rule, part)
            return
        path = self.steps(table, actor, allowance)
        if not path:
            raise table.refuse(actor, "stands there already", "VES-031", "already_there")
        cost = path_cost(table, actor, path)
        if cost > allowance:
            plain = plain_cost(table, actor, path)
            raise _refuse_distance(table, actor, cost, allowance, "VES-032" if plain <= allowance else "VES-031")
        other = find_occupant(table, path[-1])
        if other and other != actor:
            raise table.refuse(other, f"stands at {cell_label(path[-1])}", "VES-031", "occupied")

    def length(self, table: Table, actor: Id, allowance: int) -> int:
        """Return the length of a way without a board, in metres.

        It is stated, or it follows from the way to or from another combatant.
        """
        if self.metres or not self.is_relative:
            return self.metres
        return find_relative_length(table, actor, self, max(1, allowance - self.difficult), METRES)

    def _check_stated_way(self, table: Table, actor: Id) -> None:
        """Refuse a way without a board that states neither metres nor a combatant."""
        if self.to or self.path:
            raise Unusable("this fight has no board; say metres, beside or away_from, as in: move metres=4", "to")
        if self.is_relative:
            check_relative(table, actor, self, self.metres, METRES, "VES-031")
        elif not self.metres or self.difficult > self.metres:
            message = "say how many metres, at least 1, and how many of them are difficult; or beside whom"
            raise Unusable(f"{message}, or away from whom, as in: move metres=4", "metres")

    def steps(self, table: Table, actor: Id, allowance: int, rule: Clause = "VES-031") -> tuple[Id, ...]:
        """Return the cells that are entered; none if the way ends where it starts.

        Raises:
            Unusable: A cell is not of the form ``x,y``, or no field gives a destination.
            Refused: The way is longer than the allowance, or blocked.
        """
        if self.metres or self.difficult or self.is_relative:
            field = "beside" if self.beside else "away_from" if self.away_from else "metres"
            raise Unusable("this fight has a board; say to which cell, such as 3,1", field)
        try:
            path = tuple([format_cell(square_coordinates(one)) for one in self.path])
            goal = format_cell(square_coordinates(self.to)) if self.to else ""
        except ValueError:
            raise Unusable("a cell is written x,y, such as 3,1", "path" if self.path else "to") from None
        here = table[actor].place
        if path == (here,) or goal == here:
            return ()
        if path:
            must_connect(table, actor, path, far=rule, blocked="VES-031")
            return path
        if not goal:
            raise Unusable("say where to: to a cell, such as 3,1, or along a path of cells", "to")
        must_be_passable(table, goal, "VES-031")
        found = find_way(table, actor, goal, allowance)
        if found is None:
            far = metres(table, here, goal)
            raise (
                _refuse_distance(table, actor, 0, allowance, rule)
                if far > allowance
                else no_path_found(goal, f"{allowance} m", rule)
            )
        return found

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action or token."""
        yield from spend(table, actor, manner, self.kind)

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse a way that is no longer possible, until the first metre is gone."""
        if is_yet_to_happen(table):
            self.check(table, actor, "pending")

    def go(self, table: Table, actor: Id, allowance: int, provokes: bool, *rules: Clause) -> Rule[None]:
        """Let locking enemies strike first; then go, if still possible."""
        if provokes:
            yield from provoke(table, actor)
        yield from arrive(table, actor, self, allowance, *rules)

    @classmethod
    def reach(cls, table: Table, actor: Id, so_far: Self) -> int:
        """Return how many metres the action moves the actor; 0 if it moves nowhere."""
        return 0

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List every path within the allowance, or without a board every number of metres."""
        match field:
            case "path" if table[actor].place and (reach := cls.reach(table, actor, so_far)):
                return (path for _, path in list_ways(table, actor, reach))
            case "beside" | "away_from":
                return list_relative_candidates(table, actor, field, cls.reach(table, actor, so_far), METRES)
            case "metres" if so_far.is_relative:
                return (0,)
            case "metres" if not table[actor].place and (reach := cls.reach(table, actor, so_far)):
                return range(1, reach + 1)
            case _:
                return super().values(table, actor, manner, field, so_far)


def _refuse_distance(
    table: Table, actor: Id, cost: int, allowance: int, rule: Clause = "VES-031", way_out: str = ""
) -> Refused:
    length = f"{cost} m is" if cost else "that is"
    message = f"{length} more than the {allowance} m {table.name_of(actor)} can go{way_out}"
    return Refused("too_far", rule, message, source=f"{actor}.move")


def find_allowance(table: Table, actor: Id) -> int:
    """Return how far a move action takes a combatant, in metres (VES-T23)."""
    return table[actor].stats.get("move", table.config.move_metres)


def arrive(table: Table, actor: Id, way: Steps, allowance: int, *rules: Clause) -> Rule[None]:
    """Move the combatant. Without a board, the game master states the new distances."""
    before = table[actor].place
    if before:
        path = way.steps(table, actor, allowance)
        cost = path_cost(table, actor, path)
        if any(has_trait(table, one, "difficult") for one in path):
            rules = (*rules, "VES-032", "VES-T24")
        yield Moved(who=actor, before=before, after=path[-1], path=path, cost=cost, rules=rules)
        return
    if way.difficult:
        rules = (*rules, "VES-032", "VES-T24")
    gone = way.length(table, actor, allowance)
    if way.is_relative:
        apart = list_distances_after(table, actor, way, gone, METRES)
        yield Moved(who=actor, before="", after="", cost=gone + way.difficult, rules=rules)
        yield from _set_distances(table, actor, apart)
        return
    yield Moved(who=actor, before="", after="", cost=gone + way.difficult, rules=rules)
    yield Go("arrive", rules=rules)
    yield from state_distances(table, actor, gone)


def state_distances(table: Table, actor: Id, gone: int) -> Rule[None]:
    """Let the game master state the new distances, and the sight of hidden combatants.

    By VES-T19 and VES-T20.
    """
    answer = yield from choice(partial(_build_distance_question, table, actor, gone))
    assert answer is not None
    bounds = {one: _bound_distance(table, actor, one, gone) for one in _list_others(table, actor)}
    yield from _set_distances(table, actor, list_answered_distances(table, actor, answer, bounds, METRES))
    for one in _list_others(table, actor):
        sight = answer.about.get(one, {}).get("sight")
        for viewer, target in ((actor, one), (one, actor)):
            if sight is not None and sight != (stated_view(table, viewer, target) or "clear"):
                yield set_view(table, viewer, target, str(sight), "VES-T20")


def _set_distances(table: Table, actor: Id, apart: Mapping[Id, int]) -> Rule[None]:
    """Record a combatant's changed distances to others."""
    for one, far in apart.items():
        if far != stated_distance(table, actor, one):
            yield set_distance(table, actor, one, far, "VES-T19")


def _list_others(table: Table, actor: Id) -> list[Id]:
    return [one for one in table.draft.combatants if one != actor]


def _build_distance_question(table: Table, actor: Id, gone: int) -> Ask:
    others = _list_others(table, actor)
    fields = [_build_distance_field(table, actor, one, gone) for one in others]
    fields += [
        Field(name="sight", about=one, kind="id", among=("clear", "blocked"), optional=True)
        for one in others
        if not (can_see(table, actor, one) and can_see(table, one, actor))
    ]
    fields += list_group_fields(table, actor, fields, METRES)
    says = f"how many metres {table.name_of(actor)} is from each now"
    options = (Option(choice="stated", says=says, fields=tuple(fields)),)
    return Ask(of=("gm",), about="distances", options=options, rules=("VES-T19",))


def _build_distance_field(table: Table, actor: Id, other: Id, metres: int) -> Field:
    return build_distance_field(other, *_bound_distance(table, actor, other, metres))


def _bound_distance(table: Table, actor: Id, other: Id, metres: int) -> tuple[int, int]:
    """Return the least and the greatest distance that a way can lead to."""
    now = stated_distance(table, actor, other)
    return (0, FARTHEST) if now is None else (max(0, now - metres), now + metres)


@declared_as("move", "go up to 5 metres; leaving melee provokes attacks", "to")
class Move(Steps, frozen=True, kw_only=True):
    """Go up to the move allowance."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: the budget, then the way."""
        must_afford(table, actor, manner, self.kind)
        self.check_steps(table, actor, find_allowance(table, actor))

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Provoke locking enemies, then go."""
        yield from self.go(table, actor, find_allowance(table, actor), True, "VES-031", "VES-T23")

    @classmethod
    def reach(cls, table: Table, actor: Id, so_far: Self) -> int:
        """Return how many metres the actor may go."""
        return find_allowance(table, actor)


@declared_as("shift", "step 1 metre without provoking", "to")
class Shift(Steps, frozen=True, kw_only=True):
    """Step exactly 1 metre without provoking."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in rulebook order: budget, another length, difficult ground (VES-034)."""
        must_afford(table, actor, manner, self.kind)
        path: tuple[Id, ...] = ()
        if table[actor].place:
            path = self.steps(table, actor, 2, "VES-034")
        else:
            self._check_stated_way(table, actor)
        cost = path_cost(table, actor, path) if path else self.length(table, actor, 1) + self.difficult
        if cost != 1 or len(path) > 1:
            message = f"a shift takes {table.name_of(actor)} exactly 1 m, not {cost}"
            raise Refused("too_far", "VES-034", message, source=f"{actor}.move")
        self.check_steps(table, actor, 1)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Step away without provoking attacks (VES-035)."""
        yield from arrive(table, actor, self, 1, "VES-034", "VES-035")

    @classmethod
    def reach(cls, table: Table, actor: Id, so_far: Self) -> int:
        """Return 1 metre."""
        return 1
