"""Encounters and parties as TOML, in the usual hand-written form."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Table

from affray.engine.errors import Unusable
from affray.engine.limits import DEEPEST


def toml_of(content: Mapping[str, Any]) -> str:
    """Return content as TOML: top-level fields, tables, then each ``[[combatant]]``.

    A field that is null is left out.

    Raises:
        Unusable: the content has a value that TOML cannot hold.
    """
    whole = tomlkit.document()
    for key, value in _in_order(content):
        if isinstance(value, Mapping):
            whole.add(tomlkit.key(key), _table(value, key))
        elif _is_entries(value):
            entries = tomlkit.aot()
            for nth, one in enumerate(value):
                entries.append(_table(one, f"{key}[{nth}]"))
            whole.add(tomlkit.key(key), entries)
        else:
            whole.add(tomlkit.key(key), _value(value, key, 1))
    try:
        text = tomlkit.dumps(whole)
        text.encode()
    except (TOMLKitError, UnicodeEncodeError, RecursionError):
        raise Unusable("holds what cannot be written as TOML") from None
    return text


def _in_order(content: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Sort plain values before tables, as TOML requires; leave out nulls."""
    said = [(key, value) for key, value in content.items() if value is not None]
    rank = {True: 1, False: 0}
    return sorted(said, key=lambda one: 2 if _is_entries(one[1]) else rank[isinstance(one[1], Mapping)])


def _is_entries(value: object) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _table(content: Mapping[str, Any], field: str) -> Table:
    table = tomlkit.table()
    for key, value in content.items():
        if value is not None:
            table.add(tomlkit.key(key), _value(value, f"{field}.{key}", 2))
    return table


def _value(value: Any, field: str, depth: int) -> Any:
    """Format a value on one line, as it follows its key."""
    if depth > DEEPEST:
        raise Unusable(f"must not be nested more than {DEEPEST} deep", field)
    if isinstance(value, Mapping):
        return _inline(value, field, depth)
    if isinstance(value, list | tuple):
        array = tomlkit.array()
        for nth, one in enumerate(value):
            array.append(_value(one, f"{field}[{nth}]", depth + 1))
        return array
    if isinstance(value, bool | int | float | str):
        return tomlkit.item(value)
    raise Unusable(f"cannot be {value!r} in a TOML file", field)


def _inline(value: Mapping[str, Any], field: str, depth: int) -> InlineTable:
    table = tomlkit.inline_table()
    for key, one in value.items():
        if one is not None:
            table.append(tomlkit.key(key), _value(one, f"{field}.{key}", depth + 1))
    return table


def toml_with(text: str, content: Mapping[str, Any]) -> str:
    """Return a file's text with other content; keep the comments of unchanged parts.

    Raises:
        Unusable: the content has a value that TOML cannot hold.
    """
    anew = toml_of(content)
    wanted = tomllib.loads(anew)
    try:
        whole = tomlkit.parse(text)
        _update(whole, wanted, tomlkit.parse(anew))
        found = tomlkit.dumps(whole)
        if tomllib.loads(found) == wanted:
            return found
    except (TOMLKitError, ValueError):
        pass
    return anew


def _update(whole: Any, wanted: Mapping[str, Any], written: Any) -> None:
    """Update a table to wanted content; keep the text of unchanged parts."""
    present = whole.unwrap()
    for key in present:
        if key not in wanted:
            del whole[key]
    for key, value in wanted.items():
        if key not in present:
            whole[key] = written[key]
        elif present[key] != value:
            if _is_entries(value) and _is_entries(present[key]) and len(value) == len(present[key]):
                for nth, one in enumerate(value):
                    _update(whole[key][nth], one, written[key][nth])
            else:
                whole[key] = written[key]
