"""Newcomers as people type them: an encounter file, TOML or JSON in a line, ``name=value`` words, or an id."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, inspect

from affray.engine.core.actions import Ruling
from affray.engine.core.ruleset import Ruleset
from affray.engine.errors import Unusable
from affray.engine.fight import Fight
from affray.engine.kit.encounters import SideEntry, use_present_names
from affray.events import Id
from affray.tools.text.spelling_hints import nearest

from .decoding import misread
from .encounter_file import add_location, read_encounter
from .forms import kinds_of
from .typed_names import Called, as_word
from .values import FALSE, TRUE

JOIN = "join"
"""The ruling that brings newcomers in."""

GROUND = frozenset({"system", "name", "config", "side", "board", "place", "zone"})
"""The fields of an encounter file about the fight and its ground; newcomers change neither."""

OF_THE_RULING = frozenset({"at", "initiative"})
"""The words for the ruling's parameters, even if an entry has a field of that name."""

_FILE = re.compile(r".+\.toml", re.IGNORECASE)

LINE = "rule join name=NAME side=SIDE"
"""The form of a newcomer in words."""

LIKE = f"such as: {LINE}"


def is_file(words: Sequence[str]) -> bool:
    """Tell whether the words after ``join`` begin with a file."""
    return bool(words) and _FILE.fullmatch(words[0]) is not None


def newcomer_parameters(fight: Fight, words: Sequence[str], *, files: bool) -> Raw:
    """Return the recorded parameters of a ruling that adds the combatants in the words.

    Args:
        files: Whether the words may name a file, which is then read.

    Raises:
        Unusable: the words cannot be parsed; names the faulty one, and gives a line that would work.
        Faulty: a line of the file cannot be parsed.
    """
    form = fight.ruleset.rulings[JOIN]
    if files and is_file(words):
        said = _of_ruling(form, words[1:])
        with lines_of_file([JOIN, *words], fight.ruleset.name):
            return encode_parameters(form, from_file(fight.ruleset, read_encounter(Path(words[0]))[1]) | said)
    if not words:
        raise Unusable(f"join needs a combatant here, {LIKE}", "combatant")
    return encode_parameters(form, _from_words(fight, form, words))


@contextmanager
def lines_of_file(words: Sequence[str], system: str = "") -> Iterator[None]:
    """Add the line to an error about newcomers that a file describes.

    Args:
        words: The words of a ruling; if they name no file, errors pass unchanged.
        system: The rule system of the fight, if it is known.
    """
    if words[:1] != [JOIN] or not is_file(words[1:]):
        yield
        return
    text, content = read_encounter(Path(words[1]))
    with add_location(Path(words[1]), text, {"system": system, **content}):
        yield


