"""Moving, sprinting and standing up."""

from collections.abc import Iterable
from typing import Any, Self

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import change_pool, end_condition
from affray.engine.core.coordinates import cell_label
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.hexes import format_hex, hex_distance, parse_hex
from affray.engine.kit.terrain import no_path_found
from affray.engine.rulesets.hexblade.config import Table
from affray.engine.rulesets.hexblade.movement.positions import must_be_free_to_move, update_around
from affray.engine.rulesets.hexblade.sheet import must_be_active, refusal
from affray.engine.rulesets.hexblade.tables import conditions
from affray.engine.rulesets.hexblade.turns.order import is_waived, must_afford, note_acted, spend, use_waivers
from affray.events import Clause, Id, Moved, PlaceId

from . import board

SPRINT = 15
"""The feet that a sprint adds (HEX-069)."""

STANDING = conditions()["prone"].feet
"""The feet that standing up costs (HEX-G01)."""


@declared_as("move", "go from hex to hex, as far as there are feet left", "to", own_trigger="move", stacks=False)
class Move(Action, frozen=True, kw_only=True):
    """Go from hex to hex, as often as feet are left (HEX-066 to HEX-068, HEX-070).

    Attributes:
        to: The hex to go to, by the cheapest path.
        path: Instead of ``to``: every hex that is entered, in order.
    """

    to: PlaceId = ""
    path: tuple[PlaceId, ...] = ()

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse the whole way if the actor cannot move, a step is illegal, or feet lack."""
        self.find_way(table, actor)

    def find_way(self, table: Table, actor: Id) -> tuple[Id, ...]:
        """Return the hexes that are entered; see ``check``.

        Raises:
            Unusable: No destination is given, or it is not a hex.
            Refused: HEX-G02, HEX-067, HEX-070 or HEX-071.
        """
        must_be_active(table, actor)
        must_be_free_to_move(table, actor)
        if not parse_hex(table[actor].place):
            raise table.refuse(actor, "is not on the map", "HEX-071")
        if self.path and self.to:
            raise Unusable(f"say either to or path, as in: {self.kind} to={self.path[-1]}", "path")
        goals = [_parse_hex(one, "path") for one in self.path] or [_parse_hex(self.to, "to")]
        if not self.path:
            return _find_cheapest_way(table, actor, goals[0])
        path = tuple(goals)
        _must_be_walkable(table, actor, path)
        price = board.path_cost(table, path)
        if price > table.pool(actor, "movement"):
            raise _refuse_cost(table, actor, path[0], price)
        return path

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Spend the feet and go; then update the positions around (HEX-068, HEX-T38)."""
        path = self.find_way(table, actor)
        before, price = table[actor].place, board.path_cost(table, path)
        difficult: tuple[Clause, ...] = ("HEX-070",) if any(board.weigh_hex(table, hex) > 1 for hex in path) else ()
        resumed: tuple[Clause, ...] = ("HEX-068",) if table.pool(actor, "actions") < 1 else ()
        barred: tuple[Clause, ...] = ("HEX-067",) if any(_is_barred(table, actor, hex) for hex in path) else ()
        lying: tuple[Clause, ...] = ("HEX-T38",) if table[actor].has("prone") else ()
        yield change_pool(table, actor, "movement", -price, "HEX-066", "HEX-067", "HEX-T23", *difficult)
        rules = ("HEX-067", *difficult, *resumed, *lying)
        yield Moved(who=actor, before=before, after=path[-1], path=path, cost=price, rules=rules)
        yield from use_waivers(table, actor, *barred)
        yield from note_acted(table, actor)
        yield from update_around(table, before, path[-1])

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """List the way to every hex in reach, unless a destination is given."""
        if field == "path" and not so_far.to:
            left = table.pool(actor, "movement")
            return (path for _, path in board.list_ways(table, actor, left)) if parse_hex(table[actor].place) else ()
        return super().values(table, actor, manner, field, so_far)


def _parse_hex(place: Id, field: str) -> Id:
    """Return a place in its canonical form.

    Raises:
        Unusable: The place is not a hex.
    """
    found = parse_hex(place)
    if found is None:
        raise Unusable("say hexes as q,r, such as to=3,1 or path=2,1;3,1", field)
    return format_hex(found)


