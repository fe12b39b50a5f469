"""What the JavaScript client must know of each struct to fill in, and to leave out, defaults."""

import json
from collections.abc import Iterable
from typing import Any

from msgspec.inspect import DictType, RawType, StructType, Type, UnionType, VarTupleType

from affray.engine.core.state import State
from affray.events import ABOUT_THE_RECORD, EVENTS, FORMAT, STARTS

from .structs import fallback, structs

WIDTH = 120

_HEAD = """\
/**
 * Made by `python -m affray.tools.clients` from the Python structs; not to be edited.
 *
 * Per struct its fields in order: name, form, and what it is where it is left out (no third entry: it never is).
 * A form is null for plain JSON, "raw" for JSON whose text counts, a struct's name, [form] for a list, {of: form} for a
 * table.
 */
"""


def shapes() -> str:
    """Return the module ``shapes.js``."""
    parts = [
        _HEAD,
        f"/** The latest format of a log that is known here. */\nexport const FORMAT = {FORMAT};\n",
        _listed("EVENTS", "Every type of event.", EVENTS),
        _listed("ABOUT_THE_RECORD", "Events that no lane holds: they say what counts.", ABOUT_THE_RECORD),
        _listed("STARTS", "Events that follow from nothing recorded before them.", STARTS),
        "export const SHAPES = {",
        *(_shape(name, kind) for name, kind in structs(State).items()),
        "};\n",
    ]
    return "\n".join(parts)


def _listed(name: str, says: str, types: Any) -> str:
    words = (json.dumps(type_.__name__) for type_ in sorted(types, key=lambda type_: type_.__name__))
    return f"/** {says} */\nexport const {name} = new Set([\n{_wrapped(words, '  ')}\n]);\n"


def _shape(name: str, kind: StructType) -> str:
    rows = (
        json.dumps([field.encode_name, _form(field.type), *([] if field.required else [fallback(field)])])
        for field in kind.fields
    )
    body = _wrapped(rows, "    ")
    line = f"  {name}: [{body.strip().removesuffix(',')}],"
    return line if "\n" not in body and len(line) <= WIDTH else f"  {name}: [\n{body}\n  ],"


def _wrapped(parts: Iterable[str], indent: str) -> str:
    """Return parts one after the other, in lines that are not too long."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) < WIDTH:
            lines[-1] += f" {part},"
        else:
            lines.append(f"{indent}{part},")
    return "\n".join(lines)


def _form(kind: Type) -> Any:
    match kind:
        case StructType():
            return kind.cls.__name__
        case RawType():
            return "raw"
        case VarTupleType():
            inner = _form(kind.item_type)
            return None if inner is None else [inner]
        case DictType():
            return {"of": _form(kind.value_type)}
        case UnionType():
            forms = [form for form in map(_form, kind.types) if form is not None]
            return forms[0] if len(forms) == 1 else None
        case _:
            return None
