"""What a ruling is, explained in a conversation: its fields, and a line that works."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import inspect

from affray.engine.commands import Command
from affray.engine.core.actions import Ruling
from affray.engine.errors import EngineError, Unusable
from affray.engine.fight import Fight
from affray.events import Ruled
from affray.tools.forms import kinds_of
from affray.tools.speech import ruling
from affray.tools.spelling_hints import nearest
from affray.tools.typed_names import as_word, words_of
from affray.tools.typed_parameters import KINDS, named_in

from .following import values_of

SHOWN = 6
"""How many values of a field are shown."""


def explained(fight: Fight, kind: str) -> Iterator[str]:
    """Yield what a ruling does, each of its fields, and a line that works.

    Raises:
        Unusable: there is no such ruling.
    """
    form = fight.ruleset.rulings.get(kind)
    if form is None:
        raise Unusable(f"there is no ruling {kind}{nearest(kind, fight.ruleset.rulings)}", "ruling")
    yield f"{kind}  – {form.says}"
    for field in sorted(msgspec.structs.fields(form), key=lambda one: _place(form, one.encode_name)):
        name = field.encode_name
        said = name.upper() if name in form.words else f"{name}=…"
        values = list(values_of(fight, form, name, {}))
        among = ", ".join([*values[:SHOWN], *["…"][: len(values) > SHOWN]]) or _kind(form, name)
        yield f"  {said}  {among}{'' if field.required else ' (may be left out)'}"
    line, works = example(fight, kind)
    if line:
        yield f"  {'such as' if works else 'not now, but written as'}: {line}"


def _place(form: type[Ruling], name: str) -> int:
    return form.words.index(name) if name in form.words else len(form.words)


def _kind(form: type[Ruling], name: str) -> str:
    """Say what a field takes of which no values are listed."""
    kinds = kinds_of(form)[name]
    if any(isinstance(kind, inspect.StructType) for kind in kinds):
        return "as in an encounter file"
    what = "a number" if any(isinstance(kind, inspect.IntType) for kind in kinds) else "a text"
    named = named_in(form).get(name, "")
    return KINDS.get(named, what)


class Example(NamedTuple):
    """A ruling as one types it, if there is one, and whether it would be accepted now."""

    line: str
    works: bool = False


def example(fight: Fight, kind: str) -> Example:
    """Return a line that would be accepted now; else one that is understood, if any is found."""
    form = fight.ruleset.rulings[kind]
    said: dict[str, str] = {}
    fields = sorted(msgspec.structs.fields(form), key=lambda one: _place(form, one.encode_name))
    for name in [one.encode_name for one in fields if one.required]:
        said[name] = _first(fight, form, name, said)
        if not said[name]:
            return Example("")
    more = ((one.encode_name, _first(fight, form, one.encode_name, said)) for one in fields if not one.required)
    others = ((name, _first(fight, form, name, said)) for name in reversed(said))
    tries = [said, *({**said, name: value} for name, value in (*more, *others) if value)]
    lines = [line for line in (_typed(form, one) for one in tries) if _ruled(fight, line) is not None]
    copy = fight.as_of(fight.head, mend=True)  # a refusal leaves no trace there, and what is accepted ends the search
    works = next((line for line in lines if _is_accepted(copy, line)), "")
    line = works or next(iter(lines), "")
    return Example(f"rule {line}" if line else "", bool(works))


def _typed(form: type[Ruling], said: dict[str, str]) -> str:
    """Return a ruling as one types it, without the names of those parameters that need none."""
    words = [form.kind]
    bare = True
    for name in [*form.words, *(one for one in said if one not in form.words)]:
        bare = bare and name in said and name in form.words
        if name in said:
            words.append(as_word(said[name]) if bare else f"{name}={as_word(said[name])}")
    return " ".join(words)


def _first(fight: Fight, form: type[Ruling], name: str, said: dict[str, str]) -> str:
    """Return a value that a field may have, as one types it; nothing where it takes more than a line holds."""
    known = [one for one in values_of(fight, form, name, said) if one not in said.values()]
    for kind in kinds_of(form)[name]:
        match kind:
            case inspect.VarTupleType():
                count = max(1, kind.min_length or 1)
                return ",".join((known or ["6"])[:count])
            case inspect.IntType() if not known:
                return str(max(1, kind.ge or 1))
            case inspect.StrType() if not known:
                return OF_FIELD.get(name, "rain")
    return known[0] if known else ""


OF_FIELD = {"dice": "2d6", "purpose": "listen"}
"""What a text is that is no name and not free, by its field."""


def _ruled(fight: Fight, line: str) -> Ruled | None:
    """Return a ruling as it is typed; nothing if it cannot be understood."""
    try:
        return ruling(fight, words_of(line), "to see whether it can be ruled")
    except EngineError:
        return None


def _is_accepted(copy: Fight, line: str) -> bool:
    ruled = _ruled(copy, line)
    assert ruled is not None
    try:
        copy.submit(Command(id=f"try-{line}", who="gm", intent=ruled))
    except EngineError:
        return False
    return True
