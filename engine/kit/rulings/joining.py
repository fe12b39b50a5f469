"""The ruling that brings combatants into a fight, written as in an encounter file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Self

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.core.actions import Ruling
from affray.engine.core.coordinates import CELLS, cell_said
from affray.engine.core.domains import list_sides
from affray.engine.core.effects import Rule
from affray.engine.core.ids import Taken, ids_of_scheme, named
from affray.engine.core.references import must_be_a_place
from affray.engine.core.ruleset import load
from affray.engine.core.state import Combatant
from affray.engine.core.table import Table
from affray.engine.errors import Refused, Unusable
from affray.engine.kit.carrying import Carrier, with_carried
from affray.engine.kit.combatant_names import check_names
from affray.engine.kit.distances import approach, distance_set, view_set
from affray.engine.kit.encounters import NAMING, PAIRS, Entry
from affray.engine.kit.relations import bonded, goes_by_number, merge, numbered
from affray.engine.kit.riding import LEFT_WITH, Saddle, part_absent
from affray.engine.kit.side_names import check_sides
from affray.engine.limits import check_many
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

from .combatants import must_be_their_own, replaced
from .turns import give_turns, must_be_fought, turn_form

MOST_APART = 20_000
"""The most distances that one ruling states."""


class Newcomers(NamedTuple):
    """The combatants of one entry.

    Attributes:
        entry: The entry of the encounter file or the ruling; ``None`` for a returning combatant.
        field: Path of the entry.
        who: Their ids, without those of mounts that an entry brings along.
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
        saddle: The relation of rider and mount, if the system has mounts.
        approaches: The distance within a side without a map, and the clause that places newcomers with their side.
            ``(0, "")`` where distances are never stated.
    """

    approaches: ClassVar[tuple[int, Clause]] = (0, "")

    saddle: ClassVar[Saddle | None] = None

    combatant: Any
    at: str | tuple[str, ...] = ""
    turn: Literal["", "next"] = ""

    def check(self, table: Table) -> None:
        """Refuse content that an encounter file could not have, and items taken by others."""
        if self.turn:
            must_be_fought(table, turn_form(table).rule)
        events, _ = self.prepare(table)
        must_be_their_own(table, events)

    def check_new(self, table: Table) -> None:
        """Refuse a name or a side that looks like another one."""
        if isinstance(self.combatant, str):
            return
        several = not isinstance(self.combatant, Entry)
        named_so = ((f"{field}.name", one.name, one.count) for field, one in self._fields())
        check_names(named_so, (one.name for one in table.draft.combatants.values()))
        fields = ((f"{field}.side" if several else "side", one.side) for field, one in self._fields())
        check_sides(fields, list_sides(table), "side=SIDE")

    def decide(self, table: Table) -> Rule[None]:
        """Let the newcomers join with their items, and give them their turns."""
        events, newcomers = self.prepare(table)
        for event in events:
            if isinstance(event, Joined):
                if not isinstance(self.combatant, str):
                    yield from replaced(table, event.who)
                yield from part_absent(table, self.saddle, event.who)
            if isinstance(event, RelationSet) and goes_by_number(table, event.kind):
                yield from merge(table, event)
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
                for other, apart in tuple(approach(table, who, new, near)):
                    yield distance_set(table, who, other, apart, rule)

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
            return list(self._return(table, self.combatant)), [Newcomers(None, "combatant", (self.combatant,))]
        with ids_of_scheme(table.draft.dice_scheme):
            newcomers = list(self._newcomers(table))
            events = list(self._as_called(newcomers).open(table, newcomers))
        events = [one for event in _carried(table, events, newcomers) for one in _stated(table, event)]
        return list(_hidden(table, events, newcomers)), newcomers

    @property
    def entries(self) -> tuple[Any, ...]:
        """The entries, with the ruling's own place if it names one."""
        if not isinstance(self.combatant, Entry):
            return tuple(self.combatant)
        return (replace(self.combatant, at=self.at) if self.at else self.combatant,)

    @property
    def is_concealed(self) -> bool:
        """True if at least one of the newcomers is concealed."""
        return not isinstance(self.combatant, str) and any(one.concealed for one in self.entries)

    def _newcomers(self, table: Table) -> Iterator[Newcomers]:
        check_many(len(table.draft.combatants), [one.count for one in self.entries])
        taken, several = self.taken(table), not isinstance(self.combatant, Entry)
        if several and self.at:
            raise Unusable("each entry says where its combatants stand", "at")
        for field, entry in self._fields():
            there: tuple[set[Id], ...] = (taken, set())
            who, told = (tuple(id for id, _ in named(entry.name, entry.count, field, ids)) for ids in there)
            yield Newcomers(entry, field, who, told)

    def _as_called(self, newcomers: Iterable[Newcomers]) -> Self:
        """Return the ruling with the newcomers' ids in this fight instead of their file's."""
        here = here_for(newcomers)
        if all(told == who for told, who in here.items()):
            return self
        parts = {part: getattr(self, part) for part in PAIRS if hasattr(self, part)}
        return replace(self, **{part: tuple(_renamed(one, here) for one in told) for part, told in parts.items()})

    def taken(self, table: Table) -> Taken:
        """Return the ids that newcomers cannot have."""
        draft = table.draft
        sealed = {field for field, entry in self._fields() if entry.concealed}
        return Taken(draft.combatants, draft.departed, draft.concealed, sealed)

    def _fields(self) -> Iterator[tuple[str, Any]]:
        """Yield each entry with its path."""
        several = not isinstance(self.combatant, Entry)
        for nth, entry in enumerate(self.entries):
            yield f"combatant[{nth}]" if several else "combatant", entry

    def _return(self, table: Table, who: Id) -> Iterator[Event]:
        """Yield the events that bring back a combatant, as it was when it left.

        Its items still belong to it.
        """
        gone = table.draft.departed.get(who)
        if gone is None:
            known = ", ".join(table.draft.departed) or "nobody"
            message = f"no {who} has left this fight, but {known}; for somebody new say name and side"
            raise Unusable(message, "combatant")
        place = self._place_of_return(table, gone.place)
        yield from _as_it_was(gone, place)
        mount = LEFT_WITH.of(table, who)
        if self.saddle is None or mount not in table.draft.departed:
            return
        yield from _as_it_was(table.draft.departed[mount], place)
        yield LEFT_WITH.struck(who, self.saddle.rule)
        members = [Member(who=one, role=role) for one, role in zip((who, mount), self.saddle.roles, strict=True)]
        riding = numbered(f"{self.saddle.kind}-{who}", table.draft.relations)
        yield bonded(riding, self.saddle.kind, *members, rules=(self.saddle.rule,))

    def _place_of_return(self, table: Table, before: Id) -> Id:
        place = before if not self.at else self.at if isinstance(self.at, str) else self.at[0]
        if self.at:
            must_be_a_place(table, place, "at")
        there = table.at(place) if place and load(table.draft.system).map in CELLS else ()
        if there:
            message = f"{table.called(there[0])} is at {cell_said(place)}; say where else with at=…"
            raise Refused("occupied", "", message, source=there[0])
        return place


