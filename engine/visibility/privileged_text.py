"""Free text of privileged senders: those who know of concealed combatants.

A mark beside the words records that the sender knows. It depends on the sender, never on the words. Words of a sender
who knows of no concealed combatant are as visible as the event that carries them, whether or not they mention one.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from affray.engine.commands import Intent
from affray.engine.core.actions import Action
from affray.engine.core.draft import Draft
from affray.engine.core.state import State
from affray.engine.texts import remove_marks
from affray.events import Answered, Declared, Id, Ruled, list_naming_fields, names

from .audiences import list_known_concealed


def mark_privileged(
    intent: Intent, actions: Mapping[str, type[Action]], of: Draft, knows: Sequence[Id] | None
) -> Intent:
    """Mark an intent if it holds words and its sender knows of a concealed combatant.

    Args:
        intent: The intent as it was sent; its own mark does not count.
        actions: The actions that can be declared.
        knows: Ids of the concealed combatants that the sender may know of; ``None`` for all.
    """
    if not isinstance(intent, Declared | Answered):
        return intent
    knowing = bool(list_known_concealed(of, knows)) and has_words(intent, actions, of)
    return intent if intent.confided == knowing else replace(intent, confided=knowing)


def has_words(intent: Intent, actions: Mapping[str, type[Action]], of: State | Draft) -> bool:
    """Tell whether an intent holds its sender's words, such as a reason or a stunt."""
    match intent:
        case Ruled():
            return True
        case Declared(kind=kind) if kind in actions:
            return any(_parameter_of(intent, actions[kind], field, of) for field in free_texts(actions[kind]))
        case Answered(fields=said):
            if intent.reason.strip():
                return True
            asked = of.question if of.question is not None and of.question.id == intent.question else None
            if asked is None:  # from an earlier moment, which an amendment goes back to
                return any(isinstance(one, str) for one in said.values())
            texts = {one.name for option in asked.options for one in option.fields if one.kind == "text"}
            return any(said.get(name) for name in texts)
        case _:
            return False


def free_texts(action: type[Action]) -> tuple[str, ...]:
    """List the parameters of an action that are, or can be, free text."""
    return (*list_naming_fields(action, "words"), *list_naming_fields(action, "thing"))


def unmark_privileged(intent: Intent) -> Intent:
    """Return an intent as its sender sent it."""
    confiding = isinstance(intent, Declared | Answered) and intent.confided
    return replace(intent, confided=False) if confiding else intent


def is_same_intent(one: Declared | Answered, other: Declared | Answered) -> bool:
    """Tell whether two declarations or answers are the same, apart from their marks."""
    return _bare(one) == _bare(other)


def _parameter_of(intent: Declared, action: type[Action], field: str, of: State | Draft) -> bool:
    try:
        said = msgspec.json.decode(intent.params, type=dict[str, object]).get(field)
    except msgspec.MsgspecError:
        return False  # the decoder of the action refuses them
    return bool(said) and not (names(action)[field] == "thing" and said in of.items)


def _bare(said: Declared | Answered) -> object:
    return msgspec.json.decode(remove_marks(msgspec.json.encode(replace(said, confided=False)).decode()))
