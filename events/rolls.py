"""Dice: requested, entered and rolled, with their outcomes."""

from msgspec import Struct

from . import refs
from .root import Event

SET_ASIDE = "set aside"
"""The fate of a die that was not rerolled while others were; it counts."""

KEPT = "kept"
"""The fate of a die that counts."""

DISCARDED = "discarded"
"""The fate of a die that was rolled and does not count."""


class Source(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True, repr_omit_defaults=True):
    """The source of a number or a refusal, where no id names it: a mark, a cause of a condition, a line of sight.

    Attributes:
        of: The combatant or pending action with the mark or condition; the place or combatant where a line begins.
        name: The name of the mark, or the cause of the condition.
        about: The topic of the mark.
        to: The place or combatant where the line ends: a view, a distance, the side of a hex.
    """

    of: refs.SubjectId
    name: refs.MarkName = ""
    about: refs.MarkTopic = ""
    to: refs.SubjectId = ""


AnySource = refs.SourceId | Source
"""The source of a number: an id, a word of the rules, or a struct."""


class Modifier(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A number added to a roll, or dice added to a pool or taken from it.

    Attributes:
        value: The number.
        label: Its name, for people.
        source: The thing that grants it: a stat, item, condition or mark.
        rule: The clause that grants it.
        tells: Further combatants with a veiled counter that the number tells.
    """

    value: int
    label: refs.Words
    source: AnySource = ""
    rule: refs.Clause = ""
    tells: tuple[refs.CombatantId, ...] = ()


class Dice(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A group of equal dice that a roll requests.

    Attributes:
        count, sides: The number of dice and their size.
        kind: Their meaning: ``d20``, ``attribute``, ``skill``, ``gear``, ``stress`` …
        item: The item they come from, if it matters.
        keep: ``highest`` or ``lowest`` if only that die counts; the others are discarded.
    """

    count: int
    sides: int
    kind: refs.DieKind = "die"
    item: refs.ItemId = ""
    keep: refs.Text = ""


class ShownDice(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A group of equal dice that a game master saw before they fell.

    Attributes:
        roll: Id of the roll that they belong to.
        count: The number of dice shown, from the group's first; some may have been seen before.
        sides, kind, item: As in ``Dice``.
    """

    roll: refs.RollId
    count: int
    sides: int
    kind: refs.DieKind = "die"
    item: refs.ItemId = ""


class Faces(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A group of equal dice that fell.

    Attributes:
        sides, kind, item: As in ``Dice``.
        faces: The faces, in the order of the dice's names.
        fates: One word for each die: ``kept``, ``set aside``, ``discarded`` …; empty means all were kept.
    """

    sides: int
    faces: tuple[int, ...]
    kind: refs.DieKind = "die"
    item: refs.ItemId = ""
    fates: tuple[refs.FateName, ...] = ()

    @property
    def thrown(self) -> bool:
        """True if these dice fell in this roll, and not in an earlier one."""
        return SET_ASIDE not in self.fates

    @property
    def counted(self) -> tuple[int, ...]:
        """The faces that were not discarded."""
        if not self.fates:
            return self.faces
        return tuple(face for face, fate in zip(self.faces, self.fates, strict=True) if fate != DISCARDED)


class Rolled(Event, frozen=True, kw_only=True):
    """Dice fell and were read.

    Attributes:
        roll: Id of the roll; every face can be derived from it and the seed.
        by: Id of the combatant that rolls.
        purpose: Its purpose, such as ``attack``.
        dice: Every face, group by group.
        reading: The way to read the faces: ``sum``, ``highest``, ``lowest``, ``sixes``, or ``digits`` side by side.
        pool: The sources of the dice: dice, levels of advantage, steps of a size; no part of the total.
        modifiers: The numbers added, each with its source.
        total: The reading with the modifiers.
        against: The number to reach, if there is one.
        source: ``engine`` or ``entered``.
    """

    roll: refs.RollId
    by: refs.CombatantId
    purpose: refs.PurposeName
    dice: tuple[Faces, ...]
    total: int
    reading: refs.Text = "sum"
    pool: tuple[Modifier, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    against: int | None = None
    source: refs.Text = "engine"


class Judged(Event, frozen=True, kw_only=True):
    """The outcome of a roll.

    Attributes:
        roll: Id of the roll.
        outcome: ``hit``, ``miss``, ``holds on``, ``dies``, ``success``, ``setback`` …
        margin: The difference to the number to reach, as the dice fell; 0 is exactly enough. It is also 0 after a roll
            that is sealed for a veiled counter, and if the rules do not announce it.
        rolled: The outcome by the dice alone, if the game master overruled it.
    """

    roll: refs.RollId
    outcome: refs.OutcomeName
    margin: int = 0
    rolled: refs.OutcomeName = ""


class DiceAwaited(Event, frozen=True, kw_only=True):
    """Real dice must be rolled and entered before the rules go on.

    Attributes:
        roll: Id of the roll.
        by: Id of the combatant that rolls.
        purpose: The purpose of the roll.
        dice: The dice to throw.
        sources: The veiled counters of the roller that take part.
    """

    roll: refs.RollId
    by: refs.CombatantId
    purpose: refs.PurposeName
    dice: tuple[Dice, ...]
    sources: tuple[AnySource, ...] = ()


class DiceEntered(Event, frozen=True, kw_only=True):
    """Input: the faces of real dice, in the order they were requested."""

    roll: refs.RollId
    faces: tuple[int, ...]
