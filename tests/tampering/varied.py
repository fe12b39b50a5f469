"""Anything with one thing about it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from affray.events import Declared, Event
from tests.tampering.fights import Closed


class Variant(NamedTuple):
    """An event with one field changed."""

    field: str
    event: Event


def variants(event: Event, ids: Sequence[str]) -> Iterator[Variant]:
    """Yield an event with each field changed in turn."""
    for field in event.__struct_fields__:
        for value in vary_value(getattr(event, field), ids, field):
            yield Variant(field, replace(event, **{field: value}))


def vary_value(value: Any, ids: Sequence[str], field: str) -> Iterator[Any]:
    """Yield other values for a field of this name; for a combatant's field, another combatant."""
    for kind, change in CHANGES.items():
        if isinstance(value, kind):
            yield from change(value, ids, field)
            return


def _params(value: Raw, ids: Sequence[str], field: str) -> Iterator[Raw]:
    for changed in vary_value(msgspec.json.decode(value), ids, field):
        yield Raw(msgspec.json.encode(changed))


def _word(value: str, ids: Sequence[str], field: str) -> Iterator[str]:
    if field == "ask":
        yield "always" if value == "never" else "never"
    else:
        yield next(one for one in ids if one != value) if value in ids else f"{value}~"


def _several(value: tuple[Any, ...], ids: Sequence[str], field: str) -> Iterator[tuple[Any, ...]]:
    if value:
        if field != "pair":
            yield value[:-1]
        for changed in vary_value(value[0], ids, field):
            yield (changed, *value[1:])
    elif field in {"rules", "targets", "tags"}:
        yield (ids[0],)


def _table(value: dict[str, Any], ids: Sequence[str], _: str) -> Iterator[dict[str, Any]]:
    for key, one in value.items():
        for changed in vary_value(one, ids, key):
            yield {**value, key: changed}


def _parts(value: Struct, ids: Sequence[str], _: str) -> Iterator[Struct]:
    for name in value.__struct_fields__:
        for changed in vary_value(getattr(value, name), ids, name):
            yield replace(value, **{name: changed})


CHANGES: dict[type[Any], Callable[[Any, Sequence[str], str], Iterator[Any]]] = {
    Raw: _params,
    bool: lambda value, *_: iter((not value,)),
    int: lambda value, *_: iter((value + 1,)),
    str: _word,
    tuple: _several,
    dict: _table,
    Struct: _parts,
}
"""How each kind of value is changed; the first that fits."""


def list_fight_ids(fight: Closed) -> list[str]:
    return list(dict.fromkeys(one.event.actor for one in fight.log if isinstance(one.event, Declared)))
