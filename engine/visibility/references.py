"""The combatants that an event or part of a state concerns.

They are read from typed fields. The type of a field declares the kind of name in its text (``affray.events.refs``). For
each struct this is computed once, as a row of readers. Names for people, labels and sentences name no combatant, even
if they contain an id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, inspect

from affray import events as facts
from affray.engine.core.marks import StructMark, find_mark
from affray.engine.core.state import Pending, Question
from affray.events import Id, is_declaration, owner_of
from affray.events.refs import KEY

from .readers import Reader, Reading, Scope, read_each, read_either, read_entries


def read_struct(said: Struct, scope: Scope) -> Reading:
    """Return the names in the fields of a struct."""
    found = Reading(set(), set())
    _struct(said, scope, found)
    return found


def read_as_kind(kind: str, text: facts.AnySource, scope: Scope) -> set[Id]:
    """Return the hidden combatants that a text of a kind concerns."""
    found = Reading(set(), set())
    _READERS[kind](text, scope, found)
    return found.who


# --- one text ---


def _combatant(who: Id, scope: Scope, found: Reading) -> None:
    if who in scope.people:
        found.who.add(who)


def _item(item: Id, scope: Scope, found: Reading) -> None:
    """Read an item: its owner, and the first owner that its id names."""
    _combatant(owner_of(item), scope, found)
    if item in scope.things:
        found.who.add(scope.things[item])


def _thing(thing: str, scope: Scope, found: Reading) -> None:
    """Read a thing; one that is no item of a hidden combatant is plain text."""
    if thing in scope.things:
        _item(thing, scope, found)


def _group(kind: str) -> Reader:
    def reader(name: Id, scope: Scope, found: Reading) -> None:
        found.who.update(scope.groups[kind].get(name, ()))

    return reader


def _several(id: Id, scope: Scope, found: Reading) -> None:
    """Read a combatant or a side; a known side of that name takes precedence.

    See ``Table.is_combatant``.
    """
    if id not in scope.sides:
        _combatant(id, scope, found)
    _group("side")(id, scope, found)


def _slot(slot: Id, scope: Scope, found: Reading) -> None:
    """Read the slot of a combatant or of a group.

    Without a turn order the slot of a combatant needs no entry.
    """
    if slot not in scope.slots:
        _anything(slot, scope, found)


def _anything(id: Id, scope: Scope, found: Reading) -> None:
    """Read an id of unknown kind."""
    _combatant(id, scope, found)
    if id in scope.things:
        _item(id, scope, found)
    for groups in scope.groups.values():
        found.who.update(groups.get(id, ()))


def _window(path: str, scope: Scope, found: Reading) -> None:
    """Read the id of a pending action or window: round, actor or slot, then purposes."""
    parts = path.split("/")
    if len(parts) > 1:
        _anything(parts[1], scope, found)
    for part in parts[2:]:
        if not is_declaration(part):
            _purpose(part, scope, found)


def _path(path: str, scope: Scope, found: Reading) -> None:
    """Read round, actor and declaration, or round and procedure; then the purpose."""
    parts = path.split("/")
    if len(parts) > 2 and is_declaration(parts[2]):
        _anything(parts[1], scope, found)
    tail = ""
    for nth, part in enumerate(parts[2:], 3):
        if not is_declaration(part):
            _purpose(part, scope, found)
        tail = part.partition(":")[2]
        if tail.isdigit() and nth < len(parts):  # the path of another pending action follows: round, actor, declaration
            _anything(parts[nth], scope, found)


def _purpose(purpose: str, scope: Scope, found: Reading) -> None:
    """Read a purpose: behind a colon its subject, behind ``@`` the active slot.

    ``#`` and a number count repeats. A mark with this purpose may name further combatants.
    """
    found.who.update(scope.groups["purpose"].get(purpose, ()))
    purpose, _, turn = purpose.partition("@")
    if turn:
        _slot(turn.partition("#")[0], scope, found)
    word, _, about = purpose.partition(":")
    found.words.add(word.partition("#")[0])
    if about:
        about = about.partition("#")[0]
        (_path if "/" in about else _anything)(about, scope, found)


def _source(source: facts.AnySource, scope: Scope, found: Reading) -> None:
    """Read a source: a struct, an id, a value of a combatant, or a word of the rules."""
    if isinstance(source, facts.Source):
        _struct(source, scope, found)
        return
    _, dot, part = source.partition(".")
    if dot:
        _item(source, scope, found)
    elif scope.rules is None or source not in scope.rules.plain_sources:
        _anything(source, scope, found)
    found.words.add(part or source)


def _subject(about: str, scope: Scope, found: Reading) -> None:
    (_path if "/" in about else _anything)(about, scope, found)


def _count(what: str, scope: Scope, found: Reading) -> None:
    """Read a counter's key: an actor's declarations, a slot's turns, windows."""
    whose, _, rest = what.partition("/")
    (_window if "/" in rest else _anything)(what if "/" in rest else whose, scope, found)


def _word(word: str, _: Scope, found: Reading) -> None:
    found.words.add(word)


_READERS: dict[str, Reader] = {
    "count": _count,
    "combatant": _combatant,
    "counter": _word,
    "die": _word,
    "item": _item,
    "mark": _word,
    "pending": _window,
    "pool": _word,
    "purpose": _purpose,
    "question": _path,
    "relation": _group("relation"),
    "roll": _path,
    "several": _several,
    "side": _group("side"),
    "slot": _slot,
    "source": _source,
    "stat": _word,
    "subject": _subject,
    "thing": _thing,
    "topic": _purpose,
    "window": _window,
}
"""The reader for each kind of text; other kinds name no combatant."""


