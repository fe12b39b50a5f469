"""Dice."""

from __future__ import annotations

from msgspec import Struct

from .root import Clause, Event, Id


class Modifier(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A number added to a roll, or dice added to a pool.

    Attributes:
        value: How much.
        label: What it is, for people.
        source: What granted it: a stat, item, condition or mark, by name.
        rule: The clause that lets it count.
    """

    value: int
    label: str
    source: Id = ""
    rule: Clause = ""


class Dice(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A group of equal dice that is wanted.

    Attributes:
        count, sides: How many of which size.
        kind: What they stand for: ``d20``, ``attribute``, ``skill``, ``gear``, ``stress`` …
        item: The item they come from, if it matters.
    """

    count: int
    sides: int
    kind: str = "die"
    item: Id = ""


class Faces(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A group of equal dice that fell.

    Attributes:
        sides, kind, item: As in ``Dice``.
        faces: What they show, in the order of their names.
        fates: One word a die: ``kept``, ``set aside``, ``pushed`` …; empty means all were kept.
    """

    sides: int
    faces: tuple[int, ...]
    kind: str = "die"
    item: Id = ""
    fates: tuple[str, ...] = ()


class Rolled(Event, frozen=True, kw_only=True):
    """Dice fell and were read.

    Attributes:
        roll: Id of the roll; with the seed it gives every face again.
        by: Whose roll it is.
        purpose: What it is for, such as ``attack``.
        dice: Every face, group by group.
        reading: How they were read: ``sum``, ``highest``, ``lowest`` or ``sixes``.
        modifiers: Everything that was added, with where it came from.
        total: The reading with the modifiers.
        against: The number to reach, if there is one.
        source: ``engine`` or ``entered``.
    """

    roll: Id
    by: Id
    purpose: str
    dice: tuple[Faces, ...]
    total: int
    reading: str = "sum"
    modifiers: tuple[Modifier, ...] = ()
    against: int | None = None
    source: str = "engine"


class Judged(Event, frozen=True, kw_only=True):
    """What a roll came to.

    Attributes:
        roll: Id of the roll.
        outcome: ``hit``, ``miss``, ``holds on``, ``dies``, ``success``, ``setback`` …
        margin: By how much; 0 is exactly enough.
    """

    roll: Id
    outcome: str
    margin: int = 0


class DiceAwaited(Event, frozen=True, kw_only=True):
    """Real dice must be thrown and entered before the rules go on."""

    roll: Id
    by: Id
    purpose: str
    dice: tuple[Dice, ...]


class DiceEntered(Event, frozen=True, kw_only=True):
    """Input: the faces that real dice showed, in the order they were wanted."""

    roll: Id
    faces: tuple[int, ...]
