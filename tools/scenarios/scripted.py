"""Dice that fall as a scenario says."""

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct

from affray.engine.runtime.dice import Faces, NamedDice
from affray.events import Dice, Id, Rolled, topic_of

from .notation import term_texts

_DICE = re.compile(r"d(\d{1,10})=(\d{1,10}(?:\+\d{1,10})*)")

SEED = bytes(32)
"""The seed of dice that a scenario lacks; fixed, so that every author sees the same example."""


class Unscripted(Exception):
    """A die was thrown that the scenario does not say, or could not be."""


class MissingDice(Struct, frozen=True):
    """A roll for which the right dice were not scripted.

    Attributes:
        roll: Its id.
        fallen: The faces that were scripted for it, as far as they fit.
        why: The fault, as a sentence.
    """

    roll: Id
    fallen: tuple[int, ...]
    why: str


class ScriptedDice:
    """Scripted dice: each shows its given face.

    A roll with missing dice shows ones, so that the record has its modifiers. Every later roll waits for real dice. The
    runner of the scenario takes all of that back.

    Args:
        throw: Whether missing dice are thrown; a roll always gets the same ones.

    Attributes:
        left: The dice that have not fallen yet, each with its size and face.
        fell: The dice that have fallen, group by group, as a scenario writes them.
        missing: The first roll without scripted dice.
    """

    def __init__(self, *, throw: bool = False) -> None:
        self.left: list[tuple[int, int]] = []
        self.fell: list[str] = []
        self.missing: MissingDice | None = None
        self._thrown = NamedDice(SEED) if throw else None

    def script(self, dice: str) -> None:
        """Take the dice that fall next, such as ``d20=14 d6=2+5+6``.

        Raises:
            Unscripted: they are not written like this, or a die cannot show such a face.
        """
        words = dice.split()
        found = [_DICE.fullmatch(word) for word in words]
        if not all(found):
            raise Unscripted(f"dice are written like d20=14 d6=2+5, not {dice}")
        self.left = [(int(one[1]), int(face)) for one in found if one for face in one[2].split("+")]
        for sides, face in self.left:
            if not 1 <= face <= sides:
                raise Unscripted(f"a d{sides} cannot show {face}")
        self.fell, self.missing = [], None

    def faces(self, roll: Id, dice: tuple[Dice, ...]) -> Faces | None:
        """Return the next faces; none after a roll with missing ones."""
        if self.missing is not None:
            return None
        wanted = [one.sides for one in dice for _ in range(one.count)]
        there = self.left[: len(wanted)]
        fit = next((at for at, (sides, _) in enumerate(there) if sides != wanted[at]), len(there))
        shown = [face for _, face in there[:fit]]
        if fit < len(wanted) and self._thrown is not None and fit == len(there):
            shown += [face for group in self._thrown.faces(roll, dice) for face in group][fit:]
        elif fit < len(wanted):
            found = f"the next die is a d{there[fit][0]}" if fit < len(there) else "no die is left"
            self.missing = MissingDice(roll, tuple(shown), f"a d{wanted[fit]} is rolled for {roll}, and {found}")
            return tuple((1,) * one.count for one in dice)
        del self.left[: len(wanted)]
        faces = iter(shown)
        groups = tuple(tuple(next(faces) for _ in range(one.count)) for one in dice)
        self.fell += [f"d{one.sides}={'+'.join(map(str, group))}" for one, group in zip(dice, groups, strict=True)]
        return groups


def dice_text(dice: Iterable[tuple[int, int]]) -> str:
    """Return dice as a scenario says them: ``d20=14 d6=2``."""
    return " ".join(f"d{sides}={face}" for sides, face in dice)


def write_roll(rolled: Rolled, fallen: Iterable[int]) -> str:
    """Return the line of a roll with some dice unscripted: ``ilse attack d20=? +2 (accuracy) vs 11``."""
    dice = _faces(rolled, fallen)
    kinds = [one.item or one.kind for one in rolled.dice if one.thrown]
    if len(dice) > 1:
        dice = [f"{one} ({kind})" for one, kind in zip(dice, kinds, strict=True)]
    words = [rolled.by, topic_of(rolled.purpose), *term_texts(rolled.pool), *dice, *term_texts(rolled.modifiers)]
    return " ".join(words if rolled.against is None else [*words, f"vs {rolled.against}"])


def with_missing(fell: Sequence[str], rolled: Rolled, fallen: Iterable[int]) -> str:
    """Return the dice of a step in writing, with ``?`` for missing faces."""
    return " ".join([*fell, *_faces(rolled, fallen)])


def _faces(rolled: Rolled, fallen: Iterable[int]) -> list[str]:
    left = iter(fallen)
    thrown = [one for one in rolled.dice if one.thrown]
    return [f"d{one.sides}={'+'.join(str(next(left, '?')) for _ in one.faces)}" for one in thrown]
