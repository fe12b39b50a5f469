"""Compare two event streams: the first different event, and the final states."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from affray.engine.core.state import State
from affray.events import Event, Id, RoundBegan, Scalar, TurnBegan

About = Literal[
    "side", "place", "pool", "condition", "stat", "trait", "distance", "view", "terrain", "relation",
    "item", "where", "counter", "die", "clock", "fight", "order",
]  # fmt: skip
"""The kinds of differences. ``fight`` is the round, the phase, the active slot and the victors."""


class Divergence(Struct, frozen=True, kw_only=True):
    """The place where two event streams diverge.

    Attributes:
        index: The number of events that both have in common.
        one, other: The first event that differs; ``None`` at the end of a stream.
    """

    index: int
    one: Event | None
    other: Event | None


class Change(Struct, frozen=True, kw_only=True):
    """A difference between two states.

    Attributes:
        about: The kind of difference.
        of: The combatant, item, place or relation.
        name: The name of the pool, condition, stat, counter …, or the number of a hex's side; empty where ``about``
            suffices.
        one, other: The value in each state; ``None`` where it does not exist.
    """

    about: About
    of: Id
    name: str
    one: Scalar | tuple[str, ...]
    other: Scalar | tuple[str, ...]


class Comparison(Struct, frozen=True, kw_only=True):
    """The comparison of two event streams of a fight.

    Attributes:
        parting: The first difference; ``None`` if they are the same.
        changes: The differences of their final states that players would notice. The internal memory of the rules is
            left out.
        order: The first round with another turn order; 0 if there is none.
    """

    parting: Divergence | None
    changes: tuple[Change, ...]
    order: int


def compare_streams(one: Sequence[Event], other: Sequence[Event], ends: tuple[State, State]) -> Comparison:
    """Compare two event streams from the start, and their final states."""
    return Comparison(
        parting=find_divergence(one, other), changes=list_changes(*ends), order=find_reordered_round(one, other)
    )


def find_divergence(one: Sequence[Event], other: Sequence[Event]) -> Divergence | None:
    """Return where two event streams diverge; ``None`` if they are the same."""
    shorter = min(len(one), len(other))
    index = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    if index == len(one) == len(other):
        return None
    return Divergence(
        index=index, one=one[index] if index < len(one) else None, other=other[index] if index < len(other) else None
    )


def list_changes(one: State, other: State) -> tuple[Change, ...]:
    """Return the differences of two states."""
    ours, theirs = dict(_list_values(one)), dict(_list_values(other))
    return tuple(
        Change(about=key[0], of=key[1], name=key[2], one=ours.get(key), other=theirs.get(key))
        for key in (ours | theirs)
        if ours.get(key) != theirs.get(key)
    )


def find_reordered_round(one: Sequence[Event], other: Sequence[Event]) -> int:
    """Return the first round with another turn order, or 0.

    A stream that merely ends earlier does not count.
    """
    ours, theirs = _list_turns(one), _list_turns(other)
    last = min(max(ours, default=0), max(theirs, default=0))
    for number in sorted(ours.keys() & theirs.keys()):
        first, second = ours[number], theirs[number]
        shorter = min(len(first), len(second))
        if first[:shorter] != second[:shorter] or (number < last and len(first) != len(second)):
            return number
    return 0


def _list_turns(events: Sequence[Event]) -> dict[int, list[Id]]:
    """Return the slots that had a turn in each round, in order."""
    turns: dict[int, list[Id]] = {}
    number = 0
    for event in events:
        if type(event) is RoundBegan:
            number = event.round
        elif type(event) is TurnBegan:
            turns.setdefault(number, []).append(event.slot)
    return turns


def _list_values(state: State) -> Iterator[tuple[tuple[About, Id, str], Scalar | tuple[str, ...]]]:
    """Yield every value of a state that players would notice, each under a unique key."""
    for who, one in state.combatants.items():
        yield ("side", who, ""), one.side
        yield ("place", who, ""), one.place
        for pool, value in one.pools.items():
            yield ("pool", who, pool), value
        for condition, sources in one.conditions.items():
            yield ("condition", who, condition), sum(sources.values())
        for stat, value in one.stats.items():
            yield ("stat", who, stat), value
        for trait in one.traits:
            named = trait if isinstance(trait, str) else f"{trait.kind} {trait.of}"
            yield ("trait", who, named), True
    for id, item in state.items.items():
        yield ("item", id, ""), item.owner
        yield ("where", id, ""), item.where
        yield ("die", id, ""), item.die
        for counter, value in item.counters.items():
            yield ("counter", id, counter), value
    yield from ((("distance", a, b), metres) for a, apart in state.distances.items() for b, metres in apart.items())
    yield from ((("view", a, b), view) for a, seen in state.views.items() for b, view in seen.items())
    for id, place in state.places.items():
        yield ("terrain", id, ""), place.traits
        for side in {one.side: 0 for one in place.side_traits}:
            yield ("terrain", id, str(side)), tuple(one.trait for one in place.side_traits if one.side == side)
    for id, relation in state.relations.items():
        yield ("relation", id, relation.kind), tuple(sorted(one.who for one in relation.members))
    for owner, clocks in state.clocks.items():
        yield from ((("clock", owner, clock), sum(by.values())) for clock, by in clocks.items())
    yield ("order", "", ""), tuple(slot.id for slot in state.slots)
    yield ("fight", "", "round"), state.round
    yield ("fight", "", "phase"), state.phase
    yield ("fight", "", "up"), tuple(state.acting)
    yield ("fight", "", "ended"), state.ended
    yield ("fight", "", "victors"), ", ".join((state.victors, *state.allied_victors))
