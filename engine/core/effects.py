"""What a rule may yield.

A rule is a generator. It yields events, which happen at once, and the effects below; it receives the ``Rolled`` for a
``Roll``, the ``Answered`` for an ``Ask`` and nothing for the others. Rules compose with ``yield from``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar, overload

from msgspec import Struct
from msgspec.structs import replace

from affray.events import Answered, Clause, Dice, Event, Faces, Id, Modifier, Option, Rolled

if TYPE_CHECKING:
    from .actions import Action


class Roll(Struct, frozen=True, kw_only=True, gc=False):
    """Ask for dice.

    Attributes:
        dice: The groups, in the order they are thrown.
        purpose: What for; together with the pending action it names the dice.
        by: Whose roll it is.
        recurs: Whether several turns of a round may each ask the same one for it: it is named by the turn as well.
        reading: ``sum``, ``highest``, ``lowest``, ``sixes``, or ``digits`` set side by side.
        held: Dice that lie there already and count as well; they are not thrown, and each says its fate.
        pool: What the dice come from, for the record.
        modifiers: What is added to the reading.
        against: The number to reach, for the record.
        rules: The clauses that ask for it.
        waits: Whether the fight may wait for real dice; if not, it is refused where they would be needed.
        again: What would be thrown by the present; see ``choice`` and ``throw``.
    """

    dice: tuple[Dice, ...]
    purpose: str
    by: Id
    recurs: bool = False
    reading: str = "sum"
    held: tuple[Faces, ...] = ()
    pool: tuple[Modifier, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    against: int | None = None
    rules: tuple[Clause, ...] = ()
    waits: bool = True
    again: Callable[[], Roll | None] | None = None


class Ask(Struct, frozen=True, kw_only=True, gc=False):
    """Ask somebody to choose.

    Attributes:
        of: Who may answer; the game master always may.
        about: What kind of choice it is.
        options: The ways to answer.
        rules: The clauses that give the choice.
        refuses: Refuses an answer with the rules' own reason, before it is looked at whether any option takes it;
            whatever the options offer must pass it.
        again: What would be asked by the present; see ``choice``.
    """

    of: tuple[Id, ...]
    about: str
    options: tuple[Option, ...]
    rules: tuple[Clause, ...] = ()
    refuses: Callable[[Answered], None] | None = None
    again: Callable[[], Ask | None] | None = None


class Go(Struct, frozen=True, gc=False):
    """Fire a trigger of the flow: ``struck``, ``felled`` …"""

    trigger: str
    rules: tuple[Clause, ...] = ()


class Interrupted(Struct, frozen=True, kw_only=True, gc=False):
    """Put actions on the stack; the rule goes on when they have left it.

    Attributes:
        by: Who and what, the first one resolving first.
        manner: How they are played.
        rules: The clauses that put them there.
    """

    by: tuple[tuple[Id, Action], ...]
    manner: str
    rules: tuple[Clause, ...] = ()


T = TypeVar("T")

Rule = Generator[Event | Roll | Ask | Go | Interrupted, Any, T]
"""A rule that returns a ``T``."""


@overload
def choice(ask: Callable[[], Ask]) -> Rule[Answered]: ...
@overload
def choice(ask: Callable[[], Ask | None]) -> Rule[Answered | None]: ...
def choice(ask: Callable[[], Ask | None]) -> Rule[Answered | None]:
    """Let somebody choose; after a ruling in between, the options are read from the table again.

    Args:
        ask: What there is to choose now, read from the table; ``None`` if nothing. If it refuses, that is raised where
            the rule waits.

    Returns:
        The answer, or ``None`` if there is nothing to choose, or no more.
    """
    asked = ask()
    if asked is None:
        return None
    answer: Answered | None = yield replace(asked, again=ask)
    return answer


def throw(roll: Callable[[], Roll | None]) -> Rule[Rolled | None]:
    """Have dice thrown; after a ruling while real ones are awaited, the roll is read again, as in ``choice``."""
    wanted = roll()
    if wanted is None:
        return None
    rolled: Rolled | None = yield replace(wanted, again=roll)
    return rolled
