"""Mounting and dismounting; saddles and groups after rulings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from msgspec import field

from affray.engine.core.actions import Action, declared_as
from affray.engine.core.coordinates import cell_label
from affray.engine.core.effects import Rule
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.distances import stated_distance
from affray.engine.kit.relations import find_relation, leave_relation, remove_members, set_relation
from affray.engine.kit.riding import list_unit, mount_of, rider_of, state_distance
from affray.engine.kit.sheets import is_pc
from affray.engine.kit.squares import format_cell, is_next_to, square_coordinates
from affray.engine.kit.terrain import must_be_passable
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.harm import FATES, throw_rider, unseat
from affray.engine.rulesets.wwn.movement.board import distance, find_occupant, find_path, is_adjacent, list_free_beside
from affray.engine.rulesets.wwn.movement.leaving import leave_behind, walk
from affray.engine.rulesets.wwn.sheet import can_ride, is_active, is_mount
from affray.engine.rulesets.wwn.turns.acting import (
    PAYMENTS,
    Payment,
    must_afford_move,
    must_be_able_to_act,
    note_mounted,
    spend_move,
)
from affray.engine.rulesets.wwn.turns.rounds import give_mount_actions
from affray.events import Clause, CombatantId, Id, Member, PlaceId


class MountAction(Action, frozen=True, kw_only=True):
    """An action that needs a mount."""

    @classmethod
    def is_for(cls, table: Table, actor: Id) -> bool:
        """Offer it where the actor's side has a mount."""
        return can_ride(table, actor)


@declared_as("mount", "get on a mount", "mount", throughout=True)
class Mount(MountAction, frozen=True, kw_only=True):
    """Get on an adjacent mount, for a Move Action."""

    mount: CombatantId
    payment: Payment = field(default="move", name="pay")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: budget, then an unfit mount (WWN-056).

        A fit mount is near, willing and free.
        """
        must_be_able_to_act(table, actor, manner)
        if manner != "pending":
            must_afford_move(table, actor, self.payment, "WWN-056")
        fault = _find_fault(table, actor, self.mount)
        if fault:
            raise Refused("cannot_mount", "WWN-056", fault, source=self.mount)

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Spend the action."""
        yield from spend_move(table, actor, manner, self.payment, "WWN-056")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Step to the mount, which may leave a melee, and get on."""
        if not table[actor].place:
            yield from _step_up_to(table, actor, self.mount, "WWN-056")
        elif table[actor].place != table[self.mount].place:
            way = find_path(table, actor, table[self.mount].place, table.config.adjacent_ft)
            if way is None:
                raise Refused(
                    "cannot_mount", "WWN-056", f"there is no way to {table.name_of(self.mount)}", source=self.mount
                )
            yield from walk(table, actor, way, "WWN-056")
        members = (Member(who=actor, role="rider"), Member(who=self.mount, role="mount"))
        yield set_relation(f"riding-{actor}", "riding", *members, rules=("WWN-056", "WWN-053"))
        yield from give_mount_actions(table, self.mount, actor)
        yield from note_mounted(table, self.mount)

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return every mount, and both payments."""
        if field == "mount":
            return [who for who in table.draft.combatants if is_mount(table, who)]
        return PAYMENTS


def _step_up_to(table: Table, mover: Id, to: Id, *rules: Clause) -> Rule[None]:
    """Step to an adjacent combatant without a board; enemies left behind strike first."""

    def after(other: Id) -> int:
        known = stated_distance(table, to, other)
        return distance(table, mover, other) if known is None else known

    yield from leave_behind(table, mover, after)
    for other in table.draft.combatants:
        if other not in (*list_unit(table, mover), *list_unit(table, to)):
            yield from state_distance(table, mover, other, after(other), *rules)


def _find_fault(table: Table, actor: Id, mount: Id) -> str:
    """Return why a combatant cannot get on a mount; empty if it can."""
    if mount not in table.draft.combatants or not is_mount(table, mount) or mount == actor:
        return f"{table.name_of(mount)} is nothing to ride"
    if is_mount(table, actor) or mount_of(table, actor):
        return f"{table.name_of(actor)} cannot ride now"
    if not is_active(table, mount) or table[mount].side != table[actor].side or table[mount].has("prone"):
        return f"{table.name_of(mount)} is not willing"
    if rider_of(table, mount):
        return f"{table.name_of(rider_of(table, mount))} rides {table.name_of(mount)}"
    if table[actor].has("prone"):
        return f"{table.name_of(actor)} must stand up first"
    return "" if is_adjacent(table, actor, mount) else f"{table.name_of(mount)} is not beside {table.name_of(actor)}"


