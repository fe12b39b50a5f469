"""The dice of one input as the log shows them, for deciding it again."""

from affray.engine.runtime.dice import Faces, RecordedDice
from affray.events import Dice, Id


class WrongDice(Exception):
    """The recorded dice of a roll are not those that the rules ask for."""


class InputDice(RecordedDice):
    """The dice of one input as the log shows them.

    In a fight that is committed to a seed, the log holds all of them.
    """

    committed = ""

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return the recorded faces."""
        faces = super().faces(roll, dice)
        rolled = self._rolled.get(roll)
        if faces is None and rolled is not None and rolled.source == "engine":
            raise WrongDice(f"this roll is one of {' and '.join(f'{one.count}d{one.sides}' for one in dice)}")
        if faces is None and self.committed:
            raise WrongDice("the dice of this roll are the engine's; nobody ruled that real ones are entered")
        return faces
