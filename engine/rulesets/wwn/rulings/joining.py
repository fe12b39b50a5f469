"""The ruling that brings combatants into a fight: gear, distances and turns."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec.structs import replace

from affray.engine.core.actions import ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.ids import id_of
from affray.engine.core.open_parts import sealed_relation_id
from affray.engine.core.state import Relation
from affray.engine.errors import Unusable
from affray.engine.kit.distances import list_newcomer_distances
from affray.engine.kit.encounters import MeleeEntry
from affray.engine.kit.relations import (
    add_members,
    find_free_id,
    find_relation,
    leave_relation,
    remove_members,
    set_relation,
)
from affray.engine.kit.riding import list_unit, mount_of, rider_of, state_distance
from affray.engine.kit.rulings import combatants
from affray.engine.kit.rulings.joining import Joining, Newcomers, map_ids
from affray.engine.kit.rulings.values import Change
from affray.engine.kit.sheets import is_pc
from affray.engine.kit.turn_order import (
    LEFT_AT,
    find_departed_initiative,
    find_last_score,
    has_had_turn,
    has_passed,
    is_only_known,
    is_ordered,
)
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.encounter.file import Pair, Sight, Spec
from affray.engine.rulesets.wwn.encounter.setup import (
    Stated,
    There,
    enter,
    find_group_name,
    find_quick_bonus,
    find_riders,
    list_entries,
    set_pairs,
)
from affray.engine.rulesets.wwn.encounter.stock import collect_stock, note_stock
from affray.engine.rulesets.wwn.marks import QUICK, WAITS
from affray.engine.rulesets.wwn.movement.board import SQUARE
from affray.engine.rulesets.wwn.sheet import is_mount
from affray.engine.rulesets.wwn.tables import Armor, Count, Focus, Tables, Weapon
from affray.engine.rulesets.wwn.turns.acting import note_mounted
from affray.engine.rulesets.wwn.turns.order import find_place
from affray.events import Clause, DistanceSet, Event, Id, Joined, MarkSet, Member, NewCombatantId, OrderSet, Slot


@ruled_as("join", "bring combatants into the fight, or back, written as in an encounter file", "combatant")
class Join(Joining, frozen=True, kw_only=True):
    """Bring combatants into the fight, as an encounter file does, or back into it.

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file, several of them, or the id of a combatant that left. Foes
            act with the group of their side, as in an encounter.
        initiative: A separate place in the turn order, once there is one. If that count has passed, they act from the
            next round on. By default a returning combatant has its former count.
        apart: Without a map, their distance in feet from all other sides; by default that of their own side.
        distance, melee, view, weapon, armor, focus: The same as in an encounter file.
    """

    combatant: Spec | tuple[Spec, ...] | NewCombatantId
    initiative: Change | None = None
    apart: Count | None = None
    distance: tuple[Pair, ...] = ()
    melee: tuple[MeleeEntry, ...] = ()
    view: tuple[Sight, ...] = ()
    weapon: dict[str, Weapon] = {}
    armor: dict[str, Armor] = {}
    focus: dict[str, Focus] = {}

    def check(self, table: Table) -> None:
        """Refuse an impossible entry, and a place in an order that is yet to be rolled."""
        if self.initiative is not None and not is_ordered(table):
            raise Unusable("they roll initiative with all others; leave it out", "initiative")
        if self.apart is not None and _is_on_board(table):
            raise Unusable("this fight has a map; say at which square they stand (at)", "apart")
        super().check(table)

    def open(self, table: Table, newcomers: Sequence[Newcomers]) -> Iterator[Event]:
        """Yield the events that an encounter with these entries would add.

        No note tells of a concealed combatant's items.
        """
        for one in newcomers:
            _check_group(table, one)
        entries = list_entries(((one.entry, one.field) for one in newcomers), self.list_taken_ids(table))
        here, people = map_ids(newcomers), table.draft.combatants.values()
        there = {one.id: There(one.side, is_mount(table, one.id), rider_of(table, one.id), one.place) for one in people}
        events = list(enter(entries, table.config, self._tables(table), _is_on_board(table), there, here))
        yield from events
        new = {event.who: event.side for event in events if isinstance(event, Joined)}
        riders = {who: one.rider for who, one in there.items() if one.rider} | find_riders(entries, here)
        sides = {one.id: one.side for one in people} | new
        stated = Stated(self.apart, self.distance, self.melee, self.view)
        for event in set_pairs(stated, sides, riders, _is_on_board(table), new):
            yield replace(event, rules=("WWN-T72",)) if isinstance(event, DistanceSet) else event
        if not self.is_concealed:
            yield from note_stock(self.weapon, self.armor, self.focus, events)

    def _tables(self, table: Table) -> Tables:
        known = collect_stock(table)
        weapons, armor = {**known.weapons, **self.weapon}, {**known.armor, **self.armor}
        return Tables(weapons, armor, {**known.foci, **self.focus})

    def take_places(self, table: Table, newcomers: Sequence[Newcomers]) -> Rule[None]:
        """State the distances that the ruling does not name, without a map."""
        if table.draft.distances and not self.states_distances and not _is_on_board(table):
            new = [who for one in newcomers for who in one.who]
            for who in new:
                for other, feet in (
                    tuple(list_newcomer_distances(table, who, new, SQUARE)) if not mount_of(table, who) else ()
                ):
                    if other not in list_unit(table, who):
                        yield from state_distance(table, who, other, feet, "WWN-T72")

    def take_turns(self, table: Table, newcomers: Newcomers) -> Rule[None]:
        """Put newcomers into their group and its slot, or into new slots (WWN-T72)."""
        fighters = [who for who in newcomers.who if not is_mount(table, who)]
        if fighters:
            yield from self._note_quick(table, newcomers.entry, fighters)
            yield from self._take_slots(table, newcomers, fighters)
            yield from LEFT_AT.end_on(table, fighters[0], "WWN-T72")
            yield from _note_mounted(table, fighters)

    def _take_slots(self, table: Table, newcomers: Newcomers, fighters: list[Id]) -> Rule[None]:
        spec, members = newcomers.entry, [Member(who=who) for who in fighters]
        key = "" if self.initiative is not None else _find_group_name(table, newcomers, fighters[0])
        known = table.is_known(fighters[0])
        group = _find_known_group(table, key, 2 if known else 1)
        named = spec is not None and (spec.group or spec.quick)
        fellow = _find_lone_fellow(table, fighters) if key and group is None and not named else ""
        if group is not None:
            yield add_members(group, *members, rules=("WWN-003", "WWN-T72"))
        elif fellow:
            yield from _set_group_with(table, fellow, key, members)
        slots = table.draft.slots
        mates = list(table.list_known([one.who for one in group.members])) if group is not None else [fellow]
        if table.draft.round and (known or len(mates) > 1):  # beside a single known one a concealed one acts alone
            group_slot = next((slot for slot in slots if not set(mates).isdisjoint(slot.members)), None)
            if group_slot is not None:
                joined = replace(group_slot, members=(*group_slot.members, *fighters))
                order = tuple(joined if slot is group_slot else slot for slot in slots)
                yield OrderSet(slots=order, rules=("WWN-003", "WWN-T72"))
                return
        units: dict[Id, tuple[Id, ...]] = {who: (who,) for who in fighters}
        own = key or _find_group_name(table, newcomers, fighters[0])
        if own and len(fighters) > 1 and group is None and not fellow:
            bond_of_own = set_relation(_find_free_id(table, own, known=known), "group", *members, rules=("WWN-003",))
            units = {bond_of_own.relation: tuple(fighters)}
            yield bond_of_own
        if is_ordered(table):
            as_before = find_departed_initiative(table, fighters[0])
            yield from self._place_slots(table, units, as_before if self.initiative is None else self.initiative)

    def _note_quick(self, table: Table, spec: Spec | None, fighters: list[Id]) -> Rule[None]:
        bonus = find_quick_bonus(spec, table.config) if spec is not None else 0
        for who in fighters if bonus else ():
            yield QUICK.set_on(who, bonus, "WWN-005", "WWN-T27")

    def _place_slots(self, table: Table, units: dict[Id, tuple[Id, ...]], initiative: int | None) -> Rule[None]:
        """Insert new slots into the order; a slot with a count already passed waits."""
        slots = table.draft.slots
        score = find_last_score(table) if initiative is None else initiative
        new = tuple(Slot(id=first, members=members, score=score) for first, members in units.items())
        at = len(slots) if initiative is None else find_place(table, new[0])
        if has_passed(table, slots, at):
            for slot in new:
                yield WAITS.set_on(slot.id, table.draft.round, "WWN-006")
        yield OrderSet(slots=(*slots[:at], *new, *slots[at:]), rules=("WWN-006", "WWN-007"))


class Leave(combatants.LeaveRuling, frozen=True, kw_only=True):
    """Take a combatant out of the fight, body and all; a mount leaves with its rider (WWN-T72)."""

    returns: ClassVar[Clause] = "WWN-T72"


def _note_mounted(table: Table, riders: Sequence[Id]) -> Iterator[MarkSet]:
    """Note beasts that need a check now: their riders have no turn left this round."""
    for rider in riders:
        slot = next((slot for slot in table.draft.slots if rider in slot.members), None)
        mount = mount_of(table, rider)
        if slot is None or not mount or not all(map(table.is_known, (rider, mount))):
            continue
        late = WAITS.of(table, slot.id) == table.draft.round or has_had_turn(table, slot)
        if late:
            yield from note_mounted(table, mount)


def _is_on_board(table: Table) -> bool:
    return any(one.place for one in table.draft.combatants.values())


def _check_group(table: Table, one: Newcomers) -> None:
    """Refuse a group of another side."""
    group = table.draft.relations.get(id_of(one.entry.group)) if one.entry.group else None
    if group is not None and any(table[member.who].side != one.entry.side for member in group.members):
        raise Unusable(f"the group {one.entry.group} is of another side", f"{one.field}.group")


def _find_group_name(table: Table, newcomers: Newcomers, first: Id) -> str:
    """Return the name of the newcomers' group; empty for PCs."""
    if is_pc(table, first):
        return ""
    if newcomers.entry is None:
        return table[first].side if table.config.foe_groups == "per_side" else ""
    return find_group_name(newcomers.entry, newcomers.field, table.config) or ""


