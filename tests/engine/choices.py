"""Small choices taken one after another out of drawn bytes, so that a whole command is one drawn value."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """A source of choices: the drawn bytes are hashed, for drawn ones are more alike than choices should be."""

    def __init__(self, drawn: bytes) -> None:
        self._rest = int.from_bytes(sha256(drawn).digest(), "big")

    def below(self, number: int) -> int:
        """Return a number from 0 to one less than ``number``."""
        self._rest, chosen = divmod(self._rest, number)
        return chosen

    def of(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def by_weight(self, options: Sequence[tuple[int, T]]) -> T:
        """Return one of the options, each as likely as its weight."""
        at = self.below(sum(weight for weight, _ in options))
        for weight, option in options:
            at -= weight
            if at < 0:
                return option
        raise AssertionError("the weights add up to what was drawn below")
