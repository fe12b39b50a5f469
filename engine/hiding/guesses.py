"""Words of a sender who may not know all that is hidden: a guess, which betrays nothing whatever it names.

If it were sealed, that alone would confirm it. Rules repeat such words in events of their own, so what they are stays
with them: two invisible marks stand around them wherever they go.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import get_args

import msgspec
from msgspec import Meta, Raw
from msgspec.structs import fields, replace

from affray.engine.actions import Action
from affray.engine.commands import Intent
from affray.engine.draft import Draft
from affray.events import Declared, Id

from .betrayal import BEGINS, ENDS, plain, unmarked


def as_guess(intent: Intent, actions: Mapping[str, type[Action]], of: Draft, knows: Collection[Id] | None) -> Intent:
    """Return what is asked with its sender's free texts marked as a guess.

    Args:
        intent: As it was sent.
        actions: The actions that can be declared.
        of: The present state.
        knows: Of which hidden combatants the sender may know; of all if it is ``None``. What names these is no guess.
    """
    if knows is None or not isinstance(intent, Declared) or intent.kind not in actions:
        return intent
    action = actions[intent.kind]
    params = msgspec.json.decode(intent.params)
    if not isinstance(params, dict):
        return intent
    own = tuple(_own_words(of, knows))
    for field in free_texts(action):
        said = params.get(field)
        if isinstance(said, str) and said.strip() and not (field in action.things and _seen(said, of, knows)):
            params[field] = _marked(unmarked(said), own)
    return replace(intent, params=Raw(msgspec.json.encode(params)))


def same_words(one: Declared, other: Declared) -> bool:
    """Tell whether two declarations differ in nothing but what is marked in them."""
    return _bare(one) == _bare(other)


@lru_cache(maxsize=1024)
def free_texts(action: type[Action]) -> tuple[str, ...]:
    """Return which parameters of an action are in people's own words: the texts that are bounded in length."""
    return tuple(
        field.encode_name
        for field in fields(action)
        if any(isinstance(one, Meta) and one.max_length is not None for one in get_args(field.type))
    )


def _bare(declared: Declared) -> tuple[str, str, str, object]:
    params = msgspec.json.decode(unmarked(bytes(declared.params).decode()))
    return declared.actor, declared.kind, declared.manner, params


def _own_words(of: Draft, knows: Collection[Id]) -> Iterator[str]:
    for who in of.concealed:
        if who in knows:
            called = of.combatants[who].name if who in of.combatants else ""
            yield from filter(None, re.split("[/-]", plain(f"{who} {called}")))


def _seen(item: str, of: Draft, knows: Collection[Id]) -> bool:
    """Tell whether a text is the id of a thing that somebody can know of."""
    return item in of.items and (of.items[item].owner in knows or of.items[item].owner not in of.concealed)


def _marked(text: str, own: tuple[str, ...]) -> str:
    def guessed(word: str) -> bool:
        return not any(part.startswith(own) for part in re.split("[/-]", plain(word)))

    runs = ((is_guess, "".join(words)) for is_guess, words in groupby(re.findall(r"\s*\S+\s*", text), guessed))
    return "".join(f"{BEGINS}{run}{ENDS}" if is_guess else run for is_guess, run in runs)
