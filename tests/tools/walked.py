"""The tree of what may be done, walked as a program does it that knows nothing but the answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Asks = Callable[..., dict[str, Any]]
"""Asks who may act; with ``who`` and ``manner`` what they may do; with ``kind`` and ``chosen`` how that goes on."""


def walk_declarations(ask: Asks) -> Iterator[dict[str, Any]]:
    """Yield every whole declaration that one comes to, step by step."""
    for mover in ask()["actors"]:
        for kind in ask(**mover)["kinds"]:
            if "refused" not in kind:
                yield from _beyond(ask, mover, kind["kind"], {})


def _beyond(ask: Asks, mover: dict[str, Any], kind: str, chosen: dict[str, Any]) -> Iterator[dict[str, Any]]:
    found = ask(**mover, kind=kind, chosen=chosen)
    assert found["refused"] is None
    if found["whole"] is not None:
        assert found["fields"] == []
        yield found["whole"]
        return
    (field,) = found["fields"]
    for choice in field["choices"]:  # what can be said in any words is no leaf of the list
        if "refused" not in choice:
            yield from _beyond(ask, mover, kind, {**chosen, field["field"]: choice["value"]})


__all__ = ["Asks", "walk_declarations"]
