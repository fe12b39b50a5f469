"""Words of a sender who may not know all that is hidden: a guess, which betrays nothing whatever it names.

If it were sealed, that alone would confirm it. Rules repeat such words in events of their own, so what they are stays
with them: two invisible marks stand around them wherever they go. Whether they are marked depends on who says them, and
never on what they say or on what is hidden; nobody can enter such marks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from affray.engine.commands import Intent
from affray.engine.core.actions import Action
from affray.engine.core.draft import Draft
from affray.engine.core.state import State
from affray.engine.errors import Unusable
from affray.events import Answered, Declared, Id, names, naming

from .betrayal import BEGINS, ENDS, secrets, unmarked
from .redacting import seen_by
from .viewers import Viewer

TELLING = "names what is hidden from others, and everybody can read this"
"""Why words are refused that would betray somebody whom their sender knows."""


def as_guess(intent: Intent, actions: Mapping[str, type[Action]], of: Draft, knows: Collection[Id] | None) -> Intent:
    """Return what is asked with its sender's free texts marked as a guess.

    Args:
        intent: As it was sent.
        actions: The actions that can be declared.
        of: The present state.
        knows: Of which hidden combatants the sender may know; of all if it is ``None``.

    Raises:
        Unusable: a text names somebody hidden whom its sender knows, and others would read it.
    """
    if knows is None:
        return intent
    if isinstance(intent, Declared) and intent.kind in actions:
        return _declared(intent, actions[intent.kind], of, knows)
    if isinstance(intent, Answered) and of.question is not None:
        texts = {field.name for one in of.question.options for field in one.fields if field.kind == "text"}
        said = {
            name: _guess(intent.fields[name], of, knows, intent.by, f"fields.{name}")
            for name in texts & intent.fields.keys()
        }
        return replace(intent, fields={**intent.fields, **said})
    return intent


def own_in(said: object, of: State | Draft, knows: Collection[Id]) -> set[Id]:
    """Return of whom of those they know somebody says what is hidden; whom they do not know makes no difference."""
    if not any(who in knows for who in (*of.concealed, *of.veiled)):
        return set()
    seen = seen_by(Viewer(role="player", owns=tuple(knows)), of.freeze() if isinstance(of, Draft) else of)
    hidden = secrets(seen)
    return hidden.found_in(said) if hidden is not None else set()


def same_words(one: Declared | Answered, other: Declared | Answered) -> bool:
    """Tell whether two declarations or answers differ in nothing but what is marked in them."""
    return _bare(one) == _bare(other)


def free_texts(action: type[Action]) -> tuple[str, ...]:
    """Return which parameters of an action are, or can be, in people's own words."""
    return (*naming(action, "words"), *naming(action, "thing"))


def _declared(intent: Declared, action: type[Action], of: Draft, knows: Collection[Id]) -> Declared:
    try:
        params = msgspec.json.decode(intent.params, type=dict[str, object])
    except msgspec.MsgspecError:
        return intent  # whoever wants to know them refuses them
    for field in free_texts(action):
        said = params.get(field)
        if isinstance(said, str) and not (names(action)[field] == "thing" and _seen(said, of, knows)):
            params[field] = _guess(said, of, knows, intent.actor, f"params.{field}")
    return replace(intent, params=Raw(msgspec.json.encode(params)))


def _guess(said: object, of: Draft, knows: Collection[Id], speaker: Id, field: str) -> object:
    """Return a text as a guess. It may name who speaks, for that is told beside it; others it would betray."""
    if not isinstance(said, str) or not said.strip():
        return said
    if own_in(said, of, knows) & set(of.concealed) - {speaker}:
        raise Unusable(TELLING, field)
    return f"{BEGINS}{said}{ENDS}"


def _bare(said: Declared | Answered) -> object:
    return msgspec.json.decode(unmarked(msgspec.json.encode(said).decode()))


def _seen(item: str, of: Draft, knows: Collection[Id]) -> bool:
    """Tell whether a text is the id of a thing that somebody can know of."""
    return item in of.items and (of.items[item].owner in knows or of.items[item].owner not in of.concealed)
