"""Values of any type of the vocabulary, made from the types themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import Raw, inspect

from affray.events import EVENTS, Event

WORDS = st.text(max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


def draw_of_type(told: inspect.Type) -> st.SearchStrategy[Any]:
    """Return values of a type as ``msgspec`` describes it."""
    return MADE[type(told)](told)


def _of_int(told: Any) -> st.SearchStrategy[int]:
    return st.integers(-(2**63) if told.ge is None else told.ge, 2**63 - 1 if told.le is None else told.le)


def _of_struct(told: Any) -> st.SearchStrategy[Any]:
    return st.builds(told.cls, **{field.name: draw_of_type(field.type) for field in told.fields})


MADE: dict[type[inspect.Type], Callable[[Any], st.SearchStrategy[Any]]] = {
    inspect.BoolType: lambda _: st.booleans(),
    inspect.DictType: lambda told: st.dictionaries(
        draw_of_type(told.key_type), draw_of_type(told.value_type), max_size=3
    ),
    inspect.IntType: _of_int,
    inspect.LiteralType: lambda told: st.sampled_from(told.values),
    inspect.NoneType: lambda _: st.none(),
    inspect.RawType: lambda _: JSON.map(lambda value: Raw(msgspec.json.encode(value))),
    inspect.StrType: lambda _: WORDS,
    inspect.StructType: _of_struct,
    inspect.TupleType: lambda told: st.tuples(*(draw_of_type(one) for one in told.item_types)),
    inspect.UnionType: lambda told: st.one_of([draw_of_type(one) for one in told.types]),
    inspect.Metadata: lambda told: draw_of_type(told.type),
    inspect.VarTupleType: lambda told: st.lists(draw_of_type(told.item_type), max_size=3).map(tuple),
}
"""How values of each kind of type are made."""


def of_event(type_: type[Event]) -> st.SearchStrategy[Event]:
    """Return events of a type."""
    return draw_of_type(inspect.type_info(type_))


events = st.one_of([of_event(type_) for type_ in EVENTS])
"""Events of every type."""
