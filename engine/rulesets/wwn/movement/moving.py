"""Moves by squares or by stated distances; dropping prone and standing up."""

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta, field

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import change_pool, end_condition, set_condition
from affray.engine.core.coordinates import cell_label
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.relative_moves import (
    RelativeMove,
    check_relative,
    find_relative_length,
    list_distances_after,
    list_relative_candidates,
)
from affray.engine.kit.riding import list_unit, mount_of, rider_of
from affray.engine.kit.sheets import stat
from affray.engine.kit.squares import format_cell, square_coordinates
from affray.engine.kit.terrain import must_be_passable, must_connect, no_path_found
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.marks import WITHDREW
from affray.engine.rulesets.wwn.sheet import is_mount
from affray.engine.rulesets.wwn.turns.acting import (
    PAYMENTS,
    MainAction,
    Payment,
    must_afford_move,
    must_be_able_to_act,
    spend_move,
)
from affray.events import Clause, Id, PlaceId

from .board import FEET, SQUARE, find_occupant, find_path, list_paths, measure_feet
from .leaving import move_feet, move_off_board, walk

Feet = Annotated[int, Meta(ge=0, le=9999)]


@declared_as("move", "go up to the movement rate; leaving melee gives free attacks", "to")
class Move(RelativeMove, frozen=True, kw_only=True):
    """Move up to the movement rate; a mount may do so in parts.

    Leaving melee draws free attacks.

    Attributes:
        to: The destination square, by the shortest path.
        path: Instead of ``to``: every square entered, in order.
        feet: Without a board: the feet to move; ``beside`` or ``away_from`` name a combatant instead.
    """

    to: PlaceId = ""
    path: tuple[PlaceId, ...] = ()
    feet: Feet = 0
    payment: Payment = field(default="move", name="pay")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, then the path."""
        must_be_able_to_act(table, actor, manner)
        if manner != "pending" and self._is_to_be_paid(table, actor):
            must_afford_move(table, actor, self.payment, "WWN-054" if is_mount(table, actor) else "WWN-T13")
        must_be_on_foot(table, actor)
        self._check_way(table, actor, self._find_most(table, actor, manner))

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on for a mover who is out of the fight, prone or mounted."""
        must_be_able_to_act(table, actor, "pending")
        must_be_on_foot(table, actor)

    def _is_to_be_paid(self, table: Table, actor: Id) -> bool:
        """Tell whether the move costs an action: not if a mount has enough feet left."""
        left = table.pool(actor, "feet")
        return self.payment == "main" or not left or self._find_length(table, actor, left) > left

    def _find_most(self, table: Table, actor: Id, manner: str) -> int:
        """Return the feet available for the move, once paid."""
        if not is_mount(table, actor):
            return stat(table, actor, "pace")
        left = table.pool(actor, "feet")
        pays = manner == "standard" and self._is_to_be_paid(table, actor) and table.pool(actor, self.payment)
        return left + stat(table, actor, "pace") if pays else left

    def _find_length(self, table: Table, actor: Id, most: int) -> int:
        """Return the length of the move in feet; 0 if it is unknown."""
        if not table[actor].place:
            if self.feet or not self.is_relative:
                return self.feet
            return find_relative_length(table, actor, self, most, FEET)
        if self.path:
            return SQUARE * len(self.path)
        try:
            return measure_feet(table[actor].place, self.to)
        except ValueError:
            return 0

    def _check_way(self, table: Table, actor: Id, most: int) -> None:
        """Refuse a path that is too long, blocked, or ends in an occupied square (WWN-T13)."""
        path: tuple[Id, ...] = ()
        if table[actor].place:
            path = self.find_steps(table, actor, most)
        elif self.to or self.path:
            raise Unusable("this fight has no board; say feet, beside or away_from, as in: move feet=30", "to")
        elif self.is_relative:
            check_relative(table, actor, self, self.feet, FEET, "WWN-T13")
        elif not self.feet:
            raise Unusable("say how many feet, at least 1, beside whom, or away from whom, as in: move feet=30", "feet")
        far = SQUARE * len(path) or self._find_length(table, actor, most)
        if far > most:
            way_out = f"; go a part of the way: {self.kind} feet={most}" if self.beside and most else ""
            raise refusal_too_far(table, actor, far, most, way_out)
        other = find_occupant(table, path[-1], but=list_unit(table, actor)) if path else ""
        if other:
            raise table.refuse(other, f"stands at {cell_label(path[-1])}", "WWN-T13", "occupied")

    def find_steps(self, table: Table, actor: Id, most: int) -> tuple[Id, ...]:
        """Return the squares that the move enters.

        Raises:
            Unusable: a square is not of the form ``x,y``, or no destination is given.
            Refused: the path is too long or blocked.
        """
        if self.feet or self.is_relative:
            field = "feet" if self.feet else "beside" if self.beside else "away_from"
            raise Unusable("this fight has a board; say to which square, such as 3,1", field)
        try:
            path = tuple([format_cell(square_coordinates(one)) for one in self.path])
            goal = format_cell(square_coordinates(self.to)) if self.to else ""
        except ValueError:
            raise Unusable("a square is written x,y, such as 3,1", "path" if self.path else "to") from None
        if path:
            must_connect(table, actor, path, far="WWN-T13", blocked="WWN-T13")
            return path
        if not goal:
            raise Unusable("say where to: to a square, such as 3,1, or along a path of squares", "to")
        if goal == table[actor].place:
            raise table.refuse(actor, "stands there already", "WWN-T13", "already_there")
        must_be_passable(table, goal, "WWN-T13")
        found = find_path(table, actor, goal, most)
        if found is None:
            far = measure_feet(table[actor].place, goal)
            raise (
                refusal_too_far(table, actor, far, most) if far > most else no_path_found(goal, f"{most} ft", "WWN-T13")
            )
        return found

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Spend the action, unless the feet that a mount has left suffice.

        The mount's feet grow by its pace.
        """
        if not self._is_to_be_paid(table, actor):
            return
        rule = "WWN-055" if is_mount(table, actor) else "WWN-T13"
        yield from spend_move(table, actor, manner, self.payment, rule)
        if is_mount(table, actor):
            yield change_pool(table, actor, "feet", stat(table, actor, "pace"), rule)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Move; a mount keeps the rest of its feet for later in the turn (WWN-055)."""
        mount, place = is_mount(table, actor), table[actor].place
        rule = "WWN-055" if mount else "WWN-T13"
        most = self._find_most(table, actor, "pending")
        path = self.find_steps(table, actor, most) if place else ()
        feet = SQUARE * len(path) or self._find_length(table, actor, most)
        if mount:
            yield change_pool(table, actor, "feet", -feet, rule)
        if place:
            yield from walk(table, actor, path, rule)
        elif self.is_relative:
            yield from move_feet(
                table, actor, lambda: list_distances_after(table, actor, self, feet, FEET), feet, rule, "WWN-T16"
            )
        else:
            yield from move_off_board(table, actor, lambda: self.feet, rule)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every path within reach, or every number of feet, and the payments."""
        match field:
            case "path" if table[actor].place and (most := _find_farthest(table, actor)):
                return list_paths(table, actor, most)
            case "beside" | "away_from":
                return list_relative_candidates(table, actor, field, _find_farthest(table, actor), FEET)
            case "feet" if so_far.is_relative:
                return (0,)
            case "feet" if not table[actor].place and (most := _find_farthest(table, actor)):
                return range(SQUARE, most + 1, SQUARE)
            case "payment":
                left = table.pool(actor, "feet")  # with which a mount need not pay for every way
                return [one for one in PAYMENTS if table.pool(actor, one) or (one == "move" and left)] or PAYMENTS
            case _:
                return super().values(table, actor, manner, field, so_far)


def must_be_on_foot(table: Table, actor: Id) -> None:
    """Refuse to move a rider or a prone combatant."""
    if mount_of(table, actor):
        raise table.refuse(actor, f"rides, and {table.name_of(mount_of(table, actor))} moves", "WWN-055", "riding")
    if table[actor].has("prone"):
        raise Refused("prone", "WWN-T19", f"{table.name_of(actor)} must stand up first", source=f"{actor}.prone")


def _find_farthest(table: Table, actor: Id) -> int:
    """Return the most feet that a combatant could move; 0 for riders and the prone."""
    if mount_of(table, actor) or table[actor].has("prone"):
        return 0
    left = table.pool(actor, "feet")
    pays = any(table.pool(actor, one) for one in PAYMENTS)
    return left + stat(table, actor, "pace") if pays else left


def refusal_too_far(table: Table, actor: Id, feet: int, most: int, way_out: str = "") -> Refused:
    """Return the refusal of a path that is too long, with an alternative."""
    rule = "WWN-055" if is_mount(table, actor) else "WWN-T13"
    message = f"{feet} ft is more than the {most} ft {table.name_of(actor)} has{way_out}"
    return Refused("too_far", rule, message, source=f"{actor}.feet")


@declared_as("withdraw", "withdraw fighting, so that leaving melee this turn gives no free attacks")
class Withdraw(MainAction, frozen=True, kw_only=True):
    """Make a Fighting Withdrawal, for the Main Action.

    Leaving melee later in this turn draws no free attacks.
    """

    rule: ClassVar[Clause] = "WWN-T34"

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Note the withdrawal for this turn."""
        yield WITHDREW.set_on(actor, table.draft.round, "WWN-T34")