# --- a struct ---


def _struct(said: Struct, scope: Scope, found: Reading) -> None:
    for name, reader in _fields(type(said)):
        reader(getattr(said, name), scope, found)
    more = _MORE.get(type(said))
    if more is not None:
        more(said, scope, found)


@cache
def _fields(struct: type[Struct]) -> tuple[tuple[str, Reader], ...]:
    """Return the readers of a struct's fields that can name a combatant."""
    told = inspect.type_info(struct)
    assert isinstance(told, inspect.StructType)
    found = ((field.name, _of_type(field.type, "")) for field in told.fields)
    return tuple((name, reader) for name, reader in found if reader is not None)


def _of_type(kind: inspect.Type, names: str) -> Reader | None:
    """Return the reader for values of a type, if there is anything to read."""
    if isinstance(kind, inspect.Metadata):
        return _of_type(kind.type, (kind.extra_json_schema or {}).get(KEY, names))
    inside = next((inside for form, inside in _INSIDE.items() if isinstance(kind, form)), None)
    return inside(kind, names) if inside is not None else None


_INSIDE: dict[type[inspect.Type], Callable[[Any, str], Reader | None]] = {
    inspect.StrType: lambda _, names: _READERS.get(names),
    inspect.StructType: lambda _, __: _struct,
    inspect.VarTupleType: lambda kind, names: read_each(_of_type(kind.item_type, names)),
    inspect.ListType: lambda kind, names: read_each(_of_type(kind.item_type, names)),
    inspect.TupleType: lambda kind, names: read_each(_of_type(kind.item_types[0], names)),
    inspect.DictType: lambda kind, names: read_entries(
        _of_type(kind.key_type, names), _of_type(kind.value_type, names)
    ),
    inspect.UnionType: lambda kind, names: read_either([(_holds(one), _of_type(one, names)) for one in kind.types]),
}
"""The function that builds the reader for each kind of type."""


def _holds(kind: inspect.Type) -> type[Any]:
    """Return the Python type of a union's values that can name a combatant."""
    while isinstance(kind, inspect.Metadata):
        kind = kind.type
    return next((values for form, values in _VALUES.items() if isinstance(kind, form)), type(None))


_VALUES: dict[type[inspect.Type], type[Any]] = {
    inspect.StrType: str,
    inspect.StructType: Struct,
    inspect.VarTupleType: tuple,
    inspect.DictType: dict,
}


# --- names that only the rule system declares ---


def _params(
    said: facts.Declared | facts.Attempted | facts.Stacked | Pending | facts.Ruled, scope: Scope, found: Reading
) -> None:
    if scope.rules is not None:
        forms = scope.rules.rulings if isinstance(said, facts.Ruled) else scope.rules.actions
        if form := forms.get(said.kind):
            _struct(_decoder(form).decode(said.params), scope, found)


@cache
def _decoder(form: type[Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(form)


def _answer(said: facts.Answered, scope: Scope, found: Reading) -> None:
    for name, value in said.fields.items():
        found.words.add(name)
        kind = scope.rules.vocabulary.chosen_kind(name) if scope.rules else ""
        if kind and isinstance(value, str):
            _READERS[kind](value, scope, found)


def _question(said: facts.Asked | Question, scope: Scope, found: Reading) -> None:
    for option in said.options:
        for one in option.fields:
            if not one.about:
                found.words.add(one.name)
            kind = scope.rules.vocabulary.chosen_kind(one.name) if scope.rules else ""
            for id in one.among if kind else ():
                _READERS[kind](id, scope, found)


def _read_mark(key: str, about: str, value: object, parts: Mapping[str, object], scope: Scope, found: Reading) -> None:
    mark = find_mark(scope.marks, key, about)
    if mark is None:
        return
    if mark.about and about:
        _READERS[mark.about](about, scope, found)
    if mark.asks:
        found.who.update(scope.groups["purpose"].get(f"{mark.asks}:{about}", ()))
        found.words.add(mark.asks)
    if isinstance(mark, StructMark):
        if parts and mark.kinds:
            _struct(mark.decode(parts), scope, found)
        return
    reader = _READERS.get(mark.names)
    if reader is not None and isinstance(value, str | tuple):
        for one in (value,) if isinstance(value, str) else value:
            reader(one, scope, found)


def find_names_in_mark(key: str, about: str, value: object, parts: Mapping[str, object], scope: Scope) -> Reading:
    """Return the names in a mark's key, in what it is about, in its value, and in the fields of its struct."""
    found = Reading(set(), {key})
    _read_mark(key, about, value, parts, scope, found)
    return found


_MORE: dict[type[Struct], Callable[[Any, Scope, Reading], None]] = {
    facts.Answered: _answer,
    facts.Asked: _question,
    facts.Attempted: _params,
    facts.Declared: _params,
    facts.MarkSet: lambda said, scope, found: _read_mark(said.key, said.about, said.value, said.parts, scope, found),
    Pending: _params,
    Question: _question,
    facts.Source: lambda said, scope, found: _read_mark(said.name, said.about, None, {}, scope, found),
    facts.Ruled: _params,
    facts.Stacked: _params,
}
"""Further readers for structs with names that their types do not declare."""
