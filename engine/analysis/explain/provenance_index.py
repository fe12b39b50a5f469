"""An index from the names that modifiers and refusals give as their source to the events that set them.

A source is ``WHO.THING`` (a stat, pool, trait, condition), an item's or relation's id, ``OWNER/NOTE`` for what a system
wrote down, ``VIEWER>TARGET`` for what lies between two, a place, a phase, a question, or simply somebody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from affray.engine.core.vocabulary import CounterWord, Vocabulary
from affray.events import (
    Asked,
    ClockSet,
    ConditionChanged,
    Damaged,
    DiceAwaited,
    DieStepped,
    DistanceSet,
    Event,
    FightOpened,
    Id,
    ItemAdded,
    ItemCounted,
    ItemMoved,
    ItemRemoved,
    Joined,
    Left,
    MarkSet,
    MemberDone,
    Moved,
    PhaseEntered,
    PlaceSet,
    PoolChanged,
    Recorded,
    RelationSet,
    SideChanged,
    Stacked,
    StatChanged,
    TraitChanged,
    TurnBegan,
    TurnEnded,
    ViewSet,
    WindowClosed,
    WindowOpened,
    topic_of,
)

WHOSE_TURN = "whose turn"
"""The name under which it is found whose turn began or ended."""


def place_of(who: Id) -> Id:
    """Return the name under which it is found where somebody stands."""
    return f"{who}@"


def _joined(event: Joined) -> Iterable[Id]:
    traits = (topic_of(trait) for trait in event.traits)
    names = (*event.stats, *event.pools, *event.traits, *traits, "side")
    return (event.who, place_of(event.who), event.place, *(f"{event.who}.{name}" for name in names))


def relations_of(who: Id) -> Id:
    """Return the name under which the relations are found that somebody came into."""
    return f"{who}&"


def _related(event: RelationSet) -> Iterable[Id]:
    kinds = (f"{one.who}.{word}" for one in event.members for word in {event.kind, one.role} - {""})
    return (event.relation, *(relations_of(one.who) for one in event.members), *kinds)


def _condition(event: ConditionChanged) -> Iterable[Id]:
    return (f"{event.who}.{event.condition}", f"{event.who}/{event.source}", f"{event.who}/{event.condition}")


def _item(event: ItemAdded) -> Iterable[Id]:
    return (event.item, f"{event.owner}.{event.kind}", *(f"{event.item}.{name}" for name in event.counters))


SETS: Mapping[type[Event], Callable[[Any], Iterable[Id]]] = {
    Asked: lambda event: (event.question,),
    ClockSet: lambda event: (event.clock,),
    ConditionChanged: _condition,
    Damaged: lambda event: (f"{event.who}.damage",),
    DiceAwaited: lambda event: (event.roll,),
    DieStepped: lambda event: (event.item,),
    DistanceSet: lambda event: ("<>".join(event.pair), "<>".join(reversed(event.pair))),
    FightOpened: lambda event: [f"config.{name}" for name in event.config],
    ItemAdded: _item,
    ItemCounted: lambda event: (event.item, f"{event.item}.{event.counter}"),
    ItemMoved: lambda event: (event.item,),
    ItemRemoved: lambda event: (event.item,),
    Joined: _joined,
    Left: lambda event: (event.who,),
    MarkSet: lambda event: (f"{event.owner}/{event.key}", f"{event.owner}.{event.key}"),
    MemberDone: lambda event: (f"{event.who}.turn",),
    Moved: lambda event: (place_of(event.who), event.before, event.after),
    PhaseEntered: lambda event: (event.phase,),
    PlaceSet: lambda event: (event.place,),
    PoolChanged: lambda event: (f"{event.who}.{event.pool}",),
    RelationSet: _related,
    SideChanged: lambda event: (f"{event.who}.side",),
    Stacked: lambda event: (event.item,),
    StatChanged: lambda event: (f"{event.who}.{event.stat}",),
    TraitChanged: lambda event: (f"{event.who}.{event.trait}", f"{event.who}.{topic_of(event.trait)}"),
    TurnBegan: lambda event: (WHOSE_TURN, event.slot, *(f"{who}.turn" for who in event.members)),
    TurnEnded: lambda event: (WHOSE_TURN, event.slot, f"{event.slot}.turn"),
    ViewSet: lambda event: (f"{event.viewer}>{event.target}",),
    WindowClosed: lambda event: (event.window,),
    WindowOpened: lambda event: (event.window,),
}
"""Per type of event the names of what it sets."""


class Index:
    """Which events of a path set what.

    Args:
        recorded: Everything there is.
        line: The positions of the path.
        words: The words of the rules, which say what counters of things are.

    Attributes:
        people: Everybody who ever joined.
    """

    def __init__(self, recorded: Sequence[Recorded], line: Iterable[int], words: Vocabulary) -> None:
        self._recorded = recorded
        self._words = words
        self._setters: dict[Id, list[int]] = {}
        self.people: set[Id] = set()
        for position in line:
            event = recorded[position - 1].event
            if isinstance(event, Joined):
                self.people.add(event.who)
            for name in SETS[type(event)](event) if type(event) in SETS else ():
                if name:
                    self._setters.setdefault(name, []).append(position)

    def last(self, name: Id, before: int, *, joined: bool = True) -> int:
        """Return the last event before a position that set a thing; 0 if none did, or, not ``joined``, a sheet only."""
        last = next((one for one in reversed(self._setters.get(name, ())) if one < before), 0)
        sheet = last and not joined and isinstance(self._recorded[last - 1].event, Joined)
        return 0 if sheet else last

    def last_worth(self, name: Id, value: int, before: int) -> int:
        """Return the same for a number that counts in a roll: events that only moved or used the thing are skipped."""
        for position in reversed(self._setters.get(name, ())):
            event = self._recorded[position - 1].event
            if position >= before or self._only_used(event, value):
                continue
            return 0 if isinstance(event, MarkSet) and event.value is None else position
        return 0

    def relations(self, who: Id, before: int) -> Iterator[int]:
        """Yield the events before a position that set the relations somebody is in."""
        for position in self._setters.get(relations_of(who), ()):
            event = self._recorded[position - 1].event
            if isinstance(event, RelationSet) and position == self.last(event.relation, before):
                yield position

    def _only_used(self, event: Event, value: int) -> bool:
        """Tell whether an event moved or used a thing without making it worth so much."""
        if isinstance(event, ItemCounted):
            counter = self._words.counters.get(event.counter, CounterWord())
            return event.after != abs(value) or counter.role != "number"
        return isinstance(event, ItemMoved) or (isinstance(event, DieStepped) and not event.after)
