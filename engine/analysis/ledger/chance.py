"""A chance, and the reply of each combatant who had it."""

from typing import Literal

from msgspec import Struct

from affray.events import Id

Fate = Literal["took", "declined", "standing", "forestalled", "shut", "open"]
"""The outcome of a chance for a combatant. ``took``: used it. ``declined``: let it pass. ``standing``: a standing
pass answered. ``forestalled``: another combatant was first. ``shut``: the game master closed it. ``open``: no
reply yet."""

FATES: tuple[Fate, ...] = ("took", "declined", "standing", "forestalled", "shut", "open")


class ChanceReply(Struct, frozen=True, kw_only=True):
    """The outcome of a chance for one combatant.

    Attributes:
        who: The combatant.
        fate: The outcome.
        position: The position of the input that decided it: a declaration, answer, pass or ruling. 0 while it is open.
        sender: The sender of that input.
        by: The combatant who was first, if any.
        standing: The position of the standing pass that answered.
        undone: Whether this was taken back.
    """

    who: Id
    fate: Fate
    position: int = 0
    sender: str = ""
    by: Id = ""
    standing: int = 0
    undone: bool = False


class Chance(Struct, frozen=True, kw_only=True):
    """A window or a question.

    Attributes:
        position: The position of the event that offered it.
        round: The round.
        kind: ``window`` or ``question``.
        id: The id of the window or question.
        what: The kind of offer, such as ``announce``, or the topic of the question.
        pending: Position of the ``Stacked`` action that it was about; 0 between turns.
        up: The active slot, or ``between`` turns the last active one.
        to: The combatants who had the chance.
        replies: The outcomes, in order.
        undone: Whether the whole chance was taken back.
    """

    position: int
    round: int
    kind: str
    id: Id
    what: str
    pending: int = 0
    up: Id = ""
    between: bool = False
    to: tuple[Id, ...]
    replies: tuple[ChanceReply, ...] = ()
    undone: bool = False
