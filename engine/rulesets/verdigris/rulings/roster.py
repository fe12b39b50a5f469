"""Rulings on who takes part, zones and melees, turns and seats, and gear."""

from collections.abc import Collection
from typing import Annotated, ClassVar

from msgspec import Meta

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.changes import set_item_counter
from affray.engine.core.effects import Rule
from affray.engine.core.ids import find_alike
from affray.engine.core.state import Item
from affray.engine.errors import Unusable
from affray.engine.kit.relations import find_relation, leave_relation, set_numbered_relation
from affray.engine.kit.riding import rider_of
from affray.engine.kit.rulings import turns
from affray.engine.kit.rulings.combatants import LeaveRuling, Side
from affray.engine.kit.rulings.positions import Give, PlaceRuling
from affray.engine.kit.rulings.values import BRIEF
from affray.engine.rulesets.verdigris import marks
from affray.engine.rulesets.verdigris.config import Table
from affray.engine.rulesets.verdigris.gear.handling import has_room_on_belt
from affray.engine.rulesets.verdigris.gear.things import find_armor
from affray.engine.rulesets.verdigris.harm.conditions import drop_all, drop_excess, unhorse
from affray.engine.rulesets.verdigris.movement.melees import (
    end_grapples_of,
    leave_melee,
    list_with_mount,
    part_from,
    release_concealed,
)
from affray.engine.rulesets.verdigris.sheet import (
    ENEMIES,
    PARTY,
    is_in_play,
    is_mount,
    list_known_members,
    no_change,
    other_side,
    refusal_by,
)
from affray.engine.rulesets.verdigris.tables import inventory
from affray.engine.rulesets.verdigris.turns.order import (
    all_fighters,
    find_called_up,
    find_due_seat,
    find_due_side,
    find_side_of_turn,
    has_living,
    has_waiting,
    seats,
)
from affray.engine.texts import name_said
from affray.events import (
    Clause,
    CombatantId,
    Id,
    ItemId,
    Member,
    NewPlaceId,
    Noted,
    PlaceSet,
    PositionName,
    RelationId,
    SideName,
    TraitName,
)


class Depart(LeaveRuling, frozen=True, kw_only=True):
    """Take a combatant out of the fight, body and all; a mount leaves with its rider (VER-060)."""

    def depart(self, table: Table, who: Id) -> Rule[None]:
        """Part the combatant from all others, and remove it.

        If its seat empties, the seat before it takes over the note of the last roll.
        """
        yield from end_grapples_of(table, who, "VER-002")
        yield from leave_melee(table, who, "VER-002")
        yield from unhorse(table, who)
        there = table.derive(seats)
        for nth, seat in enumerate(there):
            empties = all(member.who == who for member in seat.members)
            if empties and seat.id == marks.ROLLED.of(table, marks.FIGHT):
                yield marks.ROLLED.set_on(marks.FIGHT, there[nth - 1].id, "VER-011")
            if empties and seat.id == marks.SEAT.of(table, marks.FIGHT):
                yield marks.SEAT.clear_on(marks.FIGHT, "VER-011")
        yield from super().depart(table, who)


class Switch(Side, frozen=True, kw_only=True):
    """Let a combatant fight for the other side, and its mount with it."""

    rules: ClassVar[tuple[Clause, ...]] = ("VER-005", "VER-T18")

    def check(self, table: Table) -> None:
        """Refuse a third side: there are two (VER-T18)."""
        if self.side not in (PARTY, ENEMIES):
            raise Unusable(f"there are the sides {PARTY} and {ENEMIES}", "side", known=(PARTY, ENEMIES))
        super().check(table)


