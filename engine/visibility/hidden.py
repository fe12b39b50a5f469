"""The hidden facts of a state, and the combatants that an event or part concerns."""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.commands import GM
from affray.engine.core.draft import Draft
from affray.engine.core.loading import load
from affray.engine.core.marks import NO_MARKS, StructMark, find_mark
from affray.engine.core.open_parts import rests_on_concealed
from affray.engine.core.state import Question, State
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.core.words import PoolWord
from affray.events import (
    Answered,
    AnySource,
    Asked,
    Damaged,
    DieStepped,
    Id,
    ItemAdded,
    ItemCounted,
    Joined,
    Judged,
    Modifier,
    OrderSet,
    RelationSet,
    SideChanged,
    StatChanged,
    Veiled,
    owner_of,
)

from .foes import list_foes
from .readers import Reading, Scope
from .references import read_as_kind, read_struct

_UNDECLARED = PoolWord()

ABOUT_NUMBERS = (Joined, Damaged, StatChanged, Veiled)
"""The events that always tell of a combatant's counters."""


class Hidden:
    """The facts of a fight that are hidden from a viewer.

    Attributes:
        concealed: The combatants that are concealed.
        pools: The hidden counters of each combatant.
        sheets: The foes whose sheets and things are hidden in numbers.
        scope: The ids that lead to them.
        slots: The ids of slots that are the name of a concealed combatant, without groups and known sides.
    """

    __slots__ = ("_words", "concealed", "pools", "scope", "sheets", "slots")

    def __init__(
        self,
        of: State | Draft,
        concealed: frozenset[Id],
        pools: Mapping[Id, Collection[str]],
        sheets: frozenset[Id] = frozenset(),
    ) -> None:
        self.concealed = concealed
        self.pools = pools
        self.sheets = sheets
        self.scope = _scope(of, concealed, concealed.union(pools))
        self.slots = _called_like(concealed, of, self.scope.sides)
        words = self.scope.rules.vocabulary if self.scope.rules else None
        self._words = {who: frozenset().union(*[_telling(words, pool) for pool in pools[who]]) for who in pools}

    def found_in(self, said: Struct) -> set[Id]:
        """Return the combatants with hidden facts that a struct tells.

        A turn order tells of the members of its slots, and of combatants that share a slot's name. A slot may have the
        name of a hidden relation. A relation tells of its members only: its id may be that of a hidden one before or
        after. The side of a known combatant is no secret, even with concealed members.
        """
        if isinstance(said, SideChanged):
            return {said.who} & self.concealed
        if isinstance(said, Joined) and said.who not in self.concealed:
            said = replace(said, side="")
        if isinstance(said, RelationSet):
            return {member.who for member in said.members if member.who in self.concealed}
        if isinstance(said, OrderSet):
            members = {who for slot in said.slots for who in slot.members if who in self.concealed}
            return members | {slot.id for slot in said.slots if slot.id in self.slots}
        reading = read_struct(said, self.scope)
        if isinstance(said, Asked | Question | Answered) and (asked := _list_asked(said)):
            return (reading.who & self.concealed) | self.told_by(Reading(reading.who & asked, reading.words))
        found = self.told_by(reading, all_numbers=isinstance(said, ABOUT_NUMBERS))
        return found | self._sheets_in(said) if self.sheets else found

    def _sheets_in(self, said: Struct) -> set[Id]:
        """List the foes with things that an event describes in numbers."""
        if isinstance(said, ItemAdded):
            return {said.owner} & self.sheets
        return {owner_of(said.item)} & self.sheets if isinstance(said, DieStepped | ItemCounted) else set()

    def told_by(self, found: Reading, *, all_numbers: bool = False) -> set[Id]:
        """Return the combatants with hidden facts that a reading tells."""
        return {who for who in found.who if who in self.concealed or self._numbers(who, found.words, all_numbers)}

    def named_as(self, kind: str, text: AnySource) -> set[Id]:
        """Return the concealed combatants that a text of a kind concerns.

        Kinds are called as in ``affray.events.refs``.
        """
        return read_as_kind(kind, text, self.scope) & self.concealed

    def named_as_sources(self, sources: Iterable[AnySource]) -> set[Id]:
        """List the combatants that have a hidden counter among these sources of numbers."""
        return set().union(*[self.found_in(Modifier(value=0, label="", source=one)) for one in sources])

    def names_concealed(self, id: Id) -> bool:
        """Tell whether an id names a concealed combatant, or an item of one."""
        thing = id in self.scope.things
        return id in self.concealed or (thing and not self.concealed.isdisjoint((owner_of(id), self.scope.things[id])))

    def _numbers(self, who: Id, words: Collection[str], all_of_them: bool) -> bool:
        return who in self.pools and (all_of_them or not self._words[who].isdisjoint(words))

    def pool_in(self, word: str, who: Id) -> bool:
        """Tell whether a word of the rules tells of a combatant's hidden counters."""
        return word in self._words.get(who, ())


def hidden_in(of: State | Draft, known: Collection[Id] = ()) -> Hidden | None:
    """Return the facts hidden from a player of these combatants; ``None`` for none."""
    if not of.concealed and not of.veiled:
        return None
    concealed = frozenset(who for who in of.concealed if who not in known)
    pools = {who: tuple(pools) for who, pools in of.veiled.items() if who not in known}
    return Hidden(of, concealed, pools, list_foes(of).intersection(pools)) if concealed or pools else None


