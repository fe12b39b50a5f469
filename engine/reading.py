"""Reading dice: from faces and modifiers to a total."""

from __future__ import annotations

from collections.abc import Callable

from affray.events import Faces, Id, Rolled

from .dice import Faces as GroupsOfFaces
from .rule import Roll

READINGS: dict[str, Callable[[list[int]], int]] = {
    "sum": sum,
    "highest": max,
    "lowest": min,
    "sixes": lambda faces: faces.count(6),
}
"""How the faces of all groups of a roll come to a number."""


def read_roll(roll: Roll, name: Id, faces: GroupsOfFaces, source: str) -> Rolled:
    """Return what a roll came to.

    Args:
        roll: What was wanted.
        name: Its id.
        faces: What fell, group by group.
        source: ``engine`` or ``entered``.
    """
    groups = tuple(
        [
            Faces(sides=one.sides, faces=shown, kind=one.kind, item=one.item)
            for one, shown in zip(roll.dice, faces, strict=True)
        ]
    )
    shown = list(faces[0]) if len(faces) == 1 else [face for group in faces for face in group]
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
        modifiers=roll.modifiers,
        against=roll.against,
        source=source,
        rules=roll.rules,
    )
