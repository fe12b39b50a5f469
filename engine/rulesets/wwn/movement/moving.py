"""Moving on a board square by square, without one by stated distances; lying down and standing up."""

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta, field

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.changes import condition_ended, condition_set, pool_moved
from affray.engine.core.coordinates import cell_said
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.ground import has_trait, must_connect, no_way
from affray.engine.kit.relative_moves import (
    RelativeMove,
    after_relative,
    candidates,
    check_relative,
    relative_length,
)
from affray.engine.kit.squares import cell_of, place_of
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.marks import WITHDREW
from affray.engine.rulesets.wwn.sheet import is_mount, mount_of, rider_of, stat, unit
from affray.engine.rulesets.wwn.turns.acting import (
    PAYMENTS,
    MainAction,
    Payment,
    must_afford_move,
    must_be_able_to_act,
    spend_move,
)
from affray.events import Clause, Id, PlaceId

from .board import FEET, SQUARE, apart, occupant, way_to, ways
from .leaving import go, go_by, walk

Feet = Annotated[int, Meta(ge=0, le=9999)]


@declared_as("move", "go up to the movement rate; leaving melee gives free attacks", "to")
class Move(RelativeMove, frozen=True, kw_only=True):
    """Go up to the movement rate; a mount may do so in pieces. Leaving melee gives free attacks.

    Attributes:
        to: The square to go to, by the shortest way.
        path: Instead of ``to``: every square that is entered, in order.
        feet: Without a board: how many feet are gone; or ``beside`` or ``away_from`` say whom the way leads to or from.
    """

    to: PlaceId = ""
    path: tuple[PlaceId, ...] = ()
    feet: Feet = 0
    payment: Payment = field(default="move", name="pay")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: actor, budget, then the way."""
        must_be_able_to_act(table, actor, manner)
        if manner != "pending" and self._is_to_be_paid(table, actor):
            must_afford_move(table, actor, self.payment, "WWN-054" if is_mount(table, actor) else "WWN-T13")
        must_be_on_foot(table, actor)
        self._check_way(table, actor, self._most(table, actor, manner))

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on to whoever is out of the fight, lies down or rides by now."""
        must_be_able_to_act(table, actor, "pending")
        must_be_on_foot(table, actor)

    def _is_to_be_paid(self, table: Table, actor: Id) -> bool:
        """Tell whether the way takes an action: all but a mount's that has feet enough left of its last one."""
        left = table.pool(actor, "feet")
        return self.payment == "main" or not left or self._length(table, actor, left) > left

    def _most(self, table: Table, actor: Id, manner: str) -> int:
        """Return how many feet there are for the way, once it is paid for."""
        if not is_mount(table, actor):
            return stat(table, actor, "pace")
        left = table.pool(actor, "feet")
        pays = manner == "standard" and self._is_to_be_paid(table, actor) and table.pool(actor, self.payment)
        return left + stat(table, actor, "pace") if pays else left

    def _length(self, table: Table, actor: Id, most: int) -> int:
        """Return how long the way is in feet, of the most that it may be; 0 if that is not known."""
        if not table[actor].place:
            if self.feet or not self.is_relative:
                return self.feet
            return relative_length(table, actor, self, most, FEET)
        if self.path:
            return SQUARE * len(self.path)
        try:
            return apart(table[actor].place, self.to)
        except ValueError:
            return 0

    def _check_way(self, table: Table, actor: Id, most: int) -> None:
        """Refuse a way that is too long, blocked, or ends where somebody stands (WWN-T13)."""
        path: tuple[Id, ...] = ()
        if table[actor].place:
            path = self.steps(table, actor, most)
        elif self.to or self.path:
            raise Unusable("this fight has no board; say feet, beside or away_from, as in: move feet=30", "to")
        elif self.is_relative:
            check_relative(table, actor, self, self.feet, FEET, "WWN-T13")
        elif not self.feet:
            raise Unusable("say how many feet, at least 1, beside whom, or away from whom, as in: move feet=30", "feet")
        far = SQUARE * len(path) or self._length(table, actor, most)
        if far > most:
            way_out = f"; go a part of the way: {self.kind} feet={most}" if self.beside and most else ""
            raise too_far(table, actor, far, most, way_out)
        other = occupant(table, path[-1], but=unit(table, actor)) if path else ""
        if other:
            raise Refused("occupied", "WWN-T13", f"{table.called(other)} stands at {cell_said(path[-1])}", source=other)

    def steps(self, table: Table, actor: Id, most: int) -> tuple[Id, ...]:
        """Return the squares that are entered.

        Raises:
            Unusable: a square is not of the form ``x,y``, or nothing says where to go.
            Refused: the way is longer than there are feet for, or blocked.
        """
        if self.feet or self.is_relative:
            field = "feet" if self.feet else "beside" if self.beside else "away_from"
            raise Unusable("this fight has a board; say to which square, such as 3,1", field)
        try:
            path = tuple([place_of(cell_of(one)) for one in self.path])
            goal = place_of(cell_of(self.to)) if self.to else ""
        except ValueError:
            raise Unusable("a square is written x,y, such as 3,1", "path" if self.path else "to") from None
        if path:
            must_connect(table, actor, path, far="WWN-T13", blocked="WWN-T13")
            return path
        if not goal:
            raise Unusable("say where to: to a square, such as 3,1, or along a path of squares", "to")
        if goal == table[actor].place:
            raise Refused("already_there", "WWN-T13", f"{table.called(actor)} stands there already", source=actor)
        if has_trait(table, goal, "blocked"):
            raise Refused("blocked", "WWN-T13", f"{cell_said(goal)} cannot be entered", source=goal)
        found = way_to(table, actor, goal, most)
        if found is None:
            far = apart(table[actor].place, goal)
            raise too_far(table, actor, far, most) if far > most else no_way(goal, f"{most} ft", "WWN-T13")
        return found

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action, unless the feet that a mount has left suffice; a mount notes how many it has now."""
        if not self._is_to_be_paid(table, actor):
            return
        rule = "WWN-055" if is_mount(table, actor) else "WWN-T13"
        yield from spend_move(table, actor, manner, self.payment, rule)
        if is_mount(table, actor):
            yield pool_moved(table, actor, "feet", stat(table, actor, "pace"), rule)

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Go; a mount keeps the feet that are left for later in the turn (WWN-055)."""
        mount, place = is_mount(table, actor), table[actor].place
        rule = "WWN-055" if mount else "WWN-T13"
        most = self._most(table, actor, "pending")
        path = self.steps(table, actor, most) if place else ()
        feet = SQUARE * len(path) or self._length(table, actor, most)
        if mount:
            yield pool_moved(table, actor, "feet", -feet, rule)
        if place:
            yield from walk(table, actor, path, rule)
        elif self.is_relative:
            yield from go_by(
                table, actor, lambda: after_relative(table, actor, self, feet, FEET), feet, rule, "WWN-T16"
            )
        else:
            yield from go(table, actor, lambda: self.feet, rule)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every path within reach on a board, every number of feet without one, and what could pay for it."""
        match field:
            case "path" if table[actor].place and (most := _farthest(table, actor)):
                return ways(table, actor, most)
            case "beside" | "away_from":
                return candidates(table, actor, field, _farthest(table, actor), FEET)
            case "feet" if so_far.is_relative:
                return (0,)
            case "feet" if not table[actor].place and (most := _farthest(table, actor)):
                return range(SQUARE, most + 1, SQUARE)
            case "payment":
                left = table.pool(actor, "feet")  # with which a mount need not pay for every way
                return [one for one in PAYMENTS if table.pool(actor, one) or (one == "move" and left)] or PAYMENTS
            case _:
                return super().values(table, actor, manner, field, so_far)


def must_be_on_foot(table: Table, actor: Id) -> None:
    """Refuse to move somebody who rides or lies down."""
    if mount_of(table, actor):
        raise Refused(
            "riding",
            "WWN-055",
            f"{table.called(actor)} rides, and {table.called(mount_of(table, actor))} moves",
            source=actor,
        )
    if table[actor].has("prone"):
        raise Refused("prone", "WWN-T19", f"{table.called(actor)} must stand up first", source=f"{actor}.prone")


def _farthest(table: Table, actor: Id) -> int:
    """Return how many feet somebody could go, whatever pays for it; none in the saddle or on the ground."""
    if mount_of(table, actor) or table[actor].has("prone"):
        return 0
    left = table.pool(actor, "feet")
    pays = any(table.pool(actor, one) for one in PAYMENTS)
    return left + stat(table, actor, "pace") if pays else left


def too_far(table: Table, actor: Id, feet: int, most: int, way_out: str = "") -> Refused:
    """Return the refusal of a way that is too long, with what would do instead."""
    rule = "WWN-055" if is_mount(table, actor) else "WWN-T13"
    message = f"{feet} ft is more than the {most} ft {table.called(actor)} has{way_out}"
    return Refused("too_far", rule, message, source=f"{actor}.feet")


@declared_as("withdraw", "guard oneself, so that leaving melee this turn gives no free attacks")
class Withdraw(MainAction, frozen=True, kw_only=True):
    """A Fighting Withdrawal: for the Main Action, leaving melee later in this turn gives no free attacks."""

    rule: ClassVar[Clause] = "WWN-T34"

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Note it for this turn."""
        yield WITHDREW.noted(actor, table.draft.round, "WWN-T34")


