"""The tables of a rule system, read from its data files."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar

import msgspec

from affray.engine.core.ruleset import data

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

T = TypeVar("T")


def reader(package: str, name: str, form: type[T], *, strict: bool = True) -> _lru_cache_wrapper[T]:
    """Return what reads a data file of a system, once, when it is first asked for.

    Args:
        package: The system's, as in its ``Ruleset``.
        name: The file's, without its ending.
        strict: Whether a key must be of its type, and not a text that can be read as one.
    """
    return cache(lambda: msgspec.convert(data(package, f"data/{name}.toml"), form, strict=strict))
