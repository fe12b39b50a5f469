"""Index of the events that set the sources of modifiers and refusals.

A source is ``WHO.THING`` (a stat, pool, trait, condition), or the id of an item, relation, place, phase, question or
combatant. Marks, causes of conditions and views are structs. A distance is a pair of combatants.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from affray import events as facts
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.core.words import CounterWord
from affray.events import Event, Id, Recorded, Source, find_word

WHOSE_TURN = "whose turn"
"""The index key for the start and end of turns."""


def place_key(who: Id) -> Id:
    """Return the index key for a combatant's place."""
    return f"{who}@"


def _list_joined_keys(event: facts.Joined) -> Iterable[Id]:
    names = (*event.stats, *event.pools, *map(find_word, event.traits), "side")
    return (event.who, place_key(event.who), event.place, *(f"{event.who}.{name}" for name in names))


def relations_key(who: Id) -> Id:
    """Return the index key for the relations that a combatant entered."""
    return f"{who}&"


def _list_relation_keys(event: facts.RelationSet) -> Iterable[Id]:
    kinds = (f"{one.who}.{word}" for one in event.members for word in {event.kind, one.role} - {""})
    return (event.relation, *(relations_key(one.who) for one in event.members), *kinds)


SETS: Mapping[type[Event], Callable[[Any], Iterable[Hashable]]] = {
    facts.Asked: lambda event: (event.question,),
    facts.ClockSet: lambda event: (Source(of=event.owner, name=event.clock, about=event.about),),
    facts.ConditionChanged: lambda event: (
        f"{event.who}.{event.condition}",
        Source(of=event.who, name=event.source),
        Source(of=event.who, name=event.condition),
    ),
    facts.Damaged: lambda event: (f"{event.who}.damage",),
    facts.DiceAwaited: lambda event: (event.roll,),
    facts.DieStepped: lambda event: (event.item,),
    facts.DistanceSet: lambda event: (event.pair, event.pair[::-1]),
    facts.FightOpened: lambda event: [f"config.{name}" for name in event.config],
    facts.ItemAdded: lambda event: (
        event.item,
        f"{event.owner}.{event.kind}",
        *(f"{event.item}.{name}" for name in event.counters),
    ),
    facts.ItemCounted: lambda event: (event.item, f"{event.item}.{event.counter}"),
    facts.ItemMoved: lambda event: (event.item,),
    facts.ItemRemoved: lambda event: (event.item,),
    facts.Joined: _list_joined_keys,
    facts.Left: lambda event: (event.who,),
    facts.MarkSet: lambda event: (
        Source(of=event.owner, name=event.key, about=event.about),
        f"{event.owner}.{event.key}",
    ),
    facts.MemberDone: lambda event: (f"{event.who}.turn",),
    facts.Moved: lambda event: (place_key(event.who), event.before, event.after),
    facts.PhaseEntered: lambda event: (event.phase,),
    facts.PlaceSet: lambda event: (event.place,),
    facts.PoolChanged: lambda event: (f"{event.who}.{event.pool}",),
    facts.RelationSet: _list_relation_keys,
    facts.SideChanged: lambda event: (f"{event.who}.side",),
    facts.Stacked: lambda event: (event.item,),
    facts.StatChanged: lambda event: (f"{event.who}.{event.stat}",),
    facts.TraitChanged: lambda event: (f"{event.who}.{find_word(event.trait)}",),
    facts.TurnBegan: lambda event: (WHOSE_TURN, event.slot, *(f"{who}.turn" for who in event.members)),
    facts.TurnEnded: lambda event: (WHOSE_TURN, event.slot, f"{event.slot}.turn"),
    facts.ViewSet: lambda event: (Source(of=event.viewer, to=event.target),),
    facts.WindowClosed: lambda event: (event.window,),
    facts.WindowOpened: lambda event: (event.window,),
}
"""By event type, a function that lists the index keys of an event."""


class ProvenanceIndex:
    """The events of a path by the values that they set.

    Args:
        line: The positions of the path.
        words: The system's vocabulary, with the roles of item counters.

    Attributes:
        people: All combatants that ever joined.
    """

    def __init__(self, recorded: Sequence[Recorded], line: Iterable[int], words: Vocabulary) -> None:
        self._recorded = recorded
        self._words = words
        self._setters: dict[Hashable, list[int]] = {}
        self.people: set[Id] = set()
        for position in line:
            event = recorded[position - 1].event
            if isinstance(event, facts.Joined):
                self.people.add(event.who)
            for name in SETS[type(event)](event) if type(event) in SETS else ():
                if name != "":
                    self._setters.setdefault(name, []).append(position)

    def find_last(self, name: Hashable, before: int, *, joined: bool = True) -> int:
        """Return the last event before a position that set a value; 0 if none did.

        Args:
            joined: Whether a combatant's joining counts.
        """
        last = next((one for one in reversed(self._setters.get(name, ())) if one < before), 0)
        sheet = last and not joined and isinstance(self._recorded[last - 1].event, facts.Joined)
        return 0 if sheet else last

    def find_last_valuable(self, name: Hashable, value: int, before: int) -> int:
        """Return the last event before a position that gave a modifier its value, or 0.

        Events that only moved or used the item are skipped.
        """
        for position in reversed(self._setters.get(name, ())):
            event = self._recorded[position - 1].event
            if position >= before or self._is_only_used(event, value):
                continue
            return 0 if isinstance(event, facts.MarkSet) and event.value is None and not event.parts else position
        return 0

    def list_relations(self, who: Id, before: int) -> Iterator[int]:
        """Yield the events before a position that last set a combatant's relations."""
        for position in self._setters.get(relations_key(who), ()):
            event = self._recorded[position - 1].event
            if isinstance(event, facts.RelationSet) and position == self.find_last(event.relation, before):
                yield position

    def _is_only_used(self, event: Event, value: int) -> bool:
        """Tell whether an event moved or used an item without giving it a value."""
        if isinstance(event, facts.ItemCounted):
            counter = self._words.counters.get(event.counter, CounterWord())
            return event.after != abs(value) or counter.role != "number"
        return isinstance(event, facts.ItemMoved) or (isinstance(event, facts.DieStepped) and not event.after)
