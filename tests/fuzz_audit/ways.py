"""A way to mutate a log."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.fuzz_audit.draft import Draft


class Way(NamedTuple):
    """A way to mutate a log.

    Attributes:
        family: Its row of the table.
        mutate: Does it; raises an ``IndexError``, ``KeyError`` or ``ValueError`` where there is nothing to do it to.
    """

    family: str
    mutate: Callable[[Draft], None]


WAYS: dict[str, list[Way]] = {}
"""Every way, by family."""


def way(family: str) -> Callable[[Callable[[Draft], None]], Callable[[Draft], None]]:
    """Add a way to mutate a log."""

    def add(mutate: Callable[[Draft], None]) -> Callable[[Draft], None]:
        WAYS.setdefault(family, []).append(Way(family, mutate))
        return mutate

    return add
