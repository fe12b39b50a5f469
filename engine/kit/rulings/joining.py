"""The ruling that brings combatants into a fight, written as in an encounter file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.actions import Ruling
from affray.engine.core.candidates import list_sides
from affray.engine.core.coordinates import CELLS, cell_label
from affray.engine.core.effects import Rule
from affray.engine.core.ids import TakenIds, ids_of_scheme, name_combatants
from affray.engine.core.loading import load
from affray.engine.core.references import must_be_a_place
from affray.engine.core.state import Combatant
from affray.engine.core.table import Table
from affray.engine.errors import Unusable
from affray.engine.kit.carry_over import Carrier, apply_carried_state
from affray.engine.kit.combatant_names import check_names
from affray.engine.kit.distances import list_newcomer_distances, set_distance, set_view
from affray.engine.kit.encounters import NAMING, PAIRS, CombatantEntry
from affray.engine.kit.relations import find_free_id, is_numbered, merge_relations, set_relation
from affray.engine.kit.riding import LEFT_WITH, find_saddle, forget_departed_mount
from affray.engine.kit.side_names import check_sides
from affray.engine.limits import check_combatants
from affray.engine.visibility import veil_of_side
from affray.events import (
    Clause,
    Concealed,
    ConditionChanged,
    DistanceSet,
    Event,
    Id,
    Joined,
    Member,
    RelationSet,
    Veiled,
    ViewSet,
)

from .combatants import must_not_take_items, remove_departed
from .turns import find_turn_ruling, give_turns, must_be_fought

MOST_APART = 20_000
"""The most distances that one ruling states."""


class Newcomers(NamedTuple):
    """The combatants of one entry.

    Attributes:
        entry: The entry of the encounter file or the ruling; ``None`` for a returning combatant.
        field: Path of the entry.
        who: Their ids, without mounts that an entry brings along.
        told: Their ids in a file of these entries alone.
    """

    entry: Any
    field: str
    who: tuple[Id, ...]
    told: tuple[Id, ...] = ()


class Joining(Ruling, frozen=True, kw_only=True):
    """Bring new combatants into the fight, or bring back one that left.

    Entries are written as in an encounter file.

    Attributes:
        combatant: A ``[[combatant]]`` of an encounter file, several of them, or the id of a combatant who left.
        at: Their place, instead of the entry's.
        turn: ``next`` gives them the next turn, as ``rule turn`` does.

    Class attributes:
        approaches: The distance within a side without a map, and the clause that places newcomers with their side.
            ``(0, "")`` where distances are never stated.
    """

    approaches: ClassVar[tuple[int, Clause]] = (0, "")

    combatant: Any
    at: str | tuple[str, ...] = ""
    turn: Literal["", "next"] = ""

    def check(self, table: Table) -> None:
        """Refuse content that an encounter file could not have, and items taken by others."""
        if self.turn:
            must_be_fought(table, find_turn_ruling(table).rule)
        events, _ = self.prepare(table)
        must_not_take_items(table, events)

    def check_new(self, table: Table) -> None:
        """Refuse a name or a side that looks like another one."""
        if isinstance(self.combatant, str):
            return
        several = not isinstance(self.combatant, CombatantEntry)
        named_so = ((f"{field}.name", one.name, one.count) for field, one in self._list_entries())
        check_names(named_so, (one.name for one in table.draft.combatants.values()))
        fields = ((f"{field}.side" if several else "side", one.side) for field, one in self._list_entries())
        check_sides(fields, list_sides(table), "side=SIDE")

    def decide(self, table: Table) -> Rule[None]:
        """Let the newcomers join with their items, and give them their turns."""
        events, newcomers = self.prepare(table)
        for event in events:
            if isinstance(event, Joined):
                if not isinstance(self.combatant, str):
                    yield from remove_departed(table, event.who)
                yield from forget_departed_mount(table, event.who)
            if isinstance(event, RelationSet) and is_numbered(table, event.kind):
                yield from merge_relations(table, event)
            else:
                yield event
        yield from self.take_places(table, newcomers)
        for one in newcomers:
            yield from self.take_turns(table, one)
        if self.turn:
            yield from give_turns(table, [who for one in newcomers for who in one.who])

    def open(self, table: Table, newcomers: Sequence[Newcomers]) -> Iterable[Event]:
        """Return the events by which an encounter of these entries opens."""
        raise NotImplementedError

    def take_places(self, table: Table, newcomers: Sequence[Newcomers]) -> Rule[None]:
        """State the newcomers' distances to others, without a map.

        Where the ruling states distances itself, nothing is added.
        """
        near, rule = self.approaches
        if rule and table.draft.distances and not self.states_distances:
            new = [who for one in newcomers for who in one.who]
            if len(new) * len(table.draft.combatants) > MOST_APART:
                fit = max(1, MOST_APART // len(table.draft.combatants))
                message = f"{len(new)} are too many to say how far apart all are; bring at most {fit} at once"
                raise Unusable(message, "combatant")
            for who in new:
                for other, apart in tuple(list_newcomer_distances(table, who, new, near)):
                    yield set_distance(table, who, other, apart, rule)

    @property
    def states_distances(self) -> bool:
        """True if the ruling states distances itself.

        A returning combatant keeps its distances.
        """
        if isinstance(self.combatant, str):
            return True
        said = (getattr(self, part, None) for part in ("distance", "melee"))
        return any(said) or getattr(self, "apart", None) is not None

    def take_turns(self, table: Table, newcomers: Newcomers) -> Rule[None]:
        """Yield the events that put newcomers into the turn order."""
        yield from ()

    def prepare(self, table: Table) -> tuple[list[Event], list[Newcomers]]:
        """Return the events that bring newcomers in, and the newcomers by entry.

        Raises:
            Unusable: an encounter file could not say so, no combatant is named, or no combatant of that id has left.
        """
        if not self.combatant:
            raise Unusable("names no combatant, such as: rule join name=NAME side=SIDE", "combatant")
        if isinstance(self.combatant, str):
            events = list(self._bring_back(table, self.combatant))
            back = [one for one in events if isinstance(one, Joined)]
            events += [veil for one in back for veil in veil_of_side(table.draft, one)]
            return events, [Newcomers(None, "combatant", (self.combatant,))]
        with ids_of_scheme(table.draft.dice_scheme):
            newcomers = list(self._list_newcomers(table))
            events = list(self._with_present_ids(newcomers).open(table, newcomers))
        events = [one for event in _apply_carried(table, events, newcomers) for one in _state_before(table, event)]
        return list(_hide_newcomers(table, events, newcomers)), newcomers

    @property
    def entries(self) -> tuple[Any, ...]:
        """The entries, with the ruling's own place if it names one."""
        if not isinstance(self.combatant, CombatantEntry):
            return tuple(self.combatant)
        return (replace(self.combatant, at=self.at) if self.at else self.combatant,)

    @property
    def is_concealed(self) -> bool:
        """True if at least one of the newcomers is concealed."""
        return not isinstance(self.combatant, str) and any(one.concealed for one in self.entries)

    def _list_newcomers(self, table: Table) -> Iterator[Newcomers]:
        check_combatants(len(table.draft.combatants), [(one, one.count) for one in self.entries])
        taken, several = self.list_taken_ids(table), not isinstance(self.combatant, CombatantEntry)
        if several and self.at:
            raise Unusable("each entry says where its combatants stand", "at")
        for field, entry in self._list_entries():
            there: tuple[set[Id], ...] = (taken, set())
            who, told = (tuple(id for id, _ in name_combatants(entry.name, entry.count, field, ids)) for ids in there)
            yield Newcomers(entry, field, who, told)

    def _with_present_ids(self, newcomers: Iterable[Newcomers]) -> Self:
        """Return the ruling with the newcomers' ids in this fight instead of their file's."""
        here = map_ids(newcomers)
        if all(told == who for told, who in here.items()):
            return self
        parts = {part: getattr(self, part) for part in PAIRS if hasattr(self, part)}
        return replace(
            self, **{part: tuple(_use_present_ids(one, here) for one in told) for part, told in parts.items()}
        )

    def list_taken_ids(self, table: Table) -> TakenIds:
        """Return the ids that newcomers cannot have."""
        draft = table.draft
        sealed = {field for field, entry in self._list_entries() if entry.concealed}
        return TakenIds(draft.combatants, draft.departed, draft.concealed, sealed)

    def _list_entries(self) -> Iterator[tuple[str, Any]]:
        """Yield each entry with its path."""
        several = not isinstance(self.combatant, CombatantEntry)
        for nth, entry in enumerate(self.entries):
            yield f"combatant[{nth}]" if several else "combatant", entry

    def _bring_back(self, table: Table, who: Id) -> Iterator[Event]:
        """Yield the events that bring back a combatant, as it was when it left.

        Its items still belong to it.
        """
        gone = table.draft.departed.get(who)
        if gone is None:
            known = ", ".join(table.draft.departed) or "nobody"
            message = f"no {who} has left this fight, but {known}; for a new combatant say name and side"
            raise Unusable(message, "combatant")
        place = self._find_place_of_return(table, gone.place)
        yield from _restore_combatant(gone, place)
        mount, saddle = LEFT_WITH.of(table, who), find_saddle(table)
        if saddle is None or mount not in table.draft.departed:
            return
        yield from _restore_combatant(table.draft.departed[mount], place)
        yield LEFT_WITH.clear_on(who, saddle.rule)
        members = [Member(who=one, role=role) for one, role in zip((who, mount), saddle.roles, strict=True)]
        riding = find_free_id(f"{saddle.kind}-{who}", table.draft.relations)
        yield set_relation(riding, saddle.kind, *members, rules=(saddle.rule,))

    def _find_place_of_return(self, table: Table, before: Id) -> Id:
        place = before if not self.at else self.at if isinstance(self.at, str) else self.at[0]
        if self.at:
            must_be_a_place(table, place, "at")
        there = table.at(place) if place and load(table.draft.system).board.kind in CELLS else ()
        if there:
            raise table.refuse(there[0], f"is at {cell_label(place)}; say where else with at=…", "", "occupied")
        return place


