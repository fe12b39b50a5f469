"""An acceptable ruling, found by trial and as close as possible to the typed one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

import msgspec
from msgspec import inspect

from affray.engine.commands import Command
from affray.engine.core.actions import Ruling
from affray.engine.core.coordinates import place_label
from affray.engine.errors import EngineError, Unusable
from affray.engine.fight import Fight
from affray.events import Event, Ruled
from affray.tools.parse import newcomers
from affray.tools.parse.forms import kinds_of
from affray.tools.parse.intent_parser import ruling
from affray.tools.parse.ruling_values import values_of
from affray.tools.parse.typed_names import as_word, words_of
from affray.tools.parse.typed_parameters import said_in
from affray.tools.text.spelling_hints import nearest_of

MOST_TRIED = 80
"""The most lines tried for one ruling."""

MOST_VALUES = 12
"""The most values tried for one field."""

OF_FIELD = {"dice": "2d6", "purpose": "listen", "for": "listen"}
"""Examples of texts that are neither names nor free text, by field."""


class RulingExample(NamedTuple):
    """A ruling as typed, if one was found; whether it would be accepted now, or why not."""

    line: str
    works: bool = False
    refused: str = ""


class RulingTrial:
    """A copy of a fight to try commands in; copied again after each accepted command."""

    def __init__(self, fight: Fight) -> None:
        self._fight = fight
        self._copy: Fight | None = None

    def refusal_of(self, ruled: Event) -> EngineError | None:
        """Return the refusal of a command; ``None`` if it is legal now."""
        if self._copy is None:
            self._copy = self._fight.copy_at(self._fight.head, mend=True)
        try:
            self._copy.submit(Command(id="trial", who="gm", intent=ruled))
        except EngineError as error:  # a refusal leaves no trace
            return error
        self._copy = None
        return None


def find_example(fight: Fight, kind: str, typed: Sequence[str] = (), trial: RulingTrial | None = None) -> RulingExample:
    """Return a legal line, or else one that can be parsed, if any is found.

    Args:
        typed: Words typed after the ruling's name; the line keeps as many as it can.
        trial: The copy to try lines in.
    """
    form = fight.ruleset.rulings[kind]
    trial = trial or RulingTrial(fight)
    if kind == newcomers.JOIN:
        return _newcomer(fight, typed, trial)
    first = refused = ""
    tries = _tries(fight, form, _keep_usable(fight, form, typed))
    seen: set[str] = set()
    for _ in range(MOST_TRIED):
        said = next(tries, None)
        if said is None:
            break
        line = _line(form, said)
        ruled = _parse_ruling(fight, line) if line not in seen else None
        seen.add(line)
        if ruled is None:
            continue
        error = trial.refusal_of(ruled)
        if error is None:
            return RulingExample(f"rule {line}", works=True)
        first, refused = first or line, refused or getattr(error, "reason", "")
        if isinstance(error, Unusable) and error.known:
            tries = chain(_with_known(form, said, error.field, error.known), tries)
    return RulingExample(f"rule {first}" if first else "", refused=refused)


def _newcomer(fight: Fight, typed: Sequence[str], trial: RulingTrial) -> RulingExample:
    """Return a line for a new combatant; copy missing fields from the first combatant."""
    like = next(iter(fight.state.combatants.values()))
    named = dict(word.split("=", 1) for word in typed if word.startswith(("name=", "side=")))
    said: dict[str, object] = {"name": f"Another {like.name}", "side": like.side, **named}
    line = ""
    for _ in range(MOST_VALUES):
        line = " ".join((newcomers.JOIN, *(f"{name}={as_word(str(value))}" for name, value in said.items())))
        ruled = _parse_ruling(fight, line)
        error = trial.refusal_of(ruled) if ruled is not None else None
        if ruled is not None and error is None:
            return RulingExample(f"rule {line}", works=True)
        field = error.field.split(".") if isinstance(error, Unusable) else [""]
        if field[0] != "combatant" or len(field) < 2 or field[1] in said:
            break
        own = {**like.stats, **like.pools, "at": place_label(like.place or "", fight.ruleset.board.kind)}
        said[field[1]] = own.get(field[1], 10)
    return RulingExample(f"rule {line}")


def _with_known(form: type[Ruling], said: Mapping[str, str], name: str, known: Sequence[str]) -> list[dict[str, str]]:
    """List values for a field from the refusal's list: all of them in a list, or each alone."""
    if name not in kinds_of(form):
        return []
    values = [*known][:MOST_VALUES]
    if any(isinstance(one, inspect.VarTupleType) for one in kinds_of(form)[name]):
        values = [",".join(known), ",".join(reversed(known)), *values]
    return [{**said, name: value} for value in values]


