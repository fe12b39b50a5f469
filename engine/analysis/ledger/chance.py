"""A chance, and the reply of everybody who had it."""

from typing import Literal

from msgspec import Struct

from affray.events import Id

Fate = Literal["took", "declined", "standing", "forestalled", "shut", "open"]
"""What became of a chance for one of those who had it: they used it, let it pass, had a standing pass answer, somebody
else was first, the game master shut it, or nobody has said anything yet."""

FATES: tuple[Fate, ...] = ("took", "declined", "standing", "forestalled", "shut", "open")


class Reply(Struct, frozen=True, kw_only=True):
    """What became of a chance for one of those who had it.

    Attributes:
        who: Whose chance it was.
        fate: What became of it.
        position: Of the input that decided it: the declaration, answer, pass or ruling; 0 while it is open.
        sender: Who sent that.
        by: Who was first, where somebody was.
        standing: Position of the standing pass that answered.
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
        position: Where it was offered.
        round: In which round.
        kind: ``window`` or ``question``.
        id: Its own.
        what: What was offered, such as ``announce``, or what the question was about.
        pending: Position of the ``Stacked`` action it was about; 0 between turns.
        up: The slot whose turn it was, or (``between`` turns) had just been.
        to: Who had the chance.
        replies: What became of it, in the order it happened.
        undone: Whether it was taken back altogether.
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
    replies: tuple[Reply, ...] = ()
    undone: bool = False
