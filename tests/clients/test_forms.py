"""The JavaScript client takes and refuses the same values in every field of every event as the engine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from affray.events import EVENTS, LogError, read_line
from affray.events.envelope import decode_payload
from tests.clients.node import ask_script

OTHERS: tuple[Any, ...] = (None, True, 3, "x", [], ["x"], [3], [[]], {}, {"x": 3}, {"x": ["x"]})
"""Values of every kind, each put in the place of every other."""


def sample(kind: inspect.Type) -> Any:
    """Return a value of a type, with something in every list and table."""
    found: Any
    match kind:
        case inspect.StructType():
            found = {field.encode_name: sample(field.type) for field in kind.fields}
        case inspect.VarTupleType():
            found = [sample(kind.item_type)]
        case inspect.TupleType():
            found = [sample(one) for one in kind.item_types]
        case inspect.DictType():
            found = {"x": sample(kind.value_type)}
        case inspect.UnionType():
            found = sample(next(one for one in kind.types if not isinstance(one, inspect.NoneType)))
        case inspect.Metadata():
            found = sample(kind.type)
        case inspect.LiteralType():
            found = kind.values[0]
        case _:
            found = {inspect.IntType: 1, inspect.StrType: "x", inspect.BoolType: True, inspect.RawType: {}}[type(kind)]
    return found


def vary_parts(value: Any) -> Iterator[Any]:
    """Yield a value with one part of it of another kind, and with an entry more or fewer."""
    yield from OTHERS
    if isinstance(value, dict):
        for name, inner in value.items():
            yield {other: one for other, one in value.items() if other != name}
            yield from ({**value, name: one} for one in vary_parts(inner))
    if isinstance(value, list):
        yield [*value, *value]
        yield value[1:]
        yield from ([one, *value[1:]] for one in vary_parts(value[0]))


def line_of(event: Any) -> bytes:
    """Return a line with an event, to which no chain leads."""
    envelope = {"position": 1, "time": "", "who": "mara", "cause": "", "hash": ""}
    return json.dumps({**envelope, "event": event}).encode()


def is_read(line: bytes) -> bool:
    """Tell whether the engine reads the event of a line."""
    try:
        decode_payload(read_line(line))
    except LogError:
        return False
    return True


@pytest.fixture(scope="module")
def lines() -> dict[type[msgspec.Struct], list[bytes]]:
    """Lines with an event of each type as it should be, and with what it can be altered to."""
    found: dict[type[msgspec.Struct], list[bytes]] = {}
    for event in EVENTS:
        whole = sample(inspect.type_info(event))
        found[event] = [
            line_of({"type": event.__name__, **one}) for one in (whole, *vary_parts(whole)) if isinstance(one, dict)
        ]
    return found


@pytest.fixture(scope="module")
def client_reads(lines: dict[type[msgspec.Struct], list[bytes]]) -> dict[bytes, bool]:
    """Tell whether the JavaScript client reads each line."""
    every = [line for some in lines.values() for line in some]
    answers = ask_script("chains.mjs", [{"lines": [line.decode()]} for line in every])
    return {line: "unreadable" not in answer for line, answer in zip(every, answers, strict=True)}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.__name__)
def test_the_client_reads_an_event_if_the_engine_does(
    event: type[msgspec.Struct], lines: dict[type[msgspec.Struct], list[bytes]], client_reads: dict[bytes, bool]
) -> None:
    """Also where a list holds one entry more or fewer, or a part is of another kind."""
    assert is_read(lines[event][0])
    assert [line for line in lines[event] if is_read(line) != client_reads[line]] == []
