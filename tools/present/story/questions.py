"""Questions as sentences that the rule system declares, with roll and stakes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from affray.engine.core.sentences import Part, fill_in
from affray.engine.core.state import Combatant, Pending
from affray.engine.core.vocabulary import Vocabulary
from affray.engine.core.words import QuestionWord
from affray.engine.history.timeline import History
from affray.engine.kit.relative_moves import REST
from affray.events import Id, Option, OptionName, QuestionId, Rolled, TopicName, about_of, pending_of, topic_of

from .actions import phrase
from .sentences import action_said, option_said, rolls_for
from .words import Names, capital, dice_said, name_of, series


def latest_rolls(history: History) -> Iterator[Rolled]:
    """Yield the public rolls that were not taken back, the latest first."""
    counting = (history.at(position) for position in reversed(history.path))
    return (one.event for one in counting if one.audience is None and isinstance(one.event, Rolled))


def question_said(
    about: TopicName, of: Iterable[Id], stack: Sequence[Pending], rolled: Rolled | None, names: Names
) -> str:
    """Return a question as a sentence.

    Args:
        about: The topic; after a colon the combatant it is about.
        of: The combatants that are asked.
        stack: The pending actions, the uppermost last.
        rolled: The roll that the question is about, if there is one.
        names: The names of all combatants and things.
    """
    known = names.words.questions.get(topic_of(about))
    who, whom = series((name_of(names, one) for one in of), "or"), about_of(about)

    def value(part: Part) -> str | None:
        match part.name:
            case "who":
                return who
            case "whom":
                return name_of(names, whom) if whom else who
            case "action":
                return pending_sentence(stack, names) or None
            case "actor":
                return name_of(names, stack[-1].actor) if stack else "somebody"
            case _:
                return roll_said(rolled, names) or None

    if known is not None and known.says:
        return capital(fill_in(known.says, value))
    for_whom = f" for {name_of(names, whom)}" if whom and whom not in of else ""
    return capital(f"{who} is asked about {names.label('questions', topic_of(about))}{for_whom}")


def about_roll(question: QuestionId, before: Iterable[Rolled]) -> Rolled | None:
    """Return the latest roll of the pending action that asks a question, if any.

    Args:
        before: The rolls before it, the latest first.
    """
    pending = pending_of(question)
    return next((one for one in before if pending and pending_of(one.roll) == pending), None)


def roll_said(rolled: Rolled | None, names: Names) -> str:
    """Return a roll with its dice and its result; an empty text for no roll."""
    return f"{rolls_for(rolled, names)}: {dice_said(rolled, names)}" if rolled is not None else ""


def stakes_said(asked: TopicName, options: Iterable[Option], names: Names) -> dict[OptionName, str]:
    """Return the stakes of each option: the rule system's text, or the option's."""
    known = names.words.questions.get(topic_of(asked), QuestionWord()).stakes
    return {one.choice: known.get(one.choice) or option_said(one) for one in options}


SEVERAL = 2
"""The number of asked combatants from which a side, or the rest, is named as a group."""


def still_asked(option: Option, people: Mapping[Id, Combatant], words: Vocabulary) -> Option:
    """Return an option without the optional fields of combatants out of the fight."""
    out = words.with_role("out")
    gone = {who for who, one in people.items() if not out.isdisjoint(one.conditions)}
    left = tuple(one for one in option.fields if not (one.optional and one.about in gone))
    if left == option.fields:
        return option
    few = _of_few({one.about for one in left if one.about in people}, people)
    kept = (one for one in left if one.about in people or (one.about or one.name) not in few)
    return replace(option, fields=tuple(kept))


def _of_few(named: Collection[Id], people: Mapping[Id, Combatant]) -> set[str]:
    """Return the group fields, such as a side, that hold at most one combatant."""
    sides = {one.side for one in people.values()}
    few = {side for side in sides if sum(people[who].side == side for who in named) < SEVERAL}
    return few | ({REST} if len(named) < SEVERAL else set())


def pending_sentence(stack: Iterable[Pending], names: Names) -> str:
    """Describe the latest unresolved declaration: ``Ilse means to attack Bram``."""
    pending = list(stack)
    if not pending:
        return ""
    top = pending[-1]
    return action_said(top.actor, phrase(top.kind, top.params, names, top.actor), top.manner, names, sure=False)
