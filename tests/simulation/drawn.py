"""Encounters drawn by a seed: those of the properties, without the search for small ones that a property needs."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from hypothesis.control import BuildContext
from hypothesis.internal.conjecture.data import ConjectureData
from hypothesis.internal.conjecture.providers import PrimitiveProvider
from hypothesis.internal.intervalsets import IntervalSet

from tests.engine.encounters import encounters

MANY = 400
"""So many different ones are drawn for each system; to draw one takes about as long as to play it."""


class Plain(PrimitiveProvider):
    """Draws every number alike; what else could be drawn no encounter has."""

    dice: Random

    def draw_boolean(self, p: float = 0.5) -> bool:
        return self.dice.random() < p

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        assert min_value is not None
        assert max_value is not None
        return self.dice.randint(min_value, max_value)

    def draw_float(self, **_: Any) -> float:
        raise NotImplementedError

    def draw_string(self, intervals: IntervalSet, *, min_size: int = 0, max_size: int = 0) -> str:
        raise NotImplementedError

    def draw_bytes(self, min_size: int = 0, max_size: int = 0) -> bytes:
        raise NotImplementedError


@cache
def drawn(system: str, number: int) -> dict[str, Any]:
    """Return a system's encounter by number; always the same one, with any modules loaded."""
    data = ConjectureData(random=None, provider=Plain)
    assert isinstance(data.provider, Plain)
    data.provider.dice = Random(f"{system}/encounter/{number}")
    with BuildContext(data, wrapped_test=drawn):
        return data.draw(encounters(system))