@declared_as("prone", "drop to the ground", own_trigger="at_once", stacks=False)
class Prone(Action, frozen=True, kw_only=True):
    """Drop to the ground on purpose, On Turn."""

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse it in the saddle and under it, and to somebody who lies there already."""
        must_be_able_to_act(table, actor, "standard")
        if rider_of(table, actor):
            raise Refused(
                "is_ridden", "WWN-T19", f"{table.called(actor)} carries somebody", source=rider_of(table, actor)
            )
        if mount_of(table, actor):
            raise Refused("riding", "WWN-T19", f"{table.called(actor)} rides", source=mount_of(table, actor))
        if table[actor].has("prone"):
            raise Refused(
                "already_prone", "WWN-T19", f"{table.called(actor)} lies on the ground", source=f"{actor}.prone"
            )

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Lie down."""
        yield condition_set(table, actor, "prone", 1, "WWN-T19")


@declared_as("stand", "stand up")
class Stand(Action, frozen=True, kw_only=True):
    """Stand up, for a Move Action."""

    payment: Payment = field(default="move", name="pay")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse for want of the action, and to somebody who stands."""
        must_be_able_to_act(table, actor, manner)
        if manner != "pending":
            must_afford_move(table, actor, self.payment, "WWN-T19")
        if not table[actor].has("prone"):
            raise Refused("not_prone", "WWN-T19", f"{table.called(actor)} stands", source=actor)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Take the action."""
        yield from spend_move(table, actor, manner, self.payment, "WWN-T19")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Stand up (WWN-T19)."""
        yield from condition_ended(table, actor, "prone", "WWN-T19")
