"""Dice with names: every face follows from the seed and the name of its die, whatever else happened.

The name of a roll is a path: round, actor, how-many-th of the actor in this round, purpose. A group of dice adds its
kind, item and size. A block is the HMAC-SHA-256 of ``name#block`` under the seed and holds eight words of 32 bits,
the first for the block's first die. A word at or above the largest multiple of the size is thrown away, and the
die takes the first word of ``name#index!1``, ``!2`` … instead, so that no face is likelier than another.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from struct import Struct
from typing import Protocol

from affray.events import Dice, Id, Rolled

Faces = tuple[tuple[int, ...], ...]
"""Per group of dice what they show."""

_WORDS = 8
_words = Struct(f">{_WORDS}I").unpack
_RANGE = 1 << 32


class DiceSource(Protocol):
    """Where faces come from."""

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return the faces of a roll, or ``None`` if they must be entered."""
        ...


class NamedDice:
    """The engine's dice under one seed.

    Args:
        seed: 32 secret bytes.
    """

    def __init__(self, seed: bytes) -> None:
        key = seed.ljust(64, b"\0")
        self._inner = sha256(bytes(byte ^ 0x36 for byte in key))
        self._outer = sha256(bytes(byte ^ 0x5C for byte in key))

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces:
        """Return the faces of a roll; always the same ones for the same roll."""
        return tuple([self._group(f"{roll}/{one.kind}{one.item and ':' + one.item}/d{one.sides}", one) for one in dice])

    def _group(self, name: str, dice: Dice) -> tuple[int, ...]:
        sides, count = dice.sides, dice.count
        limit = _RANGE - _RANGE % sides
        faces: list[int] = []
        for first in range(0, count, _WORDS):
            for word in _words(self._block(f"{name}#{first // _WORDS}"))[: count - first]:
                again = 0
                while word >= limit:
                    again += 1
                    word = _words(self._block(f"{name}#{len(faces)}!{again}"))[0]  # noqa: PLW2901 - the next try
                faces.append(word % sides + 1)
        return tuple(faces)

    def _block(self, name: str) -> bytes:
        """Return HMAC-SHA-256(seed, name), from the two halves prepared once."""
        inner = self._inner.copy()
        inner.update(name.encode())
        outer = self._outer.copy()
        outer.update(inner.digest())
        return outer.digest()


class EnteredDice:
    """No dice of the engine's own: every roll waits for faces that somebody enters."""

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> None:
        """Return nothing, so that the fight waits."""
        return


class RecordedDice:
    """The dice as a log shows them, for deciding the same commands again.

    Args:
        rolled: Rolls by id.
    """

    def __init__(self, rolled: Mapping[Id, Rolled]) -> None:
        self._rolled = rolled

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return the recorded faces, or nothing if the log has no such roll of the engine's."""
        rolled = self._rolled.get(roll)
        if rolled is None or rolled.source != "engine":
            return None
        return tuple(group.faces for group in rolled.dice if group.thrown)


def commitment(seed: bytes) -> str:
    """Return what a log says of its seed while it is secret: its SHA-256, as hex."""
    return sha256(seed).hexdigest()
