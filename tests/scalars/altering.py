"""Every scalar of a log, and the other values a forger could write in its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
import msgspec.inspect

from affray.events import EVENTS, Recorded
from tests.forging import encode_obj, rechain_lines

Path = tuple[str | int, ...]
"""Keys and indices that lead to a value of a JSON object."""

TYPES = {event.__name__: event for event in EVENTS}

NOT_ALTERED = ("position", "hash", "more")
"""Parts of the envelope that the chain itself counts; other tests alter them."""

FREE_WORD, FREE_NUMBER = "altered", 7


class Place(NamedTuple):
    """A scalar of a log.

    Attributes:
        line: Index of the line.
        path: Where the scalar stands in the line's JSON object.
        kind: The event type and the path without indices and free keys, such as ``Joined.name``.
        value: The recorded value; the default where the field is absent.
        among: The values that the type of the field lists, if it does.
    """

    line: int
    path: Path
    kind: str
    value: Any
    among: tuple[Any, ...] = ()


def places(lines: Sequence[bytes]) -> Iterator[Place]:
    """Yield every scalar of a log: what is written, and each absent field of an event."""
    for nth, line in enumerate(lines):
        obj = json.loads(line)
        event = obj["event"]
        for path, value in _scalars(event, ()):
            if path != ("type",):
                among = list_literal_fields(event["type"]).get(str(path[0]), ()) if len(path) == 1 else ()
                yield Place(nth, ("event", *path), _kind(event["type"], path), value, among)
        for field, value in _absent(event):
            among = list_literal_fields(event["type"]).get(field, ())
            yield Place(nth, ("event", field), f"{event['type']}.{field}", value, among)
        for field, value in obj.items():
            if field not in ("event", *NOT_ALTERED):
                for path, scalar in _scalars(value, (field,)):
                    yield Place(nth, path, f"{Recorded.__name__}.{field}", scalar)


def _scalars(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if parts is None:
        yield path, value
        return
    for key, part in parts:
        yield from _scalars(part, (*path, key))


def _absent(event: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the scalar fields of an event that are absent, each with its default."""
    for field in msgspec.structs.fields(TYPES[event["type"]]):
        if field.encode_name not in event and isinstance(field.default, str | int):
            yield field.encode_name, field.default


@cache
def list_literal_fields(type: str) -> dict[str, tuple[Any, ...]]:
    """Return the fields of a type of event that take one of a list of values, each with these."""
    told = msgspec.inspect.type_info(TYPES[type])
    assert isinstance(told, msgspec.inspect.StructType)
    kinds = {field.encode_name: field.type for field in told.fields}
    return {name: kind.values for name, kind in kinds.items() if isinstance(kind, msgspec.inspect.LiteralType)}


OPEN_KEYS = {"about", "config", "fields", "params", "sheet", "stats", "pools", "value", "choice", "traits", "counters"}
"""Fields whose keys are the rule system's own."""


def _kind(type: str, path: Path) -> str:
    steps: list[str] = []
    for step in path:
        if isinstance(step, str):
            steps.append(step)
        if step in OPEN_KEYS:
            break
    return ".".join((type, *steps))


def altered(place: Place, same_kind: Sequence[Any]) -> Iterator[Any]:
    """Yield other values for a scalar: all that its type lists, or one from elsewhere in the log and a free one."""
    value = place.value
    if place.among:
        yield from [one for one in place.among if one != value]
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
        yield from [one for one in same_kind if type(one) is int and one not in (value, value + 1)][:1]
    elif isinstance(value, str):
        yield value + "x" if value else FREE_WORD
        yield from [one for one in same_kind if isinstance(one, str) and one and one != value][:1]
    elif value is None:
        yield FREE_WORD
    else:
        yield value + 1


def with_value(lines: Sequence[bytes], place: Place, value: Any) -> list[bytes]:
    """Return a log with another value at a place and a new chain; a sender changes in the whole command."""
    log = list(lines)
    first = last = place.line
    if place.path[0] in ("who", "cause", "time", "known_to", "mask"):
        first, last = _command(lines, place.line)
    for nth in range(first, last + 1):
        obj = json.loads(log[nth])
        parent = obj
        for step in place.path[:-1]:
            parent = parent[step]
        parent[place.path[-1]] = value
        log[nth] = _spelt(obj)
    return rechain_lines(log, first)


def _command(lines: Sequence[bytes], nth: int) -> tuple[int, int]:
    cause = json.loads(lines[nth])["cause"]
    first = last = nth
    while first and json.loads(lines[first - 1])["cause"] == cause:
        first -= 1
    while last + 1 < len(lines) and json.loads(lines[last + 1])["cause"] == cause:
        last += 1
    return first, last


_recorded = msgspec.json.Decoder(Recorded)


def _spelt(obj: dict[str, Any]) -> bytes:
    """Return a line in its one spelling where it is an event of ours, else as JSON."""
    try:
        return msgspec.json.encode(_recorded.decode(encode_obj(obj)))
    except msgspec.MsgspecError:
        return encode_obj(obj)
