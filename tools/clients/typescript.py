"""Generator of ``types.d.ts``: types of all structs that a client reads and sends."""

import json
from collections.abc import Iterator
from textwrap import wrap
from typing import Annotated, get_origin

from msgspec import inspect

from affray.engine.visibility import WireLine
from affray.events import EVENTS, FORMAT, Event, refs
from affray.events.refs import KEY, NEW
from affray.tools.api.amendment_preview import Preview

from .structs import INTENTS, ROOTS, docstring_of, fallback, structs

_WIDTH = 120

_HEAD = f"""\
/**
 * What Affray writes and reads as JSON: the lines of a log (format {FORMAT}), a fight's state, what commands ask.
 *
 * Made by `python -m affray.tools.clients` from the Python structs; not to be edited. A field with a question mark is
 * left out where it is as usual. The JavaScript client fills those in: its values are `Whole<…>`.
 */

/** The parameters of an action or a ruling; `affray schema SYSTEM` describes them. */
export type Params = {{ [name: string]: unknown }};

/** The same with nothing left out, and nothing to be written. */
export type Whole<T> = T extends object ? {{ readonly [K in keyof T]-?: Whole<T[K]> }} : T;
"""

_WORDS: dict[type[inspect.Type], str] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.RawType: "Params",
    inspect.AnyType: "unknown",
}

_ALIASES: dict[str, str] = {
    value.__metadata__[0].extra_json_schema[KEY]: name
    for name, value in vars(refs).items()
    if get_origin(value) is Annotated and NEW not in value.__metadata__[0].extra_json_schema
}
"""Type of each kind of reference in a text."""

_NAMES = (
    "/** What a text names stands in its type alone. */\n"
    + "\n".join(f"export type {name} = string;" for name in sorted(_ALIASES.values()))
    + "\n"
)

_RULES = docstring_of(Event)[1]["rules"]

_MEANT: dict[tuple[type, str], str] = {
    (WireLine, "event"): "AnyEvent | null",
    (Preview, "needs"): "Question | Awaited | Window | null",
}
"""Types of fields that are more specific than their Python type."""


def typescript() -> str:
    """Generate the module ``types.d.ts``."""
    events = {type_.__name__ for type_ in EVENTS}
    parts = [
        _HEAD,
        _NAMES,
        *(_interface(kind) for kind in structs(*ROOTS).values()),
        _union("AnyEvent", "Every fact of a fight there is; `type` says which.", sorted(events)),
        _union("Intent", "Everything a command may ask.", [type_.__name__ for type_ in INTENTS]),
    ]
    return "\n".join(parts)


def _interface(kind: inspect.StructType) -> str:
    """Format a struct as a TypeScript interface."""
    whole, fields = docstring_of(kind.cls)
    fields.setdefault("rules", _RULES)
    lines = [*_comment(whole, ""), f"export interface {kind.cls.__name__} {{"]
    if kind.tag is not None:
        lines.append(f"  {kind.tag_field}: {json.dumps(kind.tag)};")
    for field in kind.fields:
        form = _MEANT.get((kind.cls, field.name)) or _type(field.type)
        lines += _comment(_field_comment(field, fields.get(field.name, "")), "  ")
        lines.append(f"  {field.encode_name}{'' if field.required else '?'}: {form};")
    return "\n".join([*lines, "}\n"])


def _field_comment(field: inspect.Field, words: str) -> str:
    """Return the comment of a field, with its default."""
    usual = "" if field.required else fallback(field)
    return f"{words} {json.dumps(usual)} where it is left out.".strip() if usual and isinstance(usual, str) else words


def _comment(words: str, indent: str) -> Iterator[str]:
    """Yield the lines of a comment."""
    if not words:
        return
    line = f"{indent}/** {words} */"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"{indent}/**"
    yield from wrap(words, _WIDTH, initial_indent=f"{indent} * ", subsequent_indent=f"{indent} * ")
    yield f"{indent} */"


def _type(kind: inspect.Type) -> str:
    """Return the TypeScript type of a type."""
    said: str | None = _WORDS.get(type(kind))
    match kind:
        case inspect.StructType():
            said = kind.cls.__name__
        case inspect.LiteralType():
            said = " | ".join(json.dumps(value) for value in kind.values)
        case inspect.VarTupleType() | inspect.ListType():
            inner = _type(kind.item_type)
            said = f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.TupleType():
            said = f"[{', '.join(map(_type, kind.item_types))}]"
        case inspect.DictType():
            said = f"Record<{_type(kind.key_type)}, {_type(kind.value_type)}>"
        case inspect.Metadata():
            said = _ALIASES[(kind.extra_json_schema or {})[KEY]]
        case inspect.UnionType():
            said = _any_of(kind)
    assert said, f"{kind} has no TypeScript yet"
    return said


def _any_of(kind: inspect.UnionType) -> str:
    """Return the TypeScript type of a union."""
    names = {one.cls.__name__ for one in kind.types if isinstance(one, inspect.StructType)}
    if names == {type_.__name__ for type_ in EVENTS}:
        return "AnyEvent | null" if any(isinstance(one, inspect.NoneType) for one in kind.types) else "AnyEvent"
    return " | ".join(map(_type, kind.types))


def _union(name: str, says: str, names: list[str]) -> str:
    """Format a union of named types."""
    return "\n".join([f"/** {says} */", f"export type {name} =", *(f"  | {one}" for one in names)]) + ";\n"
