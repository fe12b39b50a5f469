"""The ruling that brings newcomers into a fight, with their things, distances and turns."""

from collections.abc import Iterator

from affray.engine.core.actions import Ruling, ruled_as
from affray.engine.core.effects import Rule
from affray.engine.core.ids import id_of
from affray.engine.core.state import Relation
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.distances import stated_distance
from affray.engine.kit.relations import bond, bonded, joined_to, numbered
from affray.engine.kit.rulings.combatants import replaced, with_ids_of_fight
from affray.engine.kit.rulings.words import Change
from affray.engine.kit.turn_order import last_score
from affray.engine.rulesets.wwn.config import Table
from affray.engine.rulesets.wwn.encounter.file import Spec
from affray.engine.rulesets.wwn.encounter.setup import There, joined
from affray.engine.rulesets.wwn.encounter.stock import stock_of
from affray.engine.rulesets.wwn.marks import QUICK, WAITS
from affray.engine.rulesets.wwn.movement.board import SQUARE, apart_by
from affray.engine.rulesets.wwn.sheet import is_mount, is_pc, mount_of, rider_of, unit
from affray.engine.rulesets.wwn.tables import Count
from affray.engine.rulesets.wwn.turns.order import place_for
from affray.events import Event, Id, ItemAdded, Joined, Member, OrderSet, Slot


