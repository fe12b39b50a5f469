"""Settings of a rule system, and the clauses that depend on each."""

import re
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from affray.engine.core.ruleset import Ruleset
from affray.events import Clause
from affray.tools.parse.forms import describe_kind, kinds_of
from affray.tools.text.docstrings import split_docstring

from .code import clauses_named
from .shipped import notes


class Setting(Struct, frozen=True, kw_only=True):
    """A key of a system's configuration.

    Attributes:
        key: Name of the key.
        usual: Default, as an encounter file writes it.
        choices: All possible values, if they are a list.
        allows: The possible values in words, such as ``a whole number from 1 to 99``.
        says: Meaning of the key.
        clauses: Clauses that it changes.
    """

    key: str
    usual: str
    choices: tuple[str, ...]
    allows: str
    says: str
    clauses: tuple[Clause, ...]


def describe_settings(ruleset: Ruleset, more: Mapping[str, tuple[Clause, ...]]) -> tuple[Setting, ...]:
    """Return all keys of a system.

    Args:
        ruleset: The system.
        more: Clauses of keys that have no clause in their description.
    """
    kinds = kinds_of(ruleset.config)
    said, default, known = _parse_descriptions(ruleset.config), ruleset.config(), tuple(ruleset.clauses)
    return tuple(
        Setting(
            key=key,
            usual=write_value(getattr(default, key)),
            choices=_choices(kind),
            allows=_describe_values(kind, kinds[key]),
            says=_without_clauses(said.get(key, ""), ruleset),
            clauses=tuple(dict.fromkeys((*clauses_named(said.get(key, ""), known), *more.get(key, ())))),
        )
        for key, kind in get_type_hints(ruleset.config).items()
    )


def list_settings(ruleset: Ruleset) -> tuple[Setting, ...]:
    """Return all keys of a system, with the clauses that its book names."""
    return describe_settings(ruleset, notes(ruleset.package).settings)


def _parse_descriptions(config: type[Struct]) -> dict[str, str]:
    """Parse the descriptions of a struct's attributes from its docstring."""
    return {name: words for names, words in split_docstring(config)[1] for name in names}


def _without_clauses(text: str, ruleset: Ruleset) -> str:
    """Remove clause ids in parentheses from a text."""
    prefix = next(iter(ruleset.clauses)).partition("-")[0]
    return re.sub(rf"\s*\({prefix}-[^()]*\)", "", text)


def _describe_values(kind: Any, kinds: tuple[msgspec.inspect.Type, ...]) -> str:
    """Describe the possible values of a type in words."""
    listed = [way.strip('"') for way in _choices(kind)]
    if len(listed) > 2:
        return f"one of {', '.join(listed)}"
    return " or ".join(listed or map(describe_kind, kinds))


def _choices(kind: Any) -> tuple[str, ...]:
    """Return the possible values of a type, if they are a list."""
    if kind is bool:
        return ("true", "false")
    return tuple(map(write_value, get_args(kind))) if get_origin(kind) is Literal else ()


def write_value(value: object) -> str:
    """Format a value as an encounter file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return "[" + ", ".join(map(write_value, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)