def from_file(ruleset: Ruleset, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a ruling that adds all combatants of an encounter file.

    Raises:
        Unusable: the file is of another system, has no combatants, or holds an entry that a ruling cannot add.
    """
    system = content.get("system", ruleset.name)
    if system != ruleset.name:
        raise Unusable(f"is of {system}, and the fight of {ruleset.name}", "system")
    entries = content.get("combatant")
    if not isinstance(entries, list) or not entries:
        raise Unusable("is missing; newcomers stand under [[combatant]]", "combatant")
    for nth, one in enumerate(entries):
        if not isinstance(one, dict):
            raise Unusable("must be a table; newcomers stand under [[combatant]]", f"combatant[{nth}]")
    known = kinds_of(ruleset.rulings[JOIN])
    parts = use_present_names(_with_dice_of_sides(content))
    for key in parts:
        if key not in known and key not in GROUND:
            raise Unusable(f"there is no field {key}", "")
    return {key: value for key, value in parts.items() if key in known}


def _with_dice_of_sides(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a file's content with each side's dice given to its combatants.

    Raises:
        Unusable: a side is not written as in an encounter file.
    """
    try:
        sides = msgspec.convert(content.get("side", {}), dict[str, SideEntry])
    except msgspec.ValidationError as error:
        raise Unusable(*_with_path(error, "side")) from None
    entries = []
    for one in content["combatant"]:
        side = sides.get(str(one.get("side")))
        entries.append({"dice": side.dice, **one} if side is not None and side.dice is not None else one)
    return {**content, "combatant": entries}


def _with_path(error: msgspec.ValidationError, field: str) -> tuple[str, str]:
    """Return an error's message, and its field as a path below another field."""
    message, path = misread(str(error))
    return message, field + path


def encode_parameters(form: type[Ruling], said: Mapping[str, Any]) -> Raw:
    """Encode parameters in their recorded form.

    Raises:
        Unusable: one of them is unknown or of the wrong kind.
    """
    try:
        return Raw(msgspec.json.encode(msgspec.convert(said, form, strict=False)))
    except (msgspec.ValidationError, RecursionError) as error:
        message, path = misread(str(error))
        raise Unusable(message, path.lstrip(".") or "combatant") from None


def _from_words(fight: Fight, form: type[Ruling], words: Sequence[str]) -> dict[str, Any]:
    """Return the parameters that words say: of an entry, of the ruling, or who comes back."""
    named = [words[0].removeprefix("combatant="), *words[1:]]
    front: list[str] = []
    while named and not (front and front[0][:1] in ("{", "[")) and "=" not in _head(named[0]):
        front.append(named.pop(0))
    said = _pairs(named)
    if not front:
        return _sort_words(form, said)
    if front[0][:1] in ("{", "["):
        return {"combatant": _table(front[0])} | _of_ruling(form, named)
    return {"combatant": _who_left(fight, " ".join(front))} | _of_ruling(form, named)


def _head(word: str) -> str:
    """Return a word, but an empty text for a table, which has its own keys."""
    return "" if word[:1] in ("{", "[") else word


def _pairs(words: Sequence[str]) -> dict[str, str]:
    """Return values by name; a word without a name continues the value before it.

    Raises:
        Unusable: a name is given twice, or the first word has none.
    """
    said: dict[str, str] = {}
    last = ""
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name.isidentifier():
            if name in said:
                raise Unusable("is said twice", name)
            last = name
            said[name] = value
        elif not said:
            raise Unusable(f"{as_word(word)} is not of the form NAME=VALUE; {LIKE}", "combatant")
        else:
            said[last] = f"{said[last]} {word}"
    return said


def _sort_words(form: type[Ruling], said: Mapping[str, str]) -> dict[str, Any]:
    """Split words into an entry and the parameters of the ruling."""
    entry, own = _entry_of(form), kinds_of(form)
    fields = kinds_of(entry)
    found: dict[str, Any] = {}
    newcomer: dict[str, Any] = {}
    for name, value in said.items():
        if name in fields and not (name in OF_THE_RULING and name in own):
            newcomer[name] = _value(fields[name], value, name)
        elif name in own and name != "combatant":
            found[name] = _value(own[name], value, name)
        else:
            known = {**fields, **own}
            raise Unusable(f"join has no {name}{nearest(name, known)}; {LIKE}", name)
    for field in msgspec.structs.fields(entry):
        if field.required and field.encode_name not in newcomer:
            raise Unusable(f"is missing, {LIKE}", field.encode_name)
    return found | {"combatant": newcomer}


def _of_ruling(form: type[Ruling], words: Sequence[str]) -> dict[str, Any]:
    """Return the ruling's parameters that follow the newcomers."""
    kinds = kinds_of(form)
    said = _pairs(words) if not words or "=" in words[0] else {words[0]: ""}
    for name in said:
        if name not in kinds or name == "combatant":
            others = ", ".join(one for one in kinds if one != "combatant")
            raise Unusable(f"join does not know {name} behind newcomers, but {others}{nearest(name, kinds)}", name)
    return {name: _value(kinds[name], value, name) for name, value in said.items()}


def _entry_of(form: type[Ruling]) -> type[msgspec.Struct]:
    """Return the form of an entry."""
    return next(kind.cls for kind in kinds_of(form)["combatant"] if isinstance(kind, inspect.StructType))


def _value(kinds: Sequence[inspect.Type], value: str, name: str) -> Any:
    """Parse a typed value: a table, a list, yes or no; numbers are parsed later."""
    if value[:1] in ("{", "["):
        return _table(value)
    if value in (*TRUE, *FALSE) and any(isinstance(one, inspect.BoolType) for one in kinds):
        return value in TRUE
    if any(isinstance(one, inspect.VarTupleType) for one in kinds):
        parted = [one.strip() for one in re.split(";" if name == "at" else "[;,]", value)]
        return parted[0] if name == "at" and len(parted) == 1 else parted
    return value


def _table(said: str) -> Any:
    """Return a table or a list that is written in a line, as JSON or as TOML.

    Raises:
        Unusable: it is neither.
    """
    try:
        return msgspec.json.decode(said)
    except (msgspec.DecodeError, RecursionError) as error:
        as_json = str(error)
    try:
        return tomllib.loads(f"it = {said}")["it"]
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        like = 'such as: rule join \'{name = "NAME", side = "SIDE"}\''
        raise Unusable(f"{as_json}; nor is it TOML; {like}", "combatant") from None


def _who_left(fight: Fight, said: str) -> Id:
    """Return the id of a combatant that left.

    Raises:
        Unusable: no combatant of that name has left the fight.
    """
    departed = fight.table.draft.departed
    who = Called((id, one.name) for id, one in departed.items()).find_one(said, "combatant")
    if who is None:
        there = f"; those are {', '.join(departed)}" if departed else ""
        raise Unusable(f"no {as_word(said)} has left this fight{there}; somebody new joins with {LINE}", "combatant")
    return who