def fields_of(form: type[Ruling]) -> list[msgspec.structs.FieldInfo]:
    """List the fields of a ruling, positional ones first."""
    words = form.words
    fields = msgspec.structs.fields(form)
    return sorted(fields, key=lambda one: words.index(one.encode_name) if one.encode_name in words else len(words))


def _tries(fight: Fight, form: type[Ruling], kept: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Yield candidates with gaps filled, from all typed values down to none."""
    for count in range(len(kept), -1, -1):
        yield from _fill_in(fight, form, fields_of(form), {name: kept[name] for name in [*kept][:count]})


def _fill_in(
    fight: Fight, form: type[Ruling], fields: Sequence[msgspec.structs.FieldInfo], kept: Mapping[str, str]
) -> Iterator[dict[str, str]]:
    """Yield the kept values with gaps filled, then variants with one more or one other value."""
    said = dict(kept)
    for field in fields:
        if field.required and field.encode_name not in said:
            value = next(iter(_values(fight, form, field.encode_name, said)), "")
            if not value:
                return
            said[field.encode_name] = value
    yield said
    for field in fields:
        name = field.encode_name
        if name not in said:
            yield from ({**said, name: value} for value in _values(fight, form, name, said)[:2])
    others = [name for name in reversed(said) if name not in kept]
    for name in others:
        yield from ({**said, name: value} for value in _values(fight, form, name, {**said, name: ""}))


def _keep_usable(fight: Fight, form: type[Ruling], typed: Sequence[str]) -> dict[str, str]:
    """Keep typed values that a ruling's fields accept; correct misspelt names."""
    words: list[str] = []
    for word in typed:
        for one in (word, _nearest(fight, form, word)):
            with suppress(Unusable):
                said_in(fight, form, [*words, one] if one else [*words], "")
                words += [one] if one else []
                break
    kept = {}
    fields = {field.encode_name: field for field in msgspec.structs.fields(form)}
    for name, value in said_in(fight, form, words, "").items():
        with suppress(msgspec.ValidationError):
            msgspec.convert(value, fields[name].type, strict=False)
            kept[name] = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return kept


def _nearest(fight: Fight, form: type[Ruling], word: str) -> str:
    """Return the nearest name in a ruling's fields to a misspelt one; empty if none is near."""
    front, equals, value = word.rpartition("=")
    names = dict.fromkeys(chain.from_iterable(values_of(fight, form, name, {}) for name in kinds_of(form)))
    found = nearest_of(value, names)
    return f"{front}{equals}{found}" if found else ""


def _line(form: type[Ruling], said: Mapping[str, str]) -> str:
    """Return a ruling as typed, without the names of parameters that need none."""
    words = [form.kind]
    bare = True
    for name in [*form.words, *(one for one in said if one not in form.words)]:
        bare = bare and name in said and name in form.words
        if name in said:
            words.append(as_word(said[name]) if bare else f"{name}={as_word(said[name])}")
    return " ".join(words)


def _values(fight: Fight, form: type[Ruling], name: str, said: Mapping[str, str]) -> list[str]:
    """List typed values that a field accepts; none if a line cannot hold its value."""
    listed: Iterable[str] = values_of(fight, form, name, said)
    known = [one for one in listed if one not in said.values()][:MOST_VALUES]
    for kind in kinds_of(form)[name]:
        match kind:
            case inspect.VarTupleType():
                count = max(1, kind.min_length or 1)
                known = known or ["6"]
                return [",".join(known[at : at + count]) for at in range(max(1, len(known) - count + 1))]
            case inspect.IntType() if not known:
                return [str(one) for one in dict.fromkeys((max(1, kind.ge or 1), 2, 0)) if one >= (kind.ge or 0)]
            case inspect.StrType() if not known:
                return [OF_FIELD.get(name, "rain")]
    return known


def _parse_ruling(fight: Fight, line: str) -> Ruled | None:
    """Parse a typed ruling; return ``None`` if that fails."""
    try:
        return ruling(fight, words_of(line), "to see whether it can be ruled")
    except EngineError:
        return None
