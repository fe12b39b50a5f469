"""Restore points: the moments that a record goes back to, and what counts there."""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct

from affray.events import Recorded

from .throws import Input


class PositionRange(NamedTuple):
    """Consecutive positions that count, above others that do."""

    first: int
    last: int
    below: PositionRange | None


class Renewal(NamedTuple):
    """Fresh dice that count, above others that do."""

    position: int
    generation: int
    below: Renewal | None


class SavedLayers(NamedTuple):
    """The saved state of the other layers at a moment, and its size."""

    layers: Any
    size: int


class ReturnPoint(Struct, eq=False):
    """A moment that the record goes back to.

    Attributes:
        line: The runs of positions that are effective there.
        renewal: The last fresh dice that are effective there.
        commands: The number of commands that are effective there.
        kept: The saved state of the other layers.
        next: The command that came next, in every lane that leaves from here, by position.
        cause: The command it belongs to.
        input: The last input that is effective there, if it can be taken back.
        round: The round it is in.
    """

    line: PositionRange
    renewal: Renewal | None
    commands: int
    cause: str
    kept: SavedLayers
    input: Input | None
    round: int
    next: dict[int, str] = {}


def list_inputs(last: Input | None, position: int) -> list[Recorded]:
    """List the inputs of a lane behind a position, in order.

    Args:
        last: The last one.
    """
    inputs: list[Recorded] = []
    while last is not None and last.position > position:
        inputs.append(last.first)
        last = last.below
    return inputs[::-1]