def _find_known_group(table: Table, name: str, fewest: int) -> Relation | None:
    """Return the group of a name with this many known members, if there is one."""
    id = id_of(name)
    groups = [table.draft.relations.get(one) for one in (id, f"{id}-group", sealed_relation_id(id))] if id else []
    known = (one for one in groups if one is not None and one.kind == "group")
    return next((one for one in known if len(table.list_known([it.who for it in one.members])) >= fewest), None)


def _find_lone_fellow(table: Table, fighters: list[Id]) -> Id:
    """Return the side's only known foe, if it acts alone; else empty.

    It also acts alone in a group with concealed combatants only.
    """
    if table.config.foe_groups != "per_side":
        return ""
    side, people = table[fighters[0]].side, table.list_known(table.draft.combatants)
    mates = [who for who in people if table[who].side == side and who not in fighters]
    foes = [who for who in mates if not is_pc(table, who) and not is_mount(table, who)]
    held = find_relation(table, "group", foes[0]) if len(foes) == 1 else None
    alone = held is None or is_only_known(table, [member.who for member in held.members])
    return foes[0] if len(foes) == 1 and alone else ""


def _set_group_with(table: Table, fellow: Id, name: str, members: Sequence[Member]) -> Iterator[Event]:
    """Yield the group of newcomers and a foe that acted alone.

    The group is named as if there were no concealed combatants. These stay in it if their group has that name, else
    they stay by themselves.
    """
    rules = ("WWN-003", "WWN-T72")
    held = find_relation(table, "group", fellow)
    new = _find_free_id(table, name, held)
    if held is not None and held.id == new:
        yield add_members(held, *members, rules=rules)
    elif held is not None and held.id == sealed_relation_id(new):
        yield remove_members(held, rules=rules)
        yield set_relation(new, "group", *held.members, *members, rules=rules)
    else:
        if held is not None:
            yield leave_relation(table, held, fellow, rules=rules)
        yield set_relation(new, "group", Member(who=fellow), *members, rules=rules)


def _find_free_id(table: Table, name: str, held: Relation | None = None, *, known: bool = True) -> Id:
    """Return a free id for a new group, as an encounter file would give it.

    Args:
        held: A group whose id counts as free.
        known: Whether viewers know of the group.
    """
    id = id_of(name) or "group"
    id = f"{id}-group" if id in table.draft.combatants else id
    taken = {*table.draft.combatants, *table.draft.relations} - ({held.id} if held is not None else set())
    return find_free_id(id if known else sealed_relation_id(id), taken)
