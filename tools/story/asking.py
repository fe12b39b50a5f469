"""What is asked, as a sentence that its rule system declares: who is asked what, about which roll, at what stake."""

from __future__ import annotations

from collections.abc import Iterable

from affray.engine.core.sentences import Part, filled
from affray.engine.core.state import Pending
from affray.events import Event, Id, Rolled, TopicName, about_of, topic_of

from .acting import phrase
from .sentences import action_said, rolls_for
from .words import Names, called, capital, dice_said, series


def question_said(
    about: TopicName, of: Iterable[Id], stack: Iterable[Pending], before: Iterable[Event], names: Names
) -> str:
    """Return a question as a sentence.

    Args:
        about: What it is about; behind a colon whom.
        of: Who is asked.
        stack: What is declared and unresolved, the uppermost last.
        before: What happened before it, the latest first.
        names: Of everybody and everything.
    """
    known = names.words.questions.get(topic_of(about))
    who, whom = series((called(names, one) for one in of), "or"), about_of(about)

    def value(part: Part) -> str | None:
        match part.name:
            case "who":
                return who
            case "whom":
                return called(names, whom) if whom else who
            case "action":
                return meant(stack, names) or "this"
            case _:
                rolled = next((one for one in before if isinstance(one, Rolled)), None)
                return f"{rolls_for(rolled, names)}: {dice_said(rolled, names)}" if rolled is not None else "the roll"

    if known is not None and known.says:
        return capital(filled(known.says, value))
    for_whom = f" for {called(names, whom)}" if whom and whom not in of else ""
    return capital(f"{who} is asked about {names.label('questions', topic_of(about))}{for_whom}")


def meant(stack: Iterable[Pending], names: Names) -> str:
    """Return what is declared last and unresolved, such as ``Ilse means to attack Bram``; empty if nothing is."""
    pending = list(stack)
    if not pending:
        return ""
    top = pending[-1]
    return action_said(top.actor, phrase(top.kind, top.params, names, top.actor), top.manner, names, sure=False)
