"""The draft that the fold writes: a mutable state, private to it.

Tables that the draft shares with a frozen state are copied only before they are written. So freezing a state costs the
same for five combatants as for five hundred.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, get_args

from msgspec.structs import replace

from affray.events import FoeDetail, Id, MarkPart, PlayerUndo, Scalar, Slot, WhenAsked

from .state import Awaited, Combatant, Item, MarksBy, Pending, Place, Postponed, Question, Relation, State, Window

_FIELDS = tuple(name for name in State.__struct_fields__ if name != "stack")
_COMPARED = tuple(name for name in _FIELDS if name != "counts")

MarkValue = Scalar | tuple[str, ...]
"""A value that a mark can have."""

RANK = {ask: nth for nth, ask in enumerate(get_args(WhenAsked))}
"""The rank of each frequency of questions in windows; 0 is the most often."""


class Draft:
    """A state that the fold's handlers may write. Its fields are those of ``State``.

    ``derived`` caches values that tables compute from combatants. Handlers empty it whenever a combatant, a side, a
    trait, a condition, a relation or a concealment changes. ``carried`` caches values that tables compute from the
    things of an owner. Handlers drop that whenever such a thing comes, goes or moves.
    """

    __slots__ = (*_FIELDS, "_occupants", "_owned", "_owned_items", "_pools")
    __slots__ += ("carried", "derived", "stack")

    system: str
    version: str
    fight: str
    config: Any
    round: int
    slots: tuple[Slot, ...]
    up: Id
    acting: tuple[Id, ...]
    question: Question | None
    awaited: Awaited | None
    postponed: tuple[Postponed, ...]
    window: Window | None
    dice_scheme: int
    format: int
    dice_generation: int
    ended: bool
    victors: str
    allied_victors: tuple[str, ...]
    concealed: tuple[Id, ...]
    combatants: dict[Id, Combatant]
    items: dict[Id, Item]
    relations: dict[Id, Relation]
    places: dict[Id, Place]
    distances: dict[Id, Mapping[Id, int]]
    views: dict[Id, Mapping[Id, str]]
    marks: dict[Id, MarksBy[MarkValue]]
    mark_parts: dict[Id, MarksBy[Mapping[str, MarkPart]]]
    clocks: dict[Id, Mapping[str, Mapping[str, int]]]
    phases: dict[Id, str]
    counts: dict[Id, int]
    standing: dict[Id, str]
    stops: dict[str, str]
    patience: int
    player_undo: PlayerUndo
    dice_sources: dict[Id, str]
    side_dice: dict[str, str]
    departed: dict[Id, Combatant]
    veiled: dict[Id, Mapping[str, int]]
    foes: FoeDetail
    heroes: tuple[str, ...]
    stack: list[Pending]
    carried: dict[Id, dict[Hashable, Any]]
    derived: dict[Hashable, Any]

    def __init__(self, state: State) -> None:
        """Start from a frozen state, which is left unchanged."""
        for name in _FIELDS:
            setattr(self, name, getattr(state, name))
        self.stack = list(state.stack)
        self._owned: dict[str, dict[Any, Any]] = {}
        self._pools: dict[Id, dict[str, int]] = {}
        self.carried = {}
        self.derived = {}
        self._occupants: dict[Id, tuple[Id, ...]] | None = None
        self._owned_items: dict[Id, tuple[Id, ...]] | None = None

    def freeze(self) -> State:
        """Return the present content as a frozen state; the draft goes on from there."""
        self._owned.clear()
        self._pools.clear()
        fields = {name: getattr(self, name) for name in _FIELDS}
        return State(stack=tuple(self.stack), **fields)

    def restore(self, state: State) -> None:
        """Go back to a state that was frozen before, and empty the caches."""
        carried, derived = self.carried, self.derived
        Draft.__init__(self, state)
        carried.clear()
        derived.clear()
        self.carried, self.derived = carried, derived

    def differs_from(self, state: State) -> bool:
        """Tell whether anything but ``counts`` differs from a frozen state."""
        differs = (getattr(self, name) != getattr(state, name) for name in _COMPARED)
        return tuple(self.stack) != state.stack or any(differs)

    def counter(self, actor: Id, kind: str) -> Id:
        """Return the key in ``counts`` that numbers an actor's declarations.

        It numbers declarations of one kind; in dice scheme 1 those of all kinds. It ends with a dot, so that no turn or
        window is counted under it.
        """
        return f"{actor}/{kind}." if self.dice_scheme > 1 else actor

    def declarations(self, actor: Id) -> int:
        """Count an actor's declarations of this round, of every kind."""
        if self.dice_scheme == 1:
            return self.counts.get(actor, 0)
        return sum(many for key, many in self.counts.items() if key.endswith(".") and key.startswith(f"{actor}/"))

    def asking_frequency(self, who: Id, what: str = "") -> str:
        """Return how often a combatant is asked in a kind of window.

        The lower frequency of the table's setting and the combatant's own applies.
        """
        if not self.stops:
            return self.standing.get(who, "always")
        table = self.stops.get(what) or self.stops.get("", "always")
        return max(table, self.standing.get(who, "always"), key=RANK.__getitem__)

    def mark(self, owner: Id, key: str, about: str = "") -> MarkValue:
        """Return the value of a subject's mark; ``None`` if there is none."""
        return self.marks.get(owner, {}).get(key, {}).get(about)

    def clock(self, owner: Id, clock: str, about: str = "") -> int:
        """Return the number that a clock shows; 0 if it was never set."""
        return self.clocks.get(owner, {}).get(clock, {}).get(about, 0)

    @property
    def phase(self) -> str:
        """The present phase: that of the pending action on top, or the fight's own."""
        try:
            return self.phases[self.stack[-1].id if self.stack else ""]
        except KeyError:
            return ""

    @property
    def quiet(self) -> bool:
        """True if nothing is pending, asked or awaited.

        Then the state alone determines how the fight goes on.
        """
        return not self.stack and self.question is None and self.awaited is None and self.window is None

    @property
    def waits_for(self) -> Id:
        """The id of the question or roll that blocks all declarations; empty if none."""
        return self.question.id if self.question else self.awaited.roll if self.awaited else ""

    def is_waiting_for(self, id: Id) -> bool:
        """Tell whether a question or roll of this id is open, postponed or not."""
        return id in (self.waits_for, *[one.id for one in self.postponed])

    def postpone(self, id: Id) -> None:
        """Postpone the present question or roll, unless it has this id."""
        if self.waits_for not in ("", id):
            self.postponed = (*self.postponed, Postponed(question=self.question, awaited=self.awaited))
        self.question = self.awaited = None

    def stop_waiting_for(self, id: Id) -> None:
        """Remove the question or roll of this id; a postponed one takes its place."""
        if self.waits_for != id:
            self.postponed = tuple([one for one in self.postponed if one.id != id])
            return
        self.question = self.awaited = None
        if self.postponed:
            *left, last = self.postponed
            self.postponed, self.question, self.awaited = tuple(left), last.question, last.awaited

    @property
    def occupants(self) -> dict[Id, tuple[Id, ...]]:
        """The combatants at each place, in alphabetical order; computed on first use."""
        if self._occupants is None:
            self._occupants = _by_key([(one.place, one.id) for one in self.combatants.values() if one.place])
        return self._occupants

    @property
    def owned_items(self) -> dict[Id, tuple[Id, ...]]:
        """The items of each owner, in alphabetical order; computed on first use."""
        if self._owned_items is None:
            self._owned_items = _by_key([(item.owner, item.id) for item in self.items.values() if item.owner])
        return self._owned_items

    def own(self, table: str) -> Any:
        """Return a dict of the draft for writing; copy it first if it is shared."""
        try:
            return self._owned[table]
        except KeyError:
            owned = self._owned[table] = dict(getattr(self, table))
            setattr(self, table, owned)
            return owned

    def pools(self, who: Id) -> dict[str, int]:
        """Return a combatant's counters for writing."""
        try:
            return self._pools[who]
        except KeyError:
            combatant = self.combatants[who]
            pools = self._pools[who] = dict(combatant.pools)
            self.own("combatants")[who] = replace(combatant, pools=pools)
            return pools

    def depart(self, who: Id) -> Combatant:
        """Move a combatant from the fight to ``departed``, and return it."""
        gone: Combatant = self.own("combatants").pop(who)
        self._pools.pop(who, None)
        self.own("departed")[who] = gone
        return gone

    def change(self, who: Id, **fields: Any) -> None:
        """Change fields of a combatant."""
        self.own("combatants")[who] = replace(self.combatants[who], **fields)

    def change_item(self, item: Id, **fields: Any) -> None:
        """Change fields of an item."""
        self.own("items")[item] = replace(self.items[item], **fields)

    def settle(self, who: Id, before: Id, after: Id) -> None:
        """Update the index of occupants after a change of place; an empty id is no place."""
        if self._occupants is not None:
            _move_in_index(self._occupants, who, before, after)

    def hand_over(self, item: Id, before: Id, after: Id) -> None:
        """Update the caches of owners when a thing changes; an empty id is no owner."""
        self.carried.pop(before, None)
        self.carried.pop(after, None)
        if before != after and self._owned_items is not None:
            _move_in_index(self._owned_items, item, before, after)


def _by_key(pairs: Iterable[tuple[Id, Id]]) -> dict[Id, tuple[Id, ...]]:
    index: defaultdict[Id, list[Id]] = defaultdict(list)
    for key, value in pairs:
        index[key].append(value)
    return {key: tuple(sorted(values)) for key, values in index.items()}


def _move_in_index(index: dict[Id, tuple[Id, ...]], value: Id, before: Id, after: Id) -> None:
    if before:
        left = tuple(other for other in index[before] if other != value)
        if left:
            index[before] = left
        else:
            del index[before]
    if after:
        index[after] = tuple(sorted((*index.get(after, ()), value)))
