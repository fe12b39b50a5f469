"""Parameters of actions and rulings as people type them: by position or as ``name=value``.

Several values are joined by ``;`` or ``,``. Where a list is the last parameter without a name, blanks part its values.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec import Raw, inspect

from affray.engine.core.actions import Action, Ruling
from affray.engine.core.candidates import list_sides
from affray.engine.errors import NoSuch, Unusable
from affray.engine.fight import Fight
from affray.events import EVERYBODY, Id, names_recorded
from affray.tools.text.printable import json_text
from affray.tools.text.spelling_hints import nearest

from .decoding import misread
from .faults import join_shortly
from .forms import kinds_of
from .typed_names import Called, as_word, called_in, find_combatant, find_item, gone_on, place
from .values import FALSE, TRUE

KINDS = {
    "combatant": "a combatant", "several": "a combatant, a side or *", "item": "an item", "thing": "a thing",
    "place": "a place", "pool": "a pool", "condition": "a condition", "side": "a side", "relation": "a relation",
    "words": "some words", "slot": "a slot",
}  # fmt: skip
"""The words for a required parameter, by the kind of thing that it names."""


def parse_parameters(fight: Fight, form: type[Action] | type[Ruling], words: Sequence[str], actor: Id) -> Raw:
    """Return the parameters of an action or ruling in their recorded form.

    Raises:
        Unusable: a parameter is unknown, said twice, or of the wrong kind.
    """
    said = said_in(fight, form, words, actor)
    for name in _list_required(form):
        if name not in said:
            raise _unsaid(fight, form, name)
    try:
        return Raw(msgspec.json.encode(msgspec.convert(said, form, strict=False)))
    except (msgspec.ValidationError, RecursionError) as error:
        message, path = misread(str(error))
        raise Unusable(message if path else f"{form.kind}: {message}", path.lstrip(".") or "parameters") from None


def _unsaid(fight: Fight, form: type[Action] | type[Ruling], name: str) -> Unusable:
    """Return the error for a parameter that must be said: what it is, and which there are."""
    named = names_recorded(form).get(name, "")
    words = form.words[: form.words.index(name) + 1] if name in form.words else ()
    way = " ".join((form.kind, *(word.upper() for word in words or (f"{name}=…",))))
    people = f"; there are {join_shortly(fight.table.draft.combatants)}" if named == "combatant" else ""
    return Unusable(f"{form.kind} needs {KINDS.get(named, 'a value')} here, as in: {way}{people}", name)


def said_in(fight: Fight, form: type[Action] | type[Ruling], words: Sequence[str], actor: Id) -> dict[str, Any]:
    """Return the given parameters, with their values as typed.

    Raises:
        Unusable: as in ``parse_parameters``.
    """
    fields = _parameters(form)
    said: dict[str, Any] = {}
    unnamed = list(form.words)
    rest = list(words)
    while rest:
        word = _join_name_and_value(fight, form, rest, said, unnamed)
        name, equals, value = word.partition("=")
        if not equals or name not in fields:
            if equals and name.isidentifier() and not _begins_a_name(fight, form, unnamed, said, (word, *rest)):
                raise _no_parameter(form, name, word, [one for one in unnamed if one not in said])
            name, value = _next(unnamed, said, form, word), word
        before = said.pop(name) if not equals and name in said else []
        if name in said:
            raise Unusable("is said twice", name)
        more = gone_on(called_in(fight, names_recorded(form).get(name, "")), value, rest)
        said[name] = _value(fight, form, name, " ".join((value, *rest[:more])), actor)
        if before:
            said[name] = [*before, *said[name]]
        del rest[:more]
    return said


def _join_name_and_value(
    fight: Fight, form: type[Action] | type[Ruling], rest: list[str], said: Collection[str], unnamed: Sequence[str]
) -> str:
    """Take the next word; join a name and its value: ``away from WHO`` is ``away_from=WHO``.

    Only parameters that name combatants may be given so, and not if the word is itself the name of one.
    """
    for name, named in names_recorded(form).items():
        words = name.split("_")
        is_free = named == "several" and name not in said and name not in unnamed and len(rest) > len(words)
        if is_free and rest[: len(words)] == words and rest[0] not in called_in(fight, named):
            del rest[: len(words)]
            return f"{name}={rest.pop(0)}"
    return rest.pop(0)


def _begins_a_name(
    fight: Fight, form: type[Action] | type[Ruling], unnamed: Sequence[str], said: Collection[str], words: Sequence[str]
) -> bool:
    """Tell whether words that hold an equals sign begin a name that the next parameter without a name can take."""
    name = next((one for one in unnamed if one not in said), "")
    called = called_in(fight, names_recorded(form).get(name, ""))
    return words[0] in called or words[0].partition(";")[0] in called or gone_on(called, words[0], words[1:]) > 0


def _no_parameter(form: type[Action] | type[Ruling], name: str, word: str, unnamed: Sequence[str]) -> Unusable:
    """Return the error for an unknown parameter, with a line that uses its value."""
    fields = _parameters(form)
    known = f"it has {', '.join(fields) or 'none'}{nearest(name, fields)}"
    value = f"; as a value it is {unnamed[0]}={as_word(word)}" if unnamed else ""
    return Unusable(f"{form.kind} has no parameter {name}; {known}{value}", name)


@cache
def _parameters(form: type[Action] | type[Ruling]) -> tuple[str, ...]:
    return tuple(field.encode_name for field in msgspec.structs.fields(form))


@cache
def _list_required(form: type[Action] | type[Ruling]) -> tuple[str, ...]:
    """List the parameters without a default."""
    return tuple(field.encode_name for field in msgspec.structs.fields(form) if field.required)


def _next(unnamed: list[str], said: Mapping[str, Any], form: type[Action] | type[Ruling], word: str) -> str:
    """Return the parameter for a word without a name."""
    while unnamed:
        name = unnamed.pop(0)
        if name not in said:
            return name
    last = form.words[-1] if form.words else ""
    if isinstance(said.get(last), list) and _takes(form, last, inspect.VarTupleType):
        return last
    before = next(reversed([*said.values()]), "")
    name = as_word(f"{before} {word}" if isinstance(before, str) and before else f"a {word}")
    raise Unusable(f"{form.kind} has no use for {word}; a name of several words is quoted: {name}", "parameters")


def _value(fight: Fight, form: type[Action] | type[Ruling], name: str, value: str, actor: Id) -> Any:
    if value in (*TRUE, *FALSE) and _takes(form, name, inspect.BoolType):
        return value in TRUE
    many = _takes(form, name, inspect.VarTupleType)
    named = names_recorded(form).get(name, "")
    called = called_in(fight, named)
    if value.startswith(("{", "[")) and not _holds_text_alone(form, name) and value.partition(";")[0] not in called:
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError) as error:
            if named not in ("combatant", "slot"):
                like = f"; as a value it is {name}={as_word(json_text([value]))}" if many else ""
                raise Unusable(f"{error}{like}", name) from None
    values = [_one(fight, form, name, one, actor) for one in (_split_values(value, called, named) if many else [value])]
    return values if many else values[0]


def _split_values(value: str, called: Called, named: str) -> list[str]:
    """Split values at ``;`` or ``,``; names with one, and places, stay whole."""
    if value in called:
        return [value]
    parts = value.split(";")
    if named in ("place", "position", "words"):
        return parts
    return [one for part in parts for one in ([part] if part in called else part.rstrip(",").split(","))]


def _holds_text_alone(form: type[Action] | type[Ruling], name: str) -> bool:
    """Tell whether a parameter is never a list or a table, so that no bracket in it begins one."""
    return all(isinstance(one, _PLAIN) for one in kinds_of(form)[name])


_PLAIN = (inspect.StrType, inspect.IntType, inspect.FloatType, inspect.BoolType, inspect.LiteralType, inspect.NoneType)


def _takes(form: type[Action] | type[Ruling], name: str, kind: type[inspect.Type]) -> bool:
    return any(isinstance(one, kind) for one in kinds_of(form)[name])


def _one(fight: Fight, form: type[Action] | type[Ruling], name: str, value: str, actor: Id) -> str:
    named = names_recorded(form).get(name)
    if named in ("place", "position"):
        return place(fight, value)
    if named == "combatant" and value not in ("", "*", "gm"):
        return _person(fight, form, name, value)
    if named in ("item", "thing"):
        return find_item(fight, value, actor, in_part=named == "item")
    if named == "several" and value not in ("", EVERYBODY):
        return called_in(fight, named).find_one(value, name) or _one_of(fight, value, name)
    return (called_in(fight, named).find_one(value, name) if named in ("side", "slot") else None) or value


def _person(fight: Fight, form: type[Action] | type[Ruling], name: str, value: str) -> Id:
    """Return the combatant that a value means; the refusal of one with signs of the notation in it shows a line."""
    try:
        return find_combatant(fight, value)
    except Unusable as error:
        like = next((f"; say it as in: {form.kind} {name}={who}" for who in fight.table.draft.combatants), "")
        raise Unusable(error.message + like * bool(_SIGNS.search(value)), error.field) from None


def _one_of(fight: Fight, value: str, name: str) -> Id:
    """Return the combatant that the beginning of a name means; the refusal says which sides there are, too."""
    try:
        return find_combatant(fight, value)
    except Unusable:
        known = [*fight.table.draft.combatants, *list_sides(fight.table), EVERYBODY]
        raise NoSuch("", value, known, name) from None


_SIGNS = re.compile(r"[\[{=]")
