"""Declarations, answers and rulings, and what becomes of them on the stack.

Every command is recorded by exactly one event marked *input*; all other events follow from it.
"""

from typing import Literal

from msgspec import Raw, Struct

from . import refs
from .root import Event, Scalar

STANDARD = "standard"
"""The manner in which an action is declared if nothing else is said."""


class Declared(Event, frozen=True, kw_only=True):
    """Input: a combatant means to do something.

    Attributes:
        actor: Combatant id, or ``gm`` for what the game master sets going.
        kind: The action's name in the ruleset.
        params: The action's parameters; their struct belongs to the ruleset.
        manner: How it is played: ``standard``, ``readied`` …; the system says which there are.
        confided: Whether it holds words of somebody who knew of a concealed combatant; until they are released, they
            are for those who know.
    """

    actor: refs.CombatantId
    kind: refs.ActionName
    params: Raw
    manner: refs.MannerName = STANDARD
    confided: bool = False


class Attempted(Event, frozen=True, kw_only=True):
    """Input: a player attempts what only a concealed combatant prevents; the game master decides the outcome.

    Attributes:
        actor, kind, params, manner, confided: As in ``Declared``.
    """

    actor: refs.CombatantId
    kind: refs.ActionName
    params: Raw
    manner: refs.MannerName = STANDARD
    confided: bool = False


class AttemptRefused(Event, frozen=True, kw_only=True):
    """The rule that prevents an attempt. Only the game master may ever read it.

    Attributes:
        actor: Id of the combatant whose attempt it is.
        code: The refusal that the declaration would meet.
        because_of: Ids of the concealed combatants without one of whom it would be accepted; if there is none such, of
            all concealed combatants.
    """

    actor: refs.CombatantId
    code: refs.Text
    because_of: tuple[refs.CombatantId, ...] = ()


class Answered(Event, frozen=True, kw_only=True):
    """Input: a question was answered.

    Attributes:
        question: Id of the question.
        by: Who answered, one of those asked.
        choice: The chosen option.
        fields: What the option wanted to know, such as ``ep``.
        confided: As in ``Declared``.
        reason: Why, in the words of the one who answers.
    """

    question: refs.QuestionId
    by: refs.CombatantId
    choice: refs.OptionName
    fields: dict[str, Scalar] = {}
    confided: bool = False
    reason: refs.Words = ""


PassedFor = Literal["", "not worth", "time"]
"""Why a window is let pass for somebody."""


class Passed(Event, frozen=True, kw_only=True):
    """Input: a combatant does not use a window, or nobody does who is asked.

    Attributes:
        who: Combatant id; ``*`` for everybody who is asked.
        why: Why it was sent for them, if they did not pass themselves: nothing they could do is worth it by what their
            rules say of it (``not worth``), or their ``time`` was up.
    """

    window: refs.WindowId
    who: refs.CombatantId
    why: PassedFor = ""


WhenAsked = Literal["always", "worthwhile", "targeted", "never"]
"""When somebody is asked in windows, the most often first."""

EVERYBODY = "*"
"""Whom a pass is for that answers for all who are asked, or a setting that holds at the whole table."""


class AskingSet(Event, frozen=True, kw_only=True):
    """Input: when somebody wants to be asked in windows, until further notice; a standing pass, or its end.

    Attributes:
        who: Combatant id; ``*`` for when the table stops at all. Nobody is asked more often than the table stops.
        ask: ``always``, ``worthwhile`` (when something they could do is worth it, or an action is aimed at them),
            ``targeted`` (only when a pending action is aimed at them) or ``never``.
        what: For the table: in which kind of window; in all others if empty.
        seconds: For the table: after how long whoever has not answered lets a window pass; 0 if nobody counts.
    """

    who: refs.CombatantId
    ask: WhenAsked
    what: refs.TriggerName = ""
    seconds: int = 0


class Ruled(Event, frozen=True, kw_only=True):
    """Input: the game master decided something, with a reason; what it did follows as facts.

    Attributes:
        kind: The ruling's name.
        params: What was meant ("4 damage"); its struct belongs to the engine or the ruleset.
        reason: The game master's words.
        apart: Whether it is numbered apart from the others of its kind, as it tells of a concealed combatant.
    """

    kind: refs.RulingName
    params: Raw
    reason: refs.Words
    apart: bool = False


class Stacked(Event, frozen=True, kw_only=True):
    """An action is pending: declared, not yet resolved.

    Attributes:
        item: Its id, with which names of dice begin: round, actor, and in dice scheme 2 the kind with its number, such
            as ``1/ilse/attack.2``; in dice scheme 1 the number alone.
        actor, kind, params, manner, confided: As declared.
        at: Its place on the stack; 0 lies at the bottom and resolves last.
        nth: Its number among the actor's declarations of this kind in this round; in dice scheme 1 among all of them.
        tags: What the system needs to know for precedence.
        targets: At whom it is aimed, as far as it names somebody.
    """

    item: refs.PendingId
    actor: refs.CombatantId
    kind: refs.ActionName
    params: Raw
    manner: refs.MannerName
    at: int
    nth: int
    tags: tuple[refs.TraitName, ...] = ()
    targets: tuple[refs.CombatantId, ...] = ()
    confided: bool = False


class Resolved(Event, frozen=True, kw_only=True):
    """A pending action took place and left the stack."""

    item: refs.PendingId


class Fizzled(Event, frozen=True, kw_only=True):
    """A pending action was no longer possible: it left the stack without effect or die.

    Attributes:
        item: Its id.
        code: The refusal it would meet if it were declared now.
    """

    item: refs.PendingId
    code: refs.Text


class Dropped(Event, frozen=True, kw_only=True):
    """A pending action was taken off the stack.

    Attributes:
        item: Its id.
        why: ``fight over``, or the game master's reason.
    """

    item: refs.PendingId
    why: refs.Words


class Field(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """Something an option wants to know.

    Attributes:
        name: Its key in the answer.
        kind: ``int``, ``text`` or ``id``.
        low, high: Bounds of an ``int``, both included.
        among: What an ``id`` may be.
        optional: Whether it may be left out.
    """

    name: refs.Text
    kind: refs.Text
    low: int = 0
    high: int = 0
    among: tuple[refs.Id, ...] = ()
    optional: bool = False


class Option(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """One way to answer a question.

    Attributes:
        choice: Its name.
        says: What it does, in a few words.
        fields: What it wants to know.
    """

    choice: refs.OptionName
    says: refs.Text
    fields: tuple[Field, ...] = ()


class Asked(Event, frozen=True, kw_only=True):
    """The rules need a choice before they can go on.

    Attributes:
        question: Id of the question; the answer names it.
        of: Who may answer; the game master always may.
        about: What kind of choice it is, such as ``forfeit``.
        options: The ways to answer.
    """

    question: refs.QuestionId
    of: tuple[refs.CombatantId, ...]
    about: refs.TopicName
    options: tuple[Option, ...]


class Withdrawn(Event, frozen=True, kw_only=True):
    """A question, or the wish for real dice, is taken back unanswered.

    Attributes:
        what: Id of the question or roll.
    """

    what: refs.RollId
