"""Sentences for actions and rulings, as the rule system declares them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields

from affray.engine.core.sentences import Part, fill_in
from affray.engine.core.vocabulary import TABLES
from affray.engine.core.words import Deed, FieldWord
from affray.engine.texts import id_said, name_said, quote, word_said
from affray.events import UNREADABLE, Answered, Id, Scalar, names_recorded

from .words import (
    Names,
    as_people_say,
    name_of,
    name_of_slot,
    place_of_thing,
    plain,
    possessive,
    series,
    side_said,
    with_sign,
)

EVERYBODY = "*"
"""The word for all combatants, in settings of dice."""

LEFT_OUT: tuple[object, ...] = (None, "", [], {})
"""The text of an empty parameter."""


def phrase(kind: str, params: Raw, names: Names, actor: Id = "") -> str:
    """Return an action in the infinitive, such as ``attack the Captain``."""
    return _deed(kind, params, names, names.words.actions, names.actions, actor)


def ruling_said(kind: str, params: Raw, names: Names) -> str:
    """Return a ruling in the infinitive, such as ``set Ilse's health by −2``."""
    return _deed(kind, params, names, names.words.rulings, names.rulings, "")


def _deed(
    kind: str, params: Raw, names: Names, words: Mapping[str, Deed], forms: Mapping[str, type[Struct]], actor: Id
) -> str:
    """Describe an action or a ruling; an unknown one by its name and parameters."""
    values = _parameters(params)
    if kind not in words or kind not in forms:
        written = ", ".join(f"{id_said(name)} {_value('thing', value, names, actor)}" for name, value in values.items())
        return f"{id_said(kind)}: {written}" if written else id_said(kind)
    form = forms[kind]
    kinds, usual = names_recorded(form), _defaults(form)

    def value(part: Part) -> str | None:
        given = values.get(part.name, usual.get(part.name))
        if part.yes is not None:
            return part.yes if given else part.no
        if part.how == "many" and not given:
            return None
        if given in LEFT_OUT or given == usual.get(part.name, _NOTHING):
            return None
        return _form_value(part.how, kinds.get(part.name, ""), given, names, actor)

    return fill_in(words[kind].says, value)


_NOTHING = object()


@cache
def _defaults(form: type[Struct]) -> dict[str, Any]:
    """Return the default values of the optional parameters."""
    return {one.encode_name: one.default for one in fields(form) if one.default is not msgspec.NODEFAULT}


def _form_value(how: str, kind: str, value: Any, names: Names, actor: Id) -> str:
    """Return a parameter in one of its forms.

    ``own`` is the genitive, ``signed`` a number with its sign, ``s`` the ending of the plural where there is not one,
    ``many`` a number that is left out where it is 0, ``option`` a word that is declared among the options, ``last`` the
    last of several.
    """
    match how:
        case "own":
            return possessive(_value(kind, value, names, actor))
        case "signed":
            return with_sign(value)
        case "s":
            return "" if value == 1 else "s"
        case "option":
            return names.label("options", value)
        case "last":
            return _value(kind, value[-1], names, actor)
        case _:
            return _value(kind, value, names, actor)


def _value(kind: str, value: Any, names: Names, actor: Id) -> str:
    """Return a parameter for people.

    Args:
        kind: The kind of thing that its texts name, such as ``combatant``; empty if they name none.
        value: The value as it is recorded.
        names: The names of all combatants and things.
        actor: The acting combatant, whose things are named without their owner.
    """
    match value:
        case int():
            return plain(value)
        case str():
            return _text(kind, value, names, actor)
        case list():
            return series(_value(kind, one, names, actor) for one in value)
        case {"name": str(name), "side": str(side)}:
            count = value.get("count", 1)
            return f"{f'{count} × ' if count != 1 else ''}{name_said(name)} for {side_said(side)}"
        case _:
            return quote(msgspec.json.encode(value).decode())


def _text(kind: str, value: str, names: Names, actor: Id) -> str:
    if kind in _SAID:
        return _SAID[kind](value, names)
    mine = names.get(f"{actor}.{value}")
    if mine is not None or kind == "word":
        return mine or _word_said(value, names)
    if kind == "item" and value not in names:
        return series(name_of(names, one) for one in value.split("+"))
    if kind in TABLES:
        return names.label(TABLES[kind], value)
    return names.get(value) or (quote(value) if kind in ("thing", "source") else _word_said(value, names))


def _word_said(value: str, names: Names) -> str:
    """Return the text of a word; see ``word_said`` for an undeclared option."""
    return as_people_say(value) if value in names.words.options else word_said(value)


def _anybody(who: str, names: Names) -> str:
    return "everybody" if who == EVERYBODY else name_of(names, who)


def pending_said(item: str, names: Names) -> str:
    """Describe a pending action by its id: the round, the actor, and the number."""
    _, who, *_ = (*item.split("/"), "", "")
    return f"what {name_of(names, who)} means to do" if who in names else id_said(item)


_SAID: dict[str, Callable[[str, Names], str]] = {
    "combatant": _anybody,
    "pending": pending_said,
    "place": lambda place, names: names.at(place),
    "several": lambda whom, names: name_of_slot(names, whom) if whom != EVERYBODY else "everybody",
    "position": lambda where, names: place_of_thing(names, where),
    "side": lambda side, _: name_said(side),
    "words": lambda words, _: quote(words),
}
"""The functions that put a text into words, by kind of text, where a label is not enough."""


def _parameters(params: Raw) -> dict[str, Any]:
    """Return parameters by name; forged ones that are no object get an empty name."""
    try:
        values = msgspec.json.decode(params)
    except UNREADABLE:
        values = bytes(params).decode(errors="replace")
    return values if isinstance(values, dict) else {"": values}


def fields_said(answer: Answered, names: Names) -> str:
    """Return what was filled in with an answer: ``Bandit, shaken, rounds 1``.

    Args:
        names: The names of all combatants and things.
    """
    tables = [("", answer.fields), *answer.about.items()]
    given = [(whom, *one) for whom, table in tables for one in table.items() if one[1] not in LEFT_OUT]
    return ", ".join(_field(whom, name, value, names, answer.by) for whom, name, value in given)


def _field(whom: Id, name: str, value: Scalar, names: Names, by: Id) -> str:
    known = names.words.fields.get(name, FieldWord())
    own = isinstance(value, str) and known.free
    kind = known.names or ("condition" if name == "condition" else "word")
    shown = quote(str(value)) if own else _value(kind, value, names, by)
    says = (known.one if value == 1 else "") or known.says or f"{names.label('fields', name)} {{}}"
    filled_in = says.replace("{}", shown)
    return f"{name_of(names, whom)}: {filled_in}" if whom else filled_in