@ruled_as("seat", "let another player make the next initiative roll", "seat")
class Seat(Ruling, frozen=True, kw_only=True):
    """Let another player make the next initiative roll."""

    seat: Annotated[RelationId, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse an unknown seat, and a seat without a living character."""
        there = [one.id for one in table.derive(seats) if has_living(table, one)]
        if self.seat not in there:
            raise Unusable(f"there are the seats {', '.join(there) or 'of nobody'}", "seat", known=there)
        due = find_due_seat(table)
        if due is not None and due.id == self.seat:
            raise no_change(f"{self.seat} makes the next roll already", self.seat)

    def decide(self, table: Table) -> Rule[None]:
        """Note the seat."""
        yield marks.SEAT.set_on(marks.FIGHT, self.seat, "VER-011")


class Turn(turns.TurnRuling, frozen=True, kw_only=True):
    """Give a combatant the next turn: its turn of this round, out of order, or one more (VER-T76)."""

    rule: ClassVar[Clause] = "VER-T76"

    def can_act(self, table: Table) -> bool:
        """Tell whether the combatant has a turn in a round; a mount acts in its rider's."""
        return self.who in table.derive(all_fighters)


@ruled_as("due", "let a side have the next turn, instead of the other", "side")
class Due(Ruling, frozen=True, kw_only=True):
    """Let a side have the next turn, instead of the other; then the sides alternate again (VER-T76)."""

    side: Annotated[SideName, BRIEF]

    def check(self, table: Table) -> None:
        """Refuse the ruling outside a round, and a side that cannot come next.

        A side cannot if it is due already, has had its turns, or is surprised.
        """
        draft = table.draft
        if draft.ended or not draft.round or draft.phases[""] == "initiative":
            raise refusal_by("VER-T76", "a side is due once initiative is rolled, until the fight is over", draft.phase)
        if self.side not in (PARTY, ENEMIES):
            raise Unusable(f"there are the sides {PARTY} and {ENEMIES}", "side", known=(PARTY, ENEMIES))
        if not has_waiting(table, self.side):
            message = f"everybody of the {name_said(self.side)} has had a turn this round; rule turn WHO gives one more"
            raise refusal_by("VER-T76", message, self.side)
        first = find_due_side(table, self.side)
        if first is not None and first[0] != self.side:
            called = find_called_up(table)
            if called:
                raise table.refuse(called, "was given the next turn", "VER-T76")
            raise refusal_by(
                "VER-013",
                f"the {name_said(self.side)} are surprised, and come after the {name_said(first[0])}",
                self.side,
            )
        if self._before(table) == find_side_of_turn(table, self._acting(table)):
            raise no_change(f"the {name_said(self.side)} have the next turn already", self.side)

    def _before(self, table: Table) -> str:
        """Return the side to note so that the ruled side comes next.

        During a turn it is the side of that turn, since the end of the turn changes it.
        """
        return other_side(self.side) if table.draft.acting else self.side

    def _acting(self, table: Table) -> Id:
        """Return the combatant that has the turn, if any."""
        return table.draft.up if table.draft.acting else ""

    def decide(self, table: Table) -> Rule[None]:
        """Note the side due.

        A concealed combatant's turn out of order has a separate note.
        """
        acting = self._acting(table)
        owner = acting if marks.SIDE_DUE.is_on(table, acting) else marks.FIGHT
        yield marks.SIDE_DUE.set_on(owner, self._before(table), "VER-T76")


@ruled_as("zone", "set the exits and the traits of a zone", "zone", "exits")
class Zone(Ruling, frozen=True, kw_only=True):
    """Set the exits and traits of a zone; a new name makes a new zone.

    Attributes:
        exits: Its exits, which also lead back unless ``one_way``; unchanged by default.
        traits: Its traits, such as ``indoors``; unchanged by default.
        one_way: Whether its exits do not lead back.
    """

    zone: Annotated[NewPlaceId, BRIEF]
    exits: tuple[Annotated[NewPlaceId, BRIEF], ...] | None = None
    traits: tuple[Annotated[TraitName, BRIEF], ...] | None = None
    one_way: bool = False

    def check(self, table: Table) -> None:
        """Refuse an exit to an unknown zone, or to itself."""
        for exit in self.exits or ():
            if exit not in table.draft.places or exit == self.zone:
                known = ", ".join(one for one in table.draft.places if one != self.zone) or "none"
                raise Unusable(f"there is no other zone {exit}; there are {known}", "exits")

    def check_new(self, table: Table) -> None:
        """Refuse a new zone that looks the same as another."""
        if alike := find_alike(self.zone, () if self.zone in table.draft.places else table.draft.places):
            raise Unusable(f"looks the same as the zone {alike}, and is another; write zone={alike}", "zone")

    def decide(self, table: Table) -> Rule[None]:
        """Set the zone, and the ways back (VER-T19)."""
        known = table.draft.places.get(self.zone)
        exits = _keep_order(known.exits if known else (), self.exits)
        traits = _keep_order(known.traits if known else (), self.traits)
        yield PlaceSet(place=self.zone, traits=traits, exits=exits, rules=("VER-017", "VER-T19"))
        if self.exits is None or self.one_way:
            return
        for place in list(table.draft.places.values()):
            leads = self.zone in place.exits
            if place.id == self.zone or leads == (place.id in exits):
                continue
            back = tuple(one for one in place.exits if one != self.zone) if leads else (*place.exits, self.zone)
            yield PlaceSet(place=place.id, traits=place.traits, exits=back, rules=("VER-017",))

    def already(self, table: Table) -> str:
        """Name the present exits and traits."""
        known = table.draft.places[self.zone]
        ways, traits = ", ".join(known.exits) or "nowhere", ", ".join(known.traits) or "ordinary"
        return f"{self.zone} is so already: one goes from it to {ways}, and it is {traits}"


def _keep_order(known: tuple[Id, ...], new: tuple[Id, ...] | None) -> tuple[Id, ...]:
    """Return the new values, or the known ones in their order if they are the same."""
    return known if new is None or {*new} == {*known} else new


@ruled_as("melee", "put combatants into one melee, and out of any other", "members")
class Melee(Ruling, frozen=True, kw_only=True):
    """Put combatants into one melee, out of any other: an ambush, a fall together, two melees that merge."""

    members: Annotated[tuple[CombatantId, ...], Meta(min_length=2)]

    def check(self, table: Table) -> None:
        """Refuse the fallen, members of one side, or members in several zones."""
        if len(set(self.members)) != len(self.members):
            raise Unusable("name each once", "members")
        fallen = next((who for who in self.members if not is_in_play(table, who)), "")
        if fallen:
            raise table.refuse(fallen, "is out of play", "VER-T32")
        if len({table[who].place for who in self.members}) > 1:
            raise refusal_by("VER-T20", "a melee is in one zone", "members")
        if len({table[who].side for who in self.members if not is_mount(table, who)}) < 2:
            raise refusal_by("VER-031", "a melee needs a member of each side", "members")
        melee = find_relation(table, "melee", self.members[0])
        if melee is not None and {one.who for one in melee.members} == set(self._together(table)):
            raise no_change("they are in one melee already", melee.id)

    def _together(self, table: Table) -> dict[Id, Member]:
        """Return the members of the melee, riders with their mounts."""
        return {one.who: one for who in self.members for one in list_with_mount(table, who)}

    @staticmethod
    def _takes_all(table: Table, together: Collection[Id], who: Id) -> bool:
        """Tell whether all known members of a combatant's melee are put together."""
        melee = find_relation(table, "melee", who)
        return melee is not None and all(one in together for one in list_known_members(table, melee))

    def decide(self, table: Table) -> Rule[None]:
        """Take them out of their melees, and put them into one, riders with mounts."""
        together = self._together(table)
        growing = [who for who in together if self._takes_all(table, together, who)]
        for who in together:
            melee = find_relation(table, "melee", who)
            if melee is not None:
                yield from release_concealed(table, melee, [who])
                now = table.draft.relations[melee.id]
                if who in growing:  # keeps a charge into it
                    yield leave_relation(table, now, who, rules=("VER-031",))
                else:
                    yield from part_from(table, now, who, rules=("VER-031",))
        yield from set_numbered_relation(table, "melee", *together.values(), rules=("VER-031", "VER-T20"))


class Put(PlaceRuling, frozen=True, kw_only=True):
    """Put a combatant into another zone, rider and mount together, out of the melee it was in."""

    rules: ClassVar[tuple[Clause, ...]] = ("VER-017",)

    def decide(self, table: Table) -> Rule[None]:
        """Take the combatant out of its melee, and move it, with its mount."""
        if table[self.who].place != self.to:
            yield from leave_melee(table, rider_of(table, self.who) or self.who, "VER-031")
        yield from super().decide(table)


@ruled_as("repair", "make worn gear whole again", "item")
class Repair(Ruling, frozen=True, kw_only=True):
    """Make worn gear whole again; note the cost."""

    item: ItemId

    def check(self, table: Table) -> None:
        """Refuse an item that has lost nothing."""
        if not _count_lost(table.item(self.item)):
            raise refusal_by("VER-S09", f"the {table.item(self.item).quoted_name} is whole", self.item)

    def decide(self, table: Table) -> Rule[None]:
        """Restore the item, and note its cost (VER-T35).

        It costs a part of the price while fewer than half of its dice are lost, and more from then on.
        """
        item = table.item(self.item)
        counter, whole = _find_wear(item)
        percent = inventory().repair["little"] if 2 * _count_lost(item) < whole else inventory().repair["much"]
        cost = -(-item.stats.get("cost", 0) * percent // 100)
        yield set_item_counter(table, self.item, counter, whole, "VER-S09")
        yield Noted(kind="repair", parts={"what": self.item, "cost": cost}, rules=("VER-S09", "VER-T35"))


class HandOver(Give, frozen=True, kw_only=True):
    """Put an item into other hands, or elsewhere on the body."""

    def check(self, table: Table) -> None:
        """Refuse a part of a body, and an item that cannot be worn now."""
        super().check(table)
        thing = table.item(self.item)
        if thing.id == f"{thing.owner}.unarmed":
            raise refusal_by(
                "VER-102", f"the {thing.quoted_name} of {table.name_of(thing.owner)} cannot be given away", thing.id
            )
        if self.where == "worn" and (thing.kind != "armor" or find_armor(table, self.to) not in (None, thing)):
            raise refusal_by("VER-102", f"{table.name_of(self.to)} cannot wear the {thing.quoted_name}", thing.id)

    def decide(self, table: Table) -> Rule[None]:
        """Hand the item over; drop what the hands cannot hold."""
        yield from super().decide(table)
        if table[self.to].has("unconscious"):
            yield from drop_all(table, self.to, "VER-S30")
        yield from drop_excess(table, self.to)

    def usual_place(self, table: Table) -> PositionName:
        """Return the belt, or the pack if the belt has no room."""
        return "belt" if has_room_on_belt(table, self.to, table.item(self.item)) else "pack"


def _find_wear(item: Item) -> tuple[str, int]:
    """Return the counter that wears, and its value when the item is whole."""
    counter = "bonus" if item.kind == "weapon" else "rating"
    return counter, item.stats.get(counter, 0)


def _count_lost(item: Item) -> int:
    counter, whole = _find_wear(item)
    return whole - item.counters.get(counter, whole)