@declared_as("dismount", "get off the mount", "to")
class Dismount(MountAction, frozen=True, kw_only=True):
    """Dismount, to a place beside the mount, for a Move Action.

    Attributes:
        to: With a board: a free square beside the mount; by default the first one.
    """

    to: PlaceId = ""
    payment: Payment = field(default="move", name="pay")

    def check(self, table: Table, actor: Id, manner: str) -> None:
        """Refuse in the page's order: budget, an actor on foot, no room (WWN-057)."""
        must_be_able_to_act(table, actor, manner)
        if manner != "pending":
            must_afford_move(table, actor, self.payment, "WWN-057")
        mount = mount_of(table, actor)
        if not mount:
            raise table.refuse(actor, "rides nothing", "WWN-057", "not_riding")
        place = table[mount].place
        if self.to and not place:
            raise Unusable("this fight has no board; leave the square out", "to")
        if self.to:
            self._must_have_room(table, place)
        elif place and next(list_free_beside(table, place), None) is None:
            raise Refused("occupied", "WWN-057", f"there is no room beside {table.name_of(mount)}", source=place)

    def _must_have_room(self, table: Table, place: Id) -> None:
        try:
            goal = format_cell(square_coordinates(self.to))
        except ValueError:
            raise Unusable("a square is written x,y, such as 3,1", "to") from None
        if not is_next_to(goal, place):
            raise Refused("too_far", "WWN-057", f"{cell_label(goal)} is not beside {cell_label(place)}", source=place)
        must_be_passable(table, goal, "WWN-057")
        other = find_occupant(table, goal)
        if other:
            raise table.refuse(other, f"stands at {cell_label(goal)}", "WWN-057", "occupied")

    def pay(self, table: Table, actor: Id, manner: str) -> Rule[None]:
        """Spend the action."""
        yield from spend_move(table, actor, manner, self.payment, "WWN-057")

    def check_ground(self, table: Table, actor: Id) -> None:
        """Refuse to go on for an actor who is out of the fight."""
        must_be_able_to_act(table, actor, "pending")

    def resolve(self, table: Table, actor: Id) -> Rule[None]:
        """Dismount; on a board it is a step, which may leave a melee."""
        relation, place = find_relation(table, "riding", actor), table[actor].place
        if place and relation is not None:
            yield remove_members(relation, rules=("WWN-057",))
            yield from walk(table, actor, (self.to or next(list_free_beside(table, place), place),), "WWN-057")
        else:
            yield from unseat(table, actor, "WWN-057")

    @classmethod
    def values(cls, table: Table, actor: Id, manner: str, field: str, so_far: Self) -> Iterable[Any]:
        """Return each free square beside the mount, and both payments."""
        if field == "payment":
            return PAYMENTS
        mount = mount_of(table, actor)
        return ("", *list_free_beside(table, table[mount].place)) if mount and table[mount].place else ("",)


def tidy(table: Table) -> Rule[None]:
    """Make saddles and groups agree with present sheets: a PC rolls alone."""
    yield from _tidy_saddles(table)
    for one in [one for one in table.draft.relations.values() if one.kind == "group"]:
        heroes = tuple(member.who for member in one.members if is_pc(table, member.who))
        if heroes:
            yield leave_relation(table, one, *heroes, rules=("WWN-001", "WWN-003"))


def _tidy_saddles(table: Table) -> Rule[None]:
    """End saddles without rider or mount; a felled mount throws its rider."""
    for one in [one for one in table.draft.relations.values() if one.kind == "riding"]:
        if len(one.members) < 2:
            yield remove_members(one, rules=("WWN-053",))
            continue
        rider, mount = one.members[0].who, one.members[1].who
        if is_active(table, mount) and is_mount(table, mount) and not is_mount(table, rider):
            continue
        if table[mount].conditions.keys().isdisjoint(FATES):
            yield from unseat(table, rider, "WWN-053")
        else:
            yield from throw_rider(table, mount)