def is_about_concealed(said: Struct, of: Draft) -> bool:
    """Tell whether a struct tells of a combatant that is concealed in a draft."""
    hidden = hidden_in(of) if of.concealed else None
    return hidden is not None and not hidden.found_in(said).isdisjoint(hidden.concealed)


def find_veiled(said: Struct, of: Draft) -> frozenset[Id]:
    """List the combatants with a veiled counter that an event or an option reveals."""
    hidden = hidden_in(of) if of.veiled else None
    return frozenset() if hidden is None else frozenset(hidden.found_in(said) - hidden.concealed)


def list_veiled_sources(sources: Iterable[AnySource], of: Collection[Id] | None, state: Draft) -> tuple[AnySource, ...]:
    """Return the sources of numbers that are veiled counters, each once.

    Args:
        of: The combatants whose counters count; ``None`` for all.
    """
    hidden = hidden_in(state)
    found = {} if hidden is None else {one: hidden.named_as_sources((one,)) - hidden.concealed for one in sources}
    return tuple([one for one, who in found.items() if who and (of is None or who.issubset(of))])


def _list_asked(said: Asked | Question | Answered) -> set[Id]:
    """List the combatants that are asked, and so may read their own numbers in a question or its answer.

    It is empty if the game master is asked: then a question can be about all combatants that it names.
    """
    asked = {said.by} if isinstance(said, Answered) else {*said.of}
    return set() if GM in asked else asked


MARGINED = frozenset({Judged, Damaged})
"""The events that can tell the margin of a roll."""


def hide_margin(event: Judged | Damaged, veiled: frozenset[Id], margins: Container[str]) -> Judged | Damaged:
    """Remove the margin of a roll from its outcome; mark damage by that margin as telling of veiled counters.

    Args:
        veiled: The combatants whose veiled counters took part in the roll.
        margins: The sources that mean a margin, as the rule system declares them.
    """
    if isinstance(event, Judged):
        return replace(event, margin=0)
    tells = tuple(sorted(veiled))
    return replace(
        event, terms=tuple([replace(one, tells=tells) if one.source in margins else one for one in event.terms])
    )


def _telling(words: Vocabulary | None, pool: str) -> frozenset[str]:
    """Return the words of the rules that tell of a counter.

    They are its name, its maximum, and the words declared for it.
    """
    word = words.pools.get(pool, _UNDECLARED) if words else _UNDECLARED
    return frozenset({pool, word.most, *word.told_by} - {""})


def _scope(of: State | Draft, concealed: frozenset[Id], people: frozenset[Id]) -> Scope:
    things = {item.id: item.owner for item in of.items.values() if item.owner in people or owner_of(item.id) in people}
    groups: Mapping[str, Mapping[Id, tuple[Id, ...]]] = _resting(of, concealed) if concealed else _NONE
    sides = frozenset(one.side for one in of.combatants.values() if one.id not in concealed)
    slots = frozenset(one.id for one in of.slots if not concealed.issuperset(one.members))
    slots -= _called_like(concealed, of, sides)
    return Scope(people, things, groups, slots, sides, load(of.system) if of.system else None)


def _called_like(concealed: frozenset[Id], of: State | Draft, sides: Container[Id]) -> frozenset[Id]:
    """Return the concealed combatants that a slot id names, not a group or known side."""
    return frozenset(who for who in concealed if who not in of.relations and who not in sides)


_NONE: Mapping[str, Mapping[Id, tuple[Id, ...]]] = {"purpose": {}, "relation": {}, "side": {}, "slot": {}}


def _resting(of: State | Draft, concealed: frozenset[Id]) -> dict[str, dict[Id, tuple[Id, ...]]]:
    """Return by kind the groups that rest on concealed combatants, with these members.

    A purpose, such as a question's topic, rests on the combatants that its mark names.
    """
    sides: dict[Id, list[Id]] = {}
    for one in of.combatants.values():
        sides.setdefault(one.side, []).append(one.id)
    relations = (one for one in of.relations.values() if rests_on_concealed(one, concealed, of))
    return {
        "purpose": _noted_purposes(of, concealed),
        "relation": {one.id: tuple([it.who for it in one.members if it.who in concealed]) for one in relations},
        "side": {side: tuple(members) for side, members in sides.items() if concealed.issuperset(members)},
        "slot": {one.id: one.members for one in of.slots if one.members and concealed.issuperset(one.members)},
    }


def _noted_purposes(of: State | Draft, concealed: frozenset[Id]) -> dict[Id, tuple[Id, ...]]:
    """Return the purposes with a mark that names concealed combatants, with those."""
    marks = load(of.system).marks if of.system else NO_MARKS
    found = {}
    for key, held in chain.from_iterable(table.items() for table in of.mark_parts.values()):
        mark = find_mark(marks, key, "")
        if isinstance(mark, StructMark) and mark.asks:
            for about, parts in held.items():
                found[f"{mark.asks}:{about}"] = tuple([who for who in _list_named(mark, parts) if who in concealed])
    return found


def _list_named(mark: StructMark[Any], parts: Mapping[str, object]) -> Iterator[Id]:
    """Yield the combatants in the struct of a mark."""
    for field in mark.list_fields("combatant"):
        named = parts.get(field, ())
        yield from named if isinstance(named, tuple) else (str(named),)
