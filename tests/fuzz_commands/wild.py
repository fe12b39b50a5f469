"""Values that people and programs might send for a parameter: what fits, what nearly fits, and nonsense."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from random import Random
from typing import Any, cast

import msgspec
from msgspec import inspect

from affray.engine.core.draft import Draft
from affray.events import find_word
from affray.events.refs import KEY

NONSENSE: tuple[str, ...] = (
    *("", " ", "gm", "*", "fight", "surprise", "dead", "nobody", "a>b", "a|b", "/", "|", "0,0", "1,1", "-0,1", "01,1"),
    *("1,2,3", "1, 2", "99,-99", "100000,100000", "1000001,0", "٣,٤", "²,1", "1_0,1", "a,b", ",", "north", "2d6"),
    *("d1000", "99d999", "clear", "blocked", "half", "cover", "difficult", "hp", "health", "unarmed", "hand"),
    *("allies", "ß" * 60),
    *("group", "melee", "melee-2", "grapple", "mounted", "mount", "rider", "readied", "stress", "slain", "pc"),
    *("Größe", "\u202eeslI", "a\u200bb", "👹", "x" * 200, "x" * 2001, "line\nbreak", "\x1b[31m", "{}", "null"),
)
"""Words that are no name of anything here, or a name of something else."""

NUMBERS: tuple[int, ...] = (*range(-3, 8), 12, 20, 30, 99, 100, 999, 1000, 9_999, 99_999, 1_000_000, -99, -1_000_000)
STRANGE: tuple[Any, ...] = (None, True, 1.5, "1", -1, 2**63, 10**30, [], {}, [[]], {"a": 1}, "x")
"""What is no value of the type that is wanted, most likely."""


class Wild:
    """Makes values at random, in view of a fight as it is.

    Args:
        dice: Where chance comes from.
        draft: The fight.
        known: Words that mean something in the rule system: kinds of actions, keys of data, clauses.
    """

    def __init__(self, dice: Random, draft: Draft, known: Sequence[str]) -> None:
        self.dice = dice
        self.draft = draft
        self.known = known

    def word(self, named: str = "") -> str:
        """Return a word, most often one that names something of the kind that is meant."""
        if self.dice.random() < 0.7:
            return self._of(self._fitting(named))
        if self.dice.random() < 0.6:
            where = self.dice.randrange(len(WORDS) + 1)
            return self._of(WORDS[where](self.draft) if where < len(WORDS) else self.known)
        return self.dice.choice(NONSENSE)

    def value(self, type_: inspect.Type, field: str = "", depth: int = 0) -> Any:
        """Return a value for a field of some type; one time in thirty one of another type."""
        if self.dice.random() < 1 / 30:
            return self.dice.choice(STRANGE)
        return MAKERS[type(type_)](self, type_, field, depth)

    def params(self, form: type[Any]) -> dict[str, Any]:
        """Return parameters for an action or a ruling; now and then one is left out, or one too many."""
        said = _fields(self, form, 0)
        if self.dice.random() < 0.02:
            said[self.word()] = self.word()
        return said

    def _fitting(self, named: str) -> Sequence[str]:
        places = [one.place for one in self.draft.combatants.values()] + list(self.draft.places)
        near = _near(places[self.dice.randrange(len(places))]) if places else ()
        draft = self.draft
        fitting: dict[str, Callable[[], Iterable[str]]] = {
            "combatant": lambda: draft.combatants,
            "item": lambda: draft.items,
            "thing": lambda: draft.items,
            "place": lambda: (*places, *near),
            "slot": lambda: [one.id for one in draft.slots],
            "relation": lambda: [*draft.relations, "allies", "group"],
            "pending": lambda: [one.id for one in draft.stack],
            "side": lambda: [one.side for one in draft.combatants.values()],
            "pool": lambda: [pool for one in draft.combatants.values() for pool in one.pools],
            "stat": lambda: [*self.known, *(stat for one in draft.combatants.values() for stat in one.stats)],
            "counter": lambda: [counter for one in draft.items.values() for counter in one.counters],
            "condition": lambda: [*_conditions(draft), *self.known],
            "text": lambda: ("2d6", "d20", "3d8"),
        }
        return tuple(fitting.get(named, lambda: self.known)())

    def _of(self, options: Iterable[str]) -> str:
        some = list(options)
        return self.dice.choice(some) if some else self.dice.choice(NONSENSE)


def _conditions(draft: Draft) -> list[str]:
    return [condition for one in draft.combatants.values() for condition in one.conditions]


WORDS: tuple[Callable[[Draft], Iterable[str]], ...] = (
    lambda draft: draft.combatants,
    lambda draft: draft.items,
    lambda draft: draft.places,
    lambda draft: draft.relations,
    lambda draft: [one.place for one in draft.combatants.values()],
    lambda draft: [one.id for one in draft.slots],
    lambda draft: [one.id for one in draft.stack],
    _conditions,
    lambda draft: [find_word(trait) for one in draft.combatants.values() for trait in one.traits],
    lambda draft: [key for marks in draft.marks.values() for key in marks],
)
"""Where a fight has names."""


def _near(place: str) -> tuple[str, ...]:
    """Return places beside one that has coordinates."""
    x, comma, y = place.partition(",")
    try:
        here = (int(x), int(y)) if comma else None
    except ValueError:
        here = None
    return tuple(f"{here[0] + dx},{here[1] + dy}" for dx in (-2, -1, 0, 1) for dy in (-1, 0, 2)) if here else ()


def _fields(wild: Wild, form: type[Any], depth: int) -> dict[str, Any]:
    said = {}
    for field in list_fields(form):
        if field.required or wild.dice.random() < (0.45 if depth == 0 else 0.15):
            said[field.encode_name] = wild.value(field.type, field.encode_name, depth + 1)
    if said and wild.dice.random() < 0.02:
        said.pop(wild.dice.choice(list(said)))
    return said


def list_fields(form: type[Any]) -> tuple[inspect.Field, ...]:
    """Return the fields of a struct with what may stand in each."""
    return inspect_fields(cast("Hashable", form))


@cache
def inspect_fields(form: Hashable) -> tuple[inspect.Field, ...]:
    found = inspect.type_info(form)
    assert isinstance(found, inspect.StructType)
    return found.fields


def _number(wild: Wild, type_: Any, field: str, depth: int) -> int:
    low: int | None = type_.ge
    high: int | None = type_.le
    if wild.dice.random() < 0.75 and (low is not None or high is not None):
        low = int(low if low is not None else high - 20 if high is not None else -9)
        high = int(high if high is not None else low + 12)
        return int(
            wild.dice.choice((low, high, wild.dice.randint(low, high), wild.dice.randint(low, min(high, low + 6))))
        )
    return wild.dice.choice(NUMBERS)


def _list(wild: Wild, type_: Any, field: str, depth: int) -> list[Any]:
    count = wild.dice.choice((0, 1, 1, 2, 2, 2, 3, 5))
    if field == "order" and wild.dice.random() < 0.7:
        order = [slot.id for slot in wild.draft.slots]
        wild.dice.shuffle(order)
        return order
    return [wild.value(type_.item_type, field, depth) for _ in range(count)]


def draw_name(wild: Wild, type_: Any, field: str, depth: int) -> Any:
    return wild.word(type_.extra_json_schema[KEY])


def _union(wild: Wild, type_: Any, field: str, depth: int) -> Any:
    return wild.value(wild.dice.choice(type_.types), field, depth)


MAKERS: dict[type[inspect.Type], Callable[[Wild, Any, str, int], Any]] = {
    inspect.StrType: lambda wild, type_, field, depth: wild.word(),
    inspect.Metadata: draw_name,
    inspect.IntType: _number,
    inspect.BoolType: lambda wild, type_, field, depth: wild.dice.random() < 0.5,
    inspect.NoneType: lambda wild, type_, field, depth: None,
    inspect.AnyType: lambda wild, type_, field, depth: wild.dice.choice(STRANGE),
    inspect.LiteralType: lambda wild, type_, field, depth: wild.dice.choice(type_.values),
    inspect.UnionType: _union,
    inspect.VarTupleType: _list,
    inspect.ListType: _list,
    inspect.TupleType: lambda wild, type_, field, depth: [wild.value(one, field, depth) for one in type_.item_types],
    inspect.DictType: lambda wild, type_, field, depth: {
        wild.word(): wild.value(type_.value_type, field, depth) for _ in range(wild.dice.randrange(3))
    },
    inspect.StructType: lambda wild, type_, field, depth: _fields(wild, type_.cls, depth),
}
"""How a value of each kind of type is made."""


def sendable(value: object) -> bytes:
    """Return parameters as JSON; what has none is an empty object."""
    try:
        return msgspec.json.encode(value)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return b"{}"