@ruled_as("join", "bring somebody new into the fight, written as in an encounter file", "combatant")
class Join(Ruling, frozen=True, kw_only=True):
    """Bring combatants into the fight, written as in an encounter file.

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file. Foes act with the group of their side, as in an encounter.
        initiative: A place of their own in the turn order, once there is one. If that count has passed, they act
            from the next round on.
        apart: Without a map, their distance in feet from all other sides; that of their own side if not given.
    """

    combatant: Spec
    initiative: Change | None = None
    apart: Count | None = None

    def check(self, table: Table) -> None:
        """Refuse an entry that no encounter file could have, and a wrong moment."""
        if table.draft.phase in ("initiative", "surprise"):
            message = "first all dice for initiative must have fallen"
            raise Refused("initiative_pending", "WWN-001", message, table.draft.phase)
        if table.draft.ended:
            message = "the fight is over; undo what ended it, let them join, and do it again"
            raise Refused("fight_over", "WWN-G02", message, table.draft.phase)
        if self.initiative is not None and not table.draft.slots:
            raise Unusable("initiative is rolled when the fight begins; leave it out", "initiative")
        if self.apart is not None and _is_on_board(table):
            raise Unusable("this fight has a map; say at which square they stand (at)", "apart")
        self._check_group(table)
        for event in self._events(table):
            if isinstance(event, ItemAdded) and event.item in table.draft.items:
                owner = table.item(event.item).owner
                if owner != event.owner:
                    message = f"{table.called(owner)} has {event.item} of one who has left; take another name"
                    raise Unusable(message, "combatant.name")

    def _check_group(self, table: Table) -> None:
        spec = self.combatant
        group = table.draft.relations.get(id_of(spec.group)) if spec.group else None
        if group is not None and any(table[one.who].side != spec.side for one in group.members):
            raise Unusable(f"the group {spec.group} is of another side", "combatant.group")

    @with_ids_of_fight
    def _events(self, table: Table) -> Iterator[Event]:
        people = table.draft.combatants.values()
        there = {one.id: There(one.side, is_mount(table, one.id), rider_of(table, one.id), one.place) for one in people}
        yield from joined((self.combatant,), table.config, stock_of(table), _is_on_board(table), there)

    def decide(self, table: Table) -> Rule[None]:
        """Let them join, state their distances, and give them their place in the order."""
        newcomers = []
        for event in self._events(table):
            if isinstance(event, Joined):
                yield from replaced(table, event.who)
                newcomers.append(event.who)
            yield event
        if not _is_on_board(table):
            yield from self._distances(table, newcomers)
        fighters = [who for who in newcomers if not is_mount(table, who)]
        if fighters:
            yield from self._note_quick(table, fighters)
            yield from self._take_turns(table, fighters)

    def _distances(self, table: Table, newcomers: list[Id]) -> Rule[None]:
        """State the distances of the newcomers, from those of their own side."""
        known = [who for who in table.list_known(table.draft.combatants) if who not in newcomers]
        comrades = [who for who in known if table[who].side == self.combatant.side]
        for who in newcomers:
            if mount_of(table, who):
                continue
            for other in tuple(table.draft.combatants):
                if other in unit(table, who):
                    continue
                ours = table[other].side == self.combatant.side
                feet = SQUARE if ours else self.apart if self.apart is not None else _farthest(table, comrades, other)
                if feet is not None and (not ours or table.draft.distances or self.apart is not None):
                    yield from apart_by(table, who, other, feet, "WWN-T72")

    def _group(self, table: Table) -> Relation | None:
        """Return the group that the newcomers act with, as the encounter file would have it; or nothing."""
        spec, way = self.combatant, table.config.foe_groups
        if spec.pc or self.initiative is not None:
            return None
        name = id_of(spec.group or {"per_side": spec.side, "per_entry": f"{spec.name}s", "single": ""}[way])
        groups = [table.draft.relations.get(id) for id in (name, f"{name}-group")] if name else []
        known = (one for one in groups if one is not None and one.kind == "group")
        return next((one for one in known if table.list_known([member.who for member in one.members])), None)

    def _take_turns(self, table: Table, fighters: list[Id]) -> Rule[None]:
        """Put newcomers into their group and its slot, or into new slots (WWN-T72)."""
        group, members = self._group(table), [Member(who=who) for who in fighters]
        fellow = "" if group is not None else self._lone_fellow(table, fighters)
        if group is not None:
            yield joined_to(group, *members, rules=("WWN-003", "WWN-T72"))
        elif fellow:
            name = self._free(table, self.combatant.side)
            yield bonded(name, "group", Member(who=fellow), *members, rules=("WWN-003", "WWN-T72"))
        slots = table.draft.slots
        fellows = {one.who for one in group.members} if group is not None else {fellow}
        if table.draft.round and any(fellows.intersection(slot.members) for slot in slots):
            yield OrderSet(slots=tuple(_with(slot, fellows, fighters) for slot in slots), rules=("WWN-003", "WWN-T72"))
            return
        units: dict[Id, tuple[Id, ...]] = {who: (who,) for who in fighters}
        if not (self.combatant.pc or len(fighters) == 1 or group or fellow or self._rolls_alone(table)):
            name = self._free(table, self.combatant.group) if self.combatant.group else f"{fighters[0]}-group"
            own = bonded(name, "group", *members, rules=("WWN-003",))
            units = {own.relation: tuple(fighters)}
            yield own
        if slots:
            yield from self._place_slots(table, units)

    def _rolls_alone(self, table: Table) -> bool:
        return table.config.foe_groups == "single" and not self.combatant.group

    def _lone_fellow(self, table: Table, fighters: list[Id]) -> Id:
        """Return the only foe of the side if it has no group yet, or nothing."""
        spec = self.combatant
        if spec.pc or spec.group or spec.quick or self.initiative is not None or table.config.foe_groups != "per_side":
            return ""
        people = table.list_known(table.draft.combatants)
        ours = [who for who in people if table[who].side == spec.side and who not in fighters]
        foes = [who for who in ours if not is_pc(table, who) and not is_mount(table, who)]
        return foes[0] if len(foes) == 1 and bond(table, "group", foes[0]) is None else ""

    def _free(self, table: Table, name: str) -> Id:
        """Return an id for a new group, as near to a name as it is free."""
        return numbered(id_of(name) or "group", {*table.draft.combatants, *table.draft.relations})

    def _note_quick(self, table: Table, fighters: list[Id]) -> Rule[None]:
        quick = self.combatant.quick
        bonus = table.config.quick_bonus if quick is True else int(quick)
        for who in fighters if bonus else ():
            yield QUICK.noted(who, bonus, "WWN-005", "WWN-T27")

    def _place_slots(self, table: Table, units: dict[Id, tuple[Id, ...]]) -> Rule[None]:
        """Insert new slots into the order; a slot whose count has passed waits."""
        slots = table.draft.slots
        score = last_score(table) if self.initiative is None else self.initiative
        new = tuple(Slot(id=unit, members=members, score=score) for unit, members in units.items())
        at = len(slots) if self.initiative is None else place_for(table, new[0])
        if any(slot.id == table.draft.up for slot in slots[at:]):
            for slot in new:
                yield WAITS.noted(slot.id, table.draft.round, "WWN-006")
        yield OrderSet(slots=(*slots[:at], *new, *slots[at:]), rules=("WWN-006", "WWN-007"))


def _is_on_board(table: Table) -> bool:
    return any(one.place for one in table.draft.combatants.values())


def _farthest(table: Table, comrades: list[Id], other: Id) -> int | None:
    """Return how far the farthest of a side is from a combatant, as stated; nothing if that is not stated."""
    stated = [stated_distance(table, one, other) for one in comrades]
    return max((feet for feet in stated if feet is not None), default=None)


def _with(slot: Slot, fellows: set[Id], fighters: list[Id]) -> Slot:
    """Return a slot, with the newcomers if it is that of their group."""
    if not fellows.intersection(slot.members):
        return slot
    return Slot(id=slot.id, members=(*slot.members, *fighters), score=slot.score)