def _restore_combatant(gone: Combatant, place: Id) -> Iterator[Event]:
    """Yield the events that restore a combatant's sheet and conditions."""
    yield Joined(
        who=gone.id,
        name=gone.name,
        side=gone.side,
        stats=dict(gone.stats),
        traits=gone.traits,
        pools=dict(gone.pools),
        place=place,
    )
    for condition, sources in gone.conditions.items():
        for source, count in sources.items():
            ends = gone.ending(condition, source)
            yield ConditionChanged(who=gone.id, condition=condition, before=0, after=count, source=source, ends=ends)


def list_by_id(newcomers: Iterable[Newcomers]) -> Mapping[Id, Newcomers]:
    """Return the entry of each newcomer, by its id."""
    return {who: one for one in newcomers for who in one.who}


def map_ids(newcomers: Iterable[Newcomers]) -> dict[Id, Id]:
    """Return each newcomer's id in this fight by its id in its file."""
    return {told: who for one in newcomers for told, who in zip(one.told, one.who, strict=True)}


def _use_present_ids(said: Struct, here: Mapping[Id, Id]) -> Struct:
    """Replace the file's ids in a part of an encounter by those of this fight."""
    found: dict[str, Any] = {}
    for field in NAMING:
        value = getattr(said, field, None)
        if isinstance(value, tuple):
            found[field] = tuple(here.get(who, who) for who in value)
        elif value:
            found[field] = here.get(value, value)
    return replace(said, **found)


