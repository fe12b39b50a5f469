"""The longest runs of equal throws, and the chance of such runs with fair dice."""

from collections.abc import Callable, Sequence
from itertools import groupby

from msgspec import Struct


class Streak(Struct, frozen=True, kw_only=True):
    """The longest run of one kind.

    Attributes:
        of: ``same`` face, or ``high`` or ``low`` half of the faces. The middle face of an odd die belongs to neither.
        length: The number of successive throws; 0 if there was no run.
        face: The face of a run of the same face.
        chance: The chance of a run at least as long, in as many throws of a fair die.
    """

    of: str
    length: int
    face: int = 0
    chance: float


def find_streaks(faces: Sequence[int], sides: int) -> tuple[Streak, ...]:
    """Return the longest runs of the same face, of high and of low halves.

    At least one throw is needed.
    """
    throws, half = len(faces), sides // 2
    face, same = find_longest_run(faces, lambda _: True)
    _, high = find_longest_run([shown > sides - half for shown in faces], bool)
    _, low = find_longest_run([shown <= half for shown in faces], bool)
    return (
        Streak(of="same", length=same, face=face, chance=run_chance(throws - 1, same - 1, 1 / sides)),
        Streak(of="high", length=high, chance=run_chance(throws, high, half / sides)),
        Streak(of="low", length=low, chance=run_chance(throws, low, half / sides)),
    )


def find_longest_run(row: Sequence[int], counts: Callable[[int], bool]) -> tuple[int, int]:
    """Return the value and the length of the first longest run that counts."""
    runs = [(value, len(list(run))) for value, run in groupby(row) if counts(value)]
    return max(runs, key=lambda run: run[1], default=(0, 0))


def run_chance(throws: int, length: int, chance: float) -> float:
    """Return the chance that a number of throws holds a run of at least this length.

    Each throw is a success with ``chance``. A run is completed first at a throw if none was complete ``length`` throws
    and
    one failure before it.
    """
    if length <= 0:
        return 1.0
    if throws < length:
        return 0.0
    run = chance**length
    done = [0.0] * length + [run]
    for at in range(length + 1, throws + 1):
        done.append(done[-1] + (1 - done[at - length - 1]) * (1 - chance) * run)
    return min(1.0, done[throws])
