"""The dice of a log as the oracle throws them again: under the seed that stands promised at each moment."""

from __future__ import annotations

from affray.engine.runtime.dice import Faces, NamedDice
from affray.events import Dice, Id
from tests.fuzz_audit.spelt import Dishonest


class Seeded:
    """The dice of the presently promised seed."""

    def __init__(self) -> None:
        self.now: NamedDice | None = None
        self.promised = ""

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return what the seed says; without a promise, all dice are entered."""
        if not self.promised:
            return None
        if self.now is None:
            raise Dishonest(f"the dice of {roll} fell under a seed that nobody has shown")
        return self.now.faces(roll, dice)