@declared_as("prone", "drop to the ground", own_trigger="at_once", stacks=False)
class Prone(Action, frozen=True, kw_only=True):
    """Drop prone on purpose, On Turn."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it to riders, ridden mounts, and the prone."""
        must_be_able_to_act(table, actor, "standard")
        if rider_of(table, actor):
            raise table.refuse(actor, "carries a rider", "WWN-T19", "is_ridden", rider_of(table, actor))
        if mount_of(table, actor):
            raise Refused("riding", "WWN-T19", f"{table.name_of(actor)} rides", source=mount_of(table, actor))
        if table[actor].has("prone"):
            raise table.refuse(actor, "lies on the ground", "WWN-T19", "already_prone", f"{actor}.prone")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Drop prone."""
        yield set_condition(table, actor, "prone", 1, "WWN-T19")


@declared_as("stand", "stand up")
class Stand(Action, frozen=True, kw_only=True):
    """Stand up, for a Move Action."""

    payment: Payment = field(default="move", name="pay")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it without the action, and to a combatant who stands."""
        must_be_able_to_act(table, actor, manner)
        if manner != "pending":
            must_afford_move(table, actor, self.payment, "WWN-T19")
        if not table[actor].has("prone"):
            raise table.refuse(actor, "stands", "WWN-T19", "not_prone")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Spend the action."""
        yield from spend_move(table, actor, manner, self.payment, "WWN-T19")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Stand up (WWN-T19)."""
        yield from end_condition(table, actor, "prone", "WWN-T19")