def _must_be_walkable(table: Table, actor: Id, path: tuple[Id, ...]) -> None:
    """Refuse an illegal step: a gap, a wall, an enemy, or an occupied end (HEX-067)."""
    if not board.is_connected(table[actor].place, path):
        raise refusal(
            "HEX-067", f"the path does not go from hex to neighbouring hex from where {table.name_of(actor)} is", actor
        )
    anywhere = is_waived(table, actor, "HEX-067")
    for hex in path:
        if not (board.can_be_entered(table, hex) or (anywhere and board.is_on_board(table, hex))):
            raise refusal("HEX-067", f"{cell_label(hex)} cannot be entered", hex)
        bars = board.find_enemy_in(table, actor, hex)
        if bars and not anywhere:
            raise table.refuse(bars, f"bars the way at {cell_label(hex)}", "HEX-067")
    other = board.find_other_in(table, actor, path[-1])
    if other:
        raise table.refuse(other, f"is at {cell_label(path[-1])}", "HEX-067")


def _is_barred(table: Table, actor: Id, hex: Id) -> bool:
    """Return whether only a waiver lets a hex be entered: it is blocked or barred."""
    return not board.can_be_entered(table, hex) or bool(board.find_enemy_in(table, actor, hex))


def _find_cheapest_way(table: Table, actor: Id, goal: Id) -> tuple[Id, ...]:
    """Return the cheapest path to a hex, or refuse it by the obstacle."""
    purse = table.pool(actor, "movement")
    found = board.find_way(table, actor, goal, purse)
    if found is None and is_waived(table, actor, "HEX-067"):
        found = board.find_way(table, actor, goal, purse, anywhere=True)
    if found is not None:
        _must_be_walkable(table, actor, found)
        return found
    if goal == table[actor].place:
        raise table.refuse(actor, "is there already", "HEX-067")
    if not board.can_be_entered(table, goal):
        raise refusal("HEX-067", f"{cell_label(goal)} cannot be entered", goal)
    other = board.find_other_in(table, actor, goal)
    if other:
        raise table.refuse(other, f"is at {cell_label(goal)}", "HEX-067")
    step, apart = board.cost_in_feet(table, goal), hex_distance(table[actor].place, goal) or 0
    if apart > 1 and step <= table.config.hex_feet and apart * step <= purse:
        raise no_path_found(goal, f"{purse} feet", "HEX-067")
    raise _refuse_cost(table, actor, goal)


def _refuse_cost(table: Table, actor: Id, first: Id, price: int = 0) -> Refused:
    """Return the refusal of a way: too difficult a next hex, or too high a sum."""
    left, source = table.pool(actor, "movement"), f"{actor}.movement"
    step = board.cost_in_feet(table, first)
    if board.weigh_hex(table, first) > 1 and step > left and hex_distance(table[actor].place, first) == 1:
        return refusal(
            "HEX-070", f"entering {cell_label(first)} costs {step} feet; {table.name_of(actor)} has {left}", source
        )
    cost = f"{price} feet are" if price else "that is"
    return refusal("HEX-067", f"{cost} more than the {left} feet {table.name_of(actor)} has left", source)


@declared_as("sprint", "have 15 feet more this turn", own_trigger="sprint", stacks=False)
class Sprint(Action, frozen=True, kw_only=True):
    """Run 15 feet farther this turn, as the action (HEX-014, HEX-069)."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an actor without an action; a grappled one may sprint in vain."""
        must_afford(table, actor, "standard")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Take the action, and add the feet (HEX-014, HEX-069, HEX-T39)."""
        yield from spend(table, actor, "standard", "HEX-014")
        held: tuple[Clause, ...] = ("HEX-T39",) if table[actor].has("grappled") else ()
        yield change_pool(table, actor, "movement", SPRINT, "HEX-069", *held)


@declared_as("stand", "stand up, for 15 feet of movement", own_trigger="move", stacks=False)
class Stand(Action, frozen=True, kw_only=True):
    """Stand up for 15 feet of movement (HEX-G01)."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse an actor that stands, is grappled, or has too little movement left."""
        must_be_active(table, actor)
        if not table[actor].has("prone"):
            raise refusal("HEX-G01", f"{table.name_of(actor)} is not prone", f"{actor}.prone")
        must_be_free_to_move(table, actor)
        left = table.pool(actor, "movement")
        if left < STANDING:
            raise refusal(
                "HEX-G01", f"standing up costs {STANDING} feet; {table.name_of(actor)} has {left}", f"{actor}.movement"
            )

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Spend the feet and end the condition ``prone``."""
        yield change_pool(table, actor, "movement", -STANDING, "HEX-G01")
        yield from end_condition(table, actor, "prone", "HEX-G01")
        yield from note_acted(table, actor)