def _state_before(table: Table, event: Event) -> Iterator[Event]:
    """Yield an event with the value stated before, unless nothing changes."""
    if isinstance(event, DistanceSet):
        event = set_distance(table, *event.pair, event.after, *event.rules)
    elif isinstance(event, ViewSet):
        event = set_view(table, event.viewer, event.target, event.after, *event.rules)
    if not isinstance(event, DistanceSet | ViewSet) or event.before != event.after:
        yield event


def _hide_newcomers(table: Table, events: Iterable[Event], newcomers: Sequence[Newcomers]) -> Iterator[Event]:
    """Yield events with those that conceal newcomers and hide their counters.

    A concealed newcomer is concealed before it joins, and its mount with it.
    """
    entries, unseen = list_by_id(newcomers), False
    for event in events:
        if not isinstance(event, Joined):
            yield event
            continue
        one = entries.get(event.who)
        if one is not None:
            unseen = one.entry.concealed or not table.is_known(event.who)
        if unseen and table.is_known(event.who):
            yield Concealed(who=event.who, concealed=True)
        yield event
        yield from _veil_newcomer(table, event, one)


def _veil_newcomer(table: Table, event: Joined, one: Newcomers | None) -> Iterator[Veiled]:
    """Yield the veil that an entry draws, with that of a foe."""
    pools: dict[str, int] = {}
    for pool in one.entry.veiled if one is not None else ():
        if one is not None and pool not in event.pools:
            raise Unusable(f"{event.who} has the counters {', '.join(event.pools)}", f"{one.field}.veiled")
        pools[pool] = event.pools[pool]
    for veil in veil_of_side(table.draft, event):
        pools |= veil.pools
    if pools:
        yield Veiled(who=event.who, pools=pools)


def _apply_carried(table: Table, events: list[Event], newcomers: Sequence[Newcomers]) -> list[Event]:
    """Return the events with state that the entries carry over from earlier fights."""
    company = [event.who for event in events if isinstance(event, Joined) and event.who not in list_by_id(newcomers)]
    for one in newcomers:
        if one.entry.carries is not None:
            if one.entry.count != 1:
                raise Unusable("several who are alike cannot carry the same over", f"{one.field}.carries")
            carrier = Carrier(one.field, one.who[0], one.entry.carries)
            events = apply_carried_state(events, carrier, company, load(table.draft.system))
    return events
