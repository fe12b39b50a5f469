"""Declarations, answers and rulings, and how they pass through the stack.

Each command is recorded by exactly one event marked *input*; all other events follow from it.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Raw, Struct
from msgspec.structs import replace

from . import refs
from .rolls import AnySource
from .root import Event, Scalar

STANDARD = "standard"
"""The manner of a declaration that names no other."""


class Declared(Event, frozen=True, kw_only=True):
    """Input: a combatant declares an action.

    Attributes:
        actor: Combatant id, or ``gm`` for an action that the game master starts.
        kind: The action's name in the ruleset.
        params: The action's parameters; their struct belongs to the ruleset.
        manner: The manner of playing: ``standard``, ``readied`` …; each system declares its manners.
        confided: Whether the sender, who knew of a concealed combatant, added free text. Until the text is released,
            only viewers who know of that combatant may read it.
    """

    actor: refs.CombatantId
    kind: refs.ActionName
    params: Raw
    manner: refs.MannerName = STANDARD
    confided: bool = False


class Attempted(Event, frozen=True, kw_only=True):
    """Input: a player attempts an action that only a concealed combatant prevents.

    The game master decides the outcome.

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
        actor: Id of the combatant that makes the attempt.
        code: The refusal that the declaration would meet.
        because_of: The concealed combatants that prevent the action: without any single one of them it would be
            accepted. If there is no such combatant, all concealed combatants.
    """

    actor: refs.CombatantId
    code: refs.Text
    because_of: tuple[refs.CombatantId, ...] = ()


class Answered(Event, frozen=True, kw_only=True):
    """Input: a question was answered.

    Attributes:
        question: Id of the question.
        by: Id of the combatant that answered, one of those asked.
        choice: The chosen option.
        fields: Values for the option's fields, such as ``ep``.
        about: Values for the fields about combatants or sides: by the id or the side, then by the field.
        confided: As in ``Declared``.
        reason: The reason, in the sender's words.
    """

    question: refs.QuestionId
    by: refs.CombatantId
    choice: refs.OptionName
    fields: dict[str, Scalar] = {}
    about: dict[refs.SeveralId, dict[str, Scalar]] = {}
    confided: bool = False
    reason: refs.Words = ""


PassedFor = Literal["", "not worth", "time"]
"""The reason why the table passed for a combatant; empty if a player passed."""


class Passed(Event, frozen=True, kw_only=True):
    """Input: a combatant passes in a window, or all combatants pass that are asked.

    Attributes:
        window: Id of the window.
        who: Combatant id; ``*`` for all that are asked.
        why: The reason why the table passed for them; empty if a player did. ``not worth``: their rules rate none of
            their actions as useful. ``time``: their time was up.
    """

    window: refs.WindowId
    who: refs.CombatantId
    why: PassedFor = ""


WhenAsked = Literal["always", "worthwhile", "targeted", "never"]
"""The settings for how often a combatant is asked in windows, the most frequent first."""

EVERYBODY = "*"
"""The recipient of a pass for all combatants that are asked, and of a setting for the whole table."""


class AskingSet(Event, frozen=True, kw_only=True):
    """Input: how often a combatant is asked in windows; a standing pass, or its end.

    Attributes:
        who: Combatant id; ``*`` for the whole table. No combatant is asked more often than the table stops.
        ask: ``always``, ``worthwhile`` (when one of their actions is worth it, or an action is aimed at them),
            ``targeted`` (only when a pending action is aimed at them) or ``never``.
        what: The kind of window that a setting of the whole table is for; empty for all other kinds.
        seconds: For the whole table: the timeout, in seconds, after which a window passes for those that have not
            answered; 0 for none.
    """

    who: refs.CombatantId
    ask: WhenAsked
    what: refs.TriggerName = ""
    seconds: int = 0


class Ruled(Event, frozen=True, kw_only=True):
    """Input: a ruling of the game master, with a reason; its effects follow as facts.

    Attributes:
        kind: The ruling's name.
        params: The intent ("4 damage"); its struct belongs to the engine or the ruleset.
        reason: The reason, in the game master's words.
        apart: Whether it is numbered apart from other rulings of its kind, because it is about a concealed combatant.
    """

    kind: refs.RulingName
    params: Raw
    reason: refs.Words
    apart: bool = False


class Stacked(Event, frozen=True, kw_only=True):
    """An action is pending: declared, not yet resolved.

    Attributes:
        item: Its id, which is the prefix of its dice names: round, actor, and in dice scheme 2 the kind with its
            number, such as ``1/ilse/attack.2``; in dice scheme 1 the number alone.
        actor, kind, params, manner, confided: The same as in the declaration.
        at: Its index on the stack; 0 lies at the bottom and resolves last.
        nth: Its number among the actor's declarations of this kind in this round; in dice scheme 1 among all of them.
        tags: Traits by which the system decides precedence.
        targets: Ids of the combatants that the action names as targets.
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
    """A pending action was carried out and left the stack."""

    item: refs.PendingId


class Fizzled(Event, frozen=True, kw_only=True):
    """A pending action became impossible and left the stack without effect or die.

    Attributes:
        item: Its id.
        code: The refusal that a declaration would meet now.
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
    """A value that an answer must supply with an option.

    Attributes:
        name: Its key in the answer.
        about: The combatant or side that the value is about; the name is a key among the values about it then.
        kind: ``int``, ``text`` or ``id``.
        low, high: Bounds of an ``int``, both included.
        among: The ids that an ``id`` may be.
        optional: Whether it may be left out.
    """

    name: refs.Text
    kind: refs.Text
    about: refs.SeveralId = ""
    low: int = 0
    high: int = 0
    among: tuple[refs.Id, ...] = ()
    optional: bool = False


def find_value(answer: Answered, field: Field) -> Scalar:
    """Return an answer's value for a field; ``None`` if it has none."""
    return (answer.about.get(field.about, {}) if field.about else answer.fields).get(field.name)


def give_values(answer: Answered, values: Iterable[tuple[Field, Scalar]]) -> Answered:
    """Return an answer with these values for fields, besides those that it has."""
    fields, about = {**answer.fields}, {one: {**those} for one, those in answer.about.items()}
    for field, value in values:
        (about.setdefault(field.about, {}) if field.about else fields)[field.name] = value
    return replace(answer, fields=fields, about=about)


class Option(Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """An option of a question.

    Attributes:
        choice: Its name.
        says: Its effect, in a few words.
        fields: The values that an answer must supply.
    """

    choice: refs.OptionName
    says: refs.Text
    fields: tuple[Field, ...] = ()


class Asked(Event, frozen=True, kw_only=True):
    """The rules need a choice before they can go on.

    Attributes:
        question: Id of the question; the answer names it.
        of: Ids of the combatants that may answer; the game master always may.
        about: The kind of choice, such as ``forfeit``.
        options: The possible answers.
        sources: The veiled counters that the options tell, such as the one that bounds a number.
    """

    question: refs.QuestionId
    of: tuple[refs.CombatantId, ...]
    about: refs.TopicName
    options: tuple[Option, ...]
    sources: tuple[AnySource, ...] = ()


class Withdrawn(Event, frozen=True, kw_only=True):
    """A question, or a request for real dice, is withdrawn without an answer.

    Attributes:
        what: Id of the question or roll.
    """

    what: refs.RollId
