"""Luck for machines: counts of trials, which sum exactly."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from affray.events import Id

By = Literal["decision", "luck", "ruling", "unclear"]
"""The cause of a change: a combatant's decision, dice, the game master's ruling, or a mixture of them."""


class Swing(Struct, frozen=True):
    """The change of the chance to win by a roll, a decision or a ruling.

    Attributes:
        position: The log position of the event.
        before, after: The number of trials that the side won, before and after it.
        noise: Whether chance alone could make such a difference.
    """

    position: int
    by: By
    who: Id
    before: int
    after: int
    noise: bool


class Turning(Struct, frozen=True):
    """A turning point: its position and its sentence."""

    position: int
    says: str


class Luck(Struct, frozen=True, kw_only=True):
    """Worth of dice and decisions to a side; the opening and all changes sum to the result.

    Attributes:
        trials: Number of fights played from each moment; all other numbers count these.
        ended: Whether the fight was fought to its end.
        opening: Number of trials that the side won from the opening.
        luck, decisions, rulings, unclear: Changes by dice, by combatants and by the game master, and changes that
            cannot be attributed, since the rules have changed.
        result: Their sum: all or none of the trials if the fight has ended.
    """

    side: str
    trials: int
    ended: bool
    opening: int
    luck: int
    decisions: int
    rulings: int
    unclear: int
    result: int
    moves: tuple[Swing, ...]
    turning: tuple[Turning, ...]


def sums_said(luck: Luck) -> str:
    """Return the sums of luck as a sentence.

    An example is ``11 % at the beginning; dice +14, decisions +7; 100 % in the end``.
    """
    moved = [("dice", luck.luck), ("decisions", luck.decisions), ("rulings", luck.rulings), ("unclear", luck.unclear)]
    digits = 0 if 100 % luck.trials == 0 else 1  # or the rounded numbers would not sum
    told = [
        f"{what} {count * 100 / luck.trials:+.{digits}f}"
        for what, count in moved
        if count or what in ("dice", "decisions")
    ]
    share = [f"{count * 100 / luck.trials:.{digits}f} %" for count in (luck.opening, luck.result)]
    return f"{share[0]} at the beginning; {', '.join(told)}; {share[1]} {'in the end' if luck.ended else 'by now'}"
