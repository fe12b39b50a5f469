"""Generator of ``shapes.js``: fields, forms and defaults of all structs."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.inspect import (
    BoolType,
    DictType,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    RawType,
    StrType,
    StructType,
    TupleType,
    Type,
    UnionType,
    VarTupleType,
)

from affray.engine.core.coordinates import CELLS
from affray.engine.core.loading import available, load
from affray.engine.core.state import State
from affray.engine.limits import MOST_DICE, MOST_SIDES
from affray.events import ABOUT_THE_RECORD, EVENTS, FORMAT, STARTS, VOIDING, dice_scheme_of

from .structs import fallback, structs

WIDTH = 120

OURS = "affray."
"""Prefix of the packages of rule systems that every client knows."""

_HEAD = """\
/**
 * Made by `python -m affray.tools.clients` from the Python structs; not to be edited.
 *
 * Per struct its fields in order: name, form, and what it is where it is left out (no third entry: it never is).
 * A form is "int", "int?" (or null), "str", "bool", "scalar" (any of these), "setting" (a scalar or a list of texts),
 * "part" (a scalar or a list of texts and tables of settings), {or: struct} for a text or a struct, {among: words} for
 * one of some words, "raw" for JSON whose text counts, a struct's name, [form] for a list, [form, n] for a list of n,
 * {of: form} for a table.
 */
"""


def shapes() -> str:
    """Generate the module ``shapes.js``."""
    parts = [
        _HEAD,
        f"/** The latest format of a log that is known here. */\nexport const FORMAT = {FORMAT};\n",
        _format_set("EVENTS", "Every type of event.", EVENTS),
        _format_set("ABOUT_THE_RECORD", "Events that no lane holds: they say what counts.", ABOUT_THE_RECORD),
        _format_set("STARTS", "Events that follow from nothing recorded before them.", STARTS),
        _format_set("VOIDING", "Events behind which a player's earlier undo request no longer waits.", VOIDING),
        *_rules_of_sense(),
        "export const SHAPES = {",
        *(_shape(name, kind) for name, kind in structs(State).items()),
        "};\n",
    ]
    return "\n".join(parts)


def _rules_of_sense() -> Iterator[str]:
    """Yield the limits that make an event impossible in any log."""
    schemes = json.dumps([dice_scheme_of(format) for format in range(1, FORMAT + 1)])
    on_cells = [name for name in available() if load(name).package.startswith(OURS) and load(name).board.kind in CELLS]
    yield f"/** The dice scheme of each format, from 1 on. */\nexport const DICE_SCHEMES = {schemes};\n"
    yield f"/** Nobody throws more dice at once. */\nexport const MOST_DICE = {MOST_DICE};\n"
    yield f"/** No die has more sides. */\nexport const MOST_SIDES = {MOST_SIDES};\n"
    yield f"/** The systems whose places are cells. */\nexport const ON_CELLS = new Set({json.dumps(on_cells)});\n"


def _format_set(name: str, says: str, types: Any) -> str:
    """Format a set of types as a JavaScript constant."""
    words = (json.dumps(type_.__name__) for type_ in sorted(types, key=lambda type_: type_.__name__))
    return f"/** {says} */\nexport const {name} = new Set([\n{_join_to_lines(words, '  ')}\n]);\n"


def _shape(name: str, kind: StructType) -> str:
    """Format the fields of a struct."""
    rows = (
        json.dumps([field.encode_name, _form(field.type), *([] if field.required else [fallback(field)])])
        for field in kind.fields
    )
    body = _join_to_lines(rows, "    ")
    line = f"  {name}: [{body.strip().removesuffix(',')}],"
    return line if "\n" not in body and len(line) <= WIDTH else f"  {name}: [\n{body}\n  ],"


def _join_to_lines(parts: Iterable[str], indent: str) -> str:
    """Join parts to lines of limited length."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) < WIDTH:
            lines[-1] += f" {part},"
        else:
            lines.append(f"{indent}{part},")
    return "\n".join(lines)


def _form(kind: Type) -> Any:
    """Return the form of a type, as the head of the module describes it."""
    form: Any
    match kind:
        case StructType():
            form = kind.cls.__name__
        case VarTupleType():
            form = [_form(kind.item_type)]
        case TupleType():
            (same,) = {json.dumps(_form(one)) for one in kind.item_types}
            form = [json.loads(same), len(kind.item_types)]
        case DictType():
            form = {"of": _form(kind.value_type)}
        case LiteralType():
            form = {"among": list(kind.values)}
        case UnionType():
            form = _form_of_union(kind)
        case Metadata():
            form = _form(kind.type)
        case _:
            form = _PLAIN[type(kind)]
    return form


def _form_of_union(kind: UnionType) -> Any:
    """Return the form of a union: a nullable type, or one of several plain values."""
    types = [one.type if isinstance(one, Metadata) else one for one in kind.types]
    some = [one for one in types if not isinstance(one, NoneType)]
    if len(some) > 1:
        if structs := [one.cls.__name__ for one in some if isinstance(one, StructType)]:
            return {"or": structs[0]}
        form = _SEVERAL[frozenset(type(one) for one in some)]
        nested = any(isinstance(one, VarTupleType) and isinstance(one.item_type, UnionType) for one in some)
        return "part" if nested else form
    return "int?" if isinstance(some[0], IntType) else _form(some[0])


_SEVERAL: dict[frozenset[type[Type]], str] = {
    frozenset((BoolType, IntType, StrType)): "scalar",
    frozenset((BoolType, IntType, StrType, VarTupleType)): "setting",
}
"""Forms of unions of several plain values; all of them may be null."""

_PLAIN: dict[type[Type], str] = {RawType: "raw", IntType: "int", StrType: "str", BoolType: "bool"}