def _as_it_was(gone: Combatant, place: Id) -> Iterator[Event]:
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


def by_names(newcomers: Iterable[Newcomers]) -> Mapping[Id, Newcomers]:
    """Return the entry of each newcomer, by its id."""
    return {who: one for one in newcomers for who in one.who}


def here_for(newcomers: Iterable[Newcomers]) -> dict[Id, Id]:
    """Return each newcomer's id in this fight by its id in its file."""
    return {told: who for one in newcomers for told, who in zip(one.told, one.who, strict=True)}


def _renamed(said: Struct, here: Mapping[Id, Id]) -> Struct:
    """Replace the file's ids in a part of an encounter by those of this fight."""
    found: dict[str, Any] = {}
    for field in NAMING:
        value = getattr(said, field, None)
        if isinstance(value, tuple):
            found[field] = tuple(here.get(who, who) for who in value)
        elif value:
            found[field] = here.get(value, value)
    return replace(said, **found)


def _stated(table: Table, event: Event) -> Iterator[Event]:
    """Yield an event with the value stated before, unless nothing changes."""
    if isinstance(event, DistanceSet):
        event = distance_set(table, *event.pair, event.after, *event.rules)
    elif isinstance(event, ViewSet):
        event = view_set(table, event.viewer, event.target, event.after, *event.rules)
    if not isinstance(event, DistanceSet | ViewSet) or event.before != event.after:
        yield event


def _hidden(table: Table, events: Iterable[Event], newcomers: Sequence[Newcomers]) -> Iterator[Event]:
    """Yield events with those that conceal newcomers and hide their counters.

    A concealed newcomer is concealed before it joins, and its mount with it.
    """
    entries, unseen = by_names(newcomers), False
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
        if one is not None and one.entry.veiled:
            yield _veiled(event, one)


def _veiled(event: Joined, one: Newcomers) -> Veiled:
    for pool in one.entry.veiled:
        if pool not in event.pools:
            raise Unusable(f"{event.who} has the counters {', '.join(event.pools)}", f"{one.field}.veiled")
    return Veiled(who=event.who, pools={pool: event.pools[pool] for pool in one.entry.veiled})


def _carried(table: Table, events: list[Event], newcomers: Sequence[Newcomers]) -> list[Event]:
    """Return the events with state that the entries carry over from earlier fights."""
    company = [event.who for event in events if isinstance(event, Joined) and event.who not in by_names(newcomers)]
    for one in newcomers:
        if one.entry.carries is not None:
            if one.entry.count != 1:
                raise Unusable("several who are alike cannot carry the same over", f"{one.field}.carries")
            carrier = Carrier(one.field, one.who[0], one.entry.carries)
            events = with_carried(events, carrier, company, load(table.draft.system))
    return events
