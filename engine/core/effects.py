"""Effects: the values that a rule may yield.

A rule is a generator. It yields events, which happen at once, and the effects below. It receives the ``Rolled`` for a
``Roll``, the ``Answered`` for an ``Ask`` and nothing for the others. Rules compose with ``yield from``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar, overload

from msgspec import Struct
from msgspec.structs import replace

from affray.events import Answered, AnySource, Clause, Dice, Event, Faces, Id, Modifier, Option, Rolled, Source

if TYPE_CHECKING:
    from .actions import Action


class Roll(Struct, frozen=True, kw_only=True, gc=False):
    """A request for dice.

    Attributes:
        dice: The groups, in the order they are thrown.
        purpose: The purpose; together with the pending action it names the dice.
        by: Id of the combatant that rolls.
        recurs: Whether several turns of a round may each ask one combatant for it; then the turn joins its name.
        reading: ``sum``, ``highest``, ``lowest``, ``sixes``, or ``digits`` set side by side.
        held: Dice of an earlier roll that count as well; they are not thrown, and each names its fate.
        pool: The sources of the dice, for the record.
        modifiers: The numbers added to the reading.
        against: The number to reach, for the record.
        rules: The clauses that ask for it.
        waits: Whether the fight may wait for real dice; if not, the action is refused where they would be needed.
        again: Returns the roll as the present state asks for it; see ``choice`` and ``throw``.
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


def list_sources(roll: Roll | Rolled) -> tuple[AnySource, ...]:
    """List the sources of a roll's dice and numbers; a bare name is a counter of the roller."""
    sources = [one.source for one in (*roll.pool, *roll.modifiers)]
    return tuple([one if isinstance(one, Source) or "." in one else f"{roll.by}.{one}" for one in sources])


class Ask(Struct, frozen=True, kw_only=True, gc=False):
    """A request for a choice.

    Attributes:
        of: Ids of the combatants that may answer; the game master always may.
        about: The kind of choice.
        options: The possible answers.
        rules: The clauses that give the choice.
        refuses: Refuses an answer with the rules' own reason, before it is matched with the options. Answers that the
            options offer must pass it.
        again: Returns the question as the present state asks it; see ``choice``.
        sources: The counters that its options tell, such as the one that bounds a number. Players read no question
            about a veiled counter of another.
    """

    of: tuple[Id, ...]
    about: str
    options: tuple[Option, ...]
    rules: tuple[Clause, ...] = ()
    refuses: Callable[[Answered], None] | None = None
    again: Callable[[], Ask | None] | None = None
    sources: tuple[AnySource, ...] = ()


class Go(Struct, frozen=True, gc=False):
    """A trigger of the flow to fire: ``struck``, ``felled`` …"""

    trigger: str
    rules: tuple[Clause, ...] = ()


class Interrupted(Struct, frozen=True, kw_only=True, gc=False):
    """A request to put actions on the stack; the rule goes on when they have left it.

    Attributes:
        by: The actors and their actions; the first one resolves first.
        manner: The manner of these actions.
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
    """Ask for a choice; after a ruling in between, read its options again.

    Args:
        ask: Returns the present question, read from the table; ``None`` if there is no choice. A refusal by it is
            raised where the rule waits.

    Returns:
        The answer; ``None`` if there is no choice, or no longer one.
    """
    asked = ask()
    if asked is None:
        return None
    answer: Answered | None = yield replace(asked, again=ask)
    return answer


def throw(roll: Callable[[], Roll | None]) -> Rule[Rolled | None]:
    """Ask for dice; after a ruling in between, read the roll from the table again.

    A ruling can come in between while real dice are awaited. See ``choice``.
    """
    wanted = roll()
    if wanted is None:
        return None
    rolled: Rolled | None = yield replace(wanted, again=roll)
    return rolled
