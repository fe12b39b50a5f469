"""The text that says which answer or dice a fight waits for."""

from affray.events import Id, topic_of

from .draft import Draft
from .vocabulary import Vocabulary


def describe_awaited(draft: Draft, words: Vocabulary) -> str:
    """Say which combatant must answer or enter dice first; empty if none."""
    if draft.question is not None:
        asked = " or ".join(_name_of(draft, who) for who in draft.question.of)
        return f"{asked} must first answer: {words.label('questions', topic_of(draft.question.about))}"
    if draft.awaited is not None:
        return f"the dice of {_name_of(draft, draft.awaited.by)} must first be entered"
    return ""


def _name_of(draft: Draft, who: Id) -> str:
    return draft.combatants[who].quoted_name if who in draft.combatants else "the game master" if who == "gm" else who
