"""The data tables of a rule system, read from its data files."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeVar

import msgspec

from affray.engine.core.catalogue import data

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

T = TypeVar("T")


def make_table_reader(package: str, name: str, form: type[T], *, strict: bool = True) -> _lru_cache_wrapper[T]:
    """Return a function that reads a data file of a system once and caches it.

    Args:
        package: The system's package, as in its ``Ruleset``.
        name: The file's name without its ending.
        strict: Whether values must have the declared types. Otherwise texts are converted.
    """
    return cache(lambda: msgspec.convert(data(package, f"data/{name}.toml"), form, strict=strict))
