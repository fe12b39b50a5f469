"""Which structs a client meets, and what their docstrings say of each field."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.inspect import DictType, StructType, Type, UnionType, VarTupleType

from affray.engine.commands import Amend, Close, Redo, Stir, Undo
from affray.engine.hiding import WireLine
from affray.engine.state import State
from affray.events import EVENTS, Answered, AskingSet, Declared, DiceEntered, Passed, Recorded, Ruled

INTENTS: tuple[type[Struct], ...] = (
    Declared,
    Answered,
    Passed,
    AskingSet,
    DiceEntered,
    Ruled,
    Undo,
    Redo,
    Amend,
    Stir,
    Close,
)
"""What a command may ask."""

ROOTS: tuple[type[Struct], ...] = (Recorded, WireLine, State, *INTENTS)
"""From these, and the events, every other struct is reached."""


def structs(*roots: type[Struct]) -> dict[str, StructType]:
    """Return every event, and every other struct that is reached from these, by name."""
    found: dict[str, StructType] = {}
    for root in (*EVENTS, *roots):
        for kind in _within(msgspec.inspect.type_info(root)):
            name = kind.cls.__name__
            assert found.setdefault(name, kind).cls is kind.cls, f"two structs are called {name}"
    return found


def _within(kind: Type) -> Iterator[StructType]:
    match kind:
        case StructType():
            yield kind
            for field in kind.fields:
                yield from _within(field.type)
        case VarTupleType():
            yield from _within(kind.item_type)
        case DictType():
            yield from _within(kind.value_type)
        case UnionType():
            for one in kind.types:
                yield from _within(one)
        case _:
            pass


def told(cls: type) -> tuple[str, dict[str, str]]:
    """Return what a docstring says of the whole, and of each field; what several share stands with the first."""
    whole, _, attributes = cleandoc(cls.__doc__ or "").partition("\nAttributes:\n")
    fields: dict[str, str] = {}
    for names, words in re.findall(r"^ {4}([\w, ]+): (.*(?:\n {5,}.*)*)", attributes, re.MULTILINE):
        fields[names.split(", ")[0]] = _plain(" ".join(words.split()))
    return _plain(" ".join(whole.split())), fields


def _plain(words: str) -> str:
    return words.replace("``", "`")


def fallback(field: msgspec.inspect.Field) -> Any:
    """Return what a field is where it is left out."""
    return field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
