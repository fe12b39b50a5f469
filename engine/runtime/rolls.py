"""The reading of a roll: from faces and modifiers to a total."""

from collections.abc import Callable, Sequence

from affray.engine.core.effects import Roll
from affray.events import DISCARDED, KEPT, Dice, Faces, Id, Rolled

from .dice import Faces as GroupsOfFaces

READINGS: dict[str, Callable[[Sequence[int]], int]] = {
    "sum": sum,
    "highest": lambda faces: max(faces, default=0),
    "lowest": lambda faces: min(faces, default=0),
    "sixes": lambda faces: faces.count(6),
    "digits": lambda faces: int("".join(map(str, faces)) or "0"),
}
"""The functions that read faces as one number; no dice are read as 0."""


def read_roll(roll: Roll, name: Id, faces: GroupsOfFaces, source: str) -> Rolled:
    """Build the result of a roll.

    Args:
        roll: The request.
        name: Its id.
        faces: The faces, group by group.
        source: ``engine`` or ``entered``.
    """
    groups = tuple(map(_group, roll.dice, faces))
    if roll.held:
        groups = roll.held + groups
    shown = groups[0].counted if len(groups) == 1 else tuple([face for group in groups for face in group.counted])
    total = READINGS[roll.reading](shown)
    for modifier in roll.modifiers:
        total += modifier.value
    return Rolled(
        roll=name,
        by=roll.by,
        purpose=roll.purpose,
        dice=groups,
        total=total,
        reading=roll.reading,
        pool=roll.pool,
        modifiers=roll.modifiers,
        against=roll.against,
        source=source,
        rules=roll.rules,
    )


def _group(one: Dice, shown: tuple[int, ...]) -> Faces:
    fates = _fates(one.keep, shown) if one.keep else ()
    return Faces(sides=one.sides, faces=shown, kind=one.kind, item=one.item, fates=fates)


def _fates(keep: str, shown: tuple[int, ...]) -> tuple[str, ...]:
    """Return the fates of dice if only the first with the best face counts."""
    if len(shown) == 1:
        return ()
    at = shown.index(max(shown) if keep == "highest" else min(shown))
    return tuple([KEPT if nth == at else DISCARDED for nth in range(len(shown))])
