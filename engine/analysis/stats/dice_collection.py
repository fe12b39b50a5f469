"""Collect the dice that fell, each once, however often the record shows it.

An engine's die is its name under its seed. After an undo the same declaration meets the same dice, and a pool that
grew meets the old ones and some more. Real dice are a roll with its entered faces. The same faces for the
same roll are the same dice. Other faces are new dice. Dice of a lane that was taken back count as well.
Faces that an amendment corrected do not, because by the record they never fell.
"""

from collections.abc import Hashable, Iterable, Iterator

from msgspec import Struct

from affray.engine.history.timeline import History
from affray.events import INPUTS, Amended, FightOpened, Forked, Id, Rolled


class ThrownDie(Struct, frozen=True, kw_only=True):
    """A die that was thrown.

    Attributes:
        roller: The combatant who rolled.
        sides, kind: As in ``Dice``.
        source: ``engine`` or ``entered``.
        face: The face that it showed.
        undone: Whether it lies only in a lane that was taken back.
    """

    roller: Id
    sides: int
    kind: str
    source: str
    face: int
    undone: bool = False


class ThrownDice(Struct, frozen=True):
    """All the dice of some fights.

    Attributes:
        dice: The dice, in the order in which they fell.
        again: The number of repeated showings of dice, which were not counted again.
        corrected: The number of entered faces that an amendment corrected, which were not counted.
    """

    dice: tuple[ThrownDie, ...]
    again: int
    corrected: int


def collect_dice(histories: Iterable[History]) -> ThrownDice:
    """Return every die that fell in these fights.

    A fight and its fork share the dice of their common part.
    """
    found: dict[Hashable, ThrownDie] = {}
    again = corrected = 0
    for history in histories:
        for origin, roll, counts, struck in _list_rolls(history):
            if struck:
                corrected += sum(len(group.faces) for group in roll.dice if group.thrown)
                continue
            for name, die in _list_dice(origin, roll, undone=not counts):
                again += name in found
                if name not in found or (found[name].undone and counts):
                    found[name] = die
    return ThrownDice(tuple(found.values()), again, corrected)


def _list_rolls(history: History) -> Iterator[tuple[str, Rolled, bool, bool]]:
    """Yield every roll with the origin of its dice.

    Two flags follow: whether the roll is effective, and whether an amendment corrected it.
    """
    amended = {one.event.position for one in history.recorded if isinstance(one.event, Amended)}
    fight = seed = ""
    cause = 0
    for one in history.recorded:
        event = one.event
        if isinstance(event, INPUTS):
            cause = one.position
        if isinstance(event, FightOpened):
            fight, seed = one.hash, event.commitment
        elif isinstance(event, Forked):
            seed = event.commitment
        elif isinstance(event, Rolled):
            counts = history.is_effective(one.position)
            entered = event.source == "entered"
            yield (fight if entered else seed), event, counts, entered and cause in amended and not counts


def _list_dice(origin: str, roll: Rolled, *, undone: bool) -> Iterator[tuple[Hashable, ThrownDie]]:
    """Yield every die of a roll with its name, except dice from earlier rolls."""
    groups = [group for group in roll.dice if group.thrown]
    shown = tuple(group.faces for group in groups) if roll.source == "entered" else ()
    for group in groups:
        for nth, face in enumerate(group.faces):
            die = ThrownDie(
                roller=roll.by, sides=group.sides, kind=group.kind, source=roll.source, face=face, undone=undone
            )
            yield (origin, roll.roll, shown, group.kind, group.item, group.sides, nth), die
