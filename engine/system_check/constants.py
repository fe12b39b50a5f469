"""Faults of constants: values of an event, a roll or a question that are not of the field's type."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from .source import Source, SystemFault


def find_constant_faults(sources: tuple[Source, ...]) -> Iterator[SystemFault]:
    """Yield the constants in calls of events and effects that are not of the field's type."""
    for source in sources:
        for node in source.nodes:
            if isinstance(node, ast.Call) and node.keywords:
                called = source.resolve(node.func)
                if isinstance(called, type) and issubclass(called, Struct):
                    yield from _check_call(node, called, source)


def _check_call(call: ast.Call, called: type[Struct], source: Source) -> Iterator[SystemFault]:
    types = _types_of(called)
    for given in call.keywords:
        kind = types.get(given.arg or "", Any)
        if isinstance(given.value, ast.Constant):
            try:
                msgspec.convert(given.value.value, kind)
            except msgspec.ValidationError as error:
                message = f"{called.__name__}: {given.arg} has the wrong type: {error}"
                yield source.fault("rules", given.value, message)


@cache
def _types_of(called: type[Struct]) -> Mapping[str, Any]:
    """Return the types of a struct's fields; none where msgspec cannot tell them, or converts to no such value."""
    try:
        found = {one.name: one.type for one in msgspec.structs.fields(called)}
    except (NameError, TypeError):
        return {}
    return {name: kind for name, kind in found.items() if _is_plain(kind)}


def _is_plain(kind: Any) -> bool:
    """Tell whether msgspec can convert to a type."""
    try:
        msgspec.json.Decoder(kind)
    except (TypeError, NameError):
        return False
    return True
