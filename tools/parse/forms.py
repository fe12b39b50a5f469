"""The kinds of values that a struct's fields accept, read from their types."""

from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct, inspect


@cache
def kinds_of(form: type[Struct]) -> dict[str, tuple[inspect.Type, ...]]:
    """Return the types of each field, unions split into their members."""
    about = _type_of(form)
    assert isinstance(about, inspect.StructType)
    return {field.encode_name: tuple(parts(field.type)) for field in about.fields}


@cache
def _type_of(form: type[Struct]) -> inspect.Type:
    return inspect.type_info(form)


def parts(kind: inspect.Type) -> list[inspect.Type]:
    """Return the types that a type puts together."""
    match kind:
        case inspect.Metadata():
            return parts(kind.type)
        case inspect.UnionType():
            return [part for one in kind.types for part in parts(one)]
        case _:
            return [kind]


def kinds_at(form: type[Struct], steps: Iterable[str]) -> list[inspect.Type]:
    """Return the types at a path, such as ``combatant``, ``0``, ``side``."""
    found: list[inspect.Type] = [_type_of(form)]
    for step in steps:
        found = [kind for outer in found for kind in _inside(outer, step)]
    return found


def _inside(outer: inspect.Type, step: str) -> Sequence[inspect.Type]:
    match outer:
        case inspect.StructType():
            return kinds_of(outer.cls).get(step, ())
        case inspect.ListType() | inspect.VarTupleType():
            return parts(outer.item_type)
        case inspect.TupleType():
            return [part for one in outer.item_types for part in parts(one)]
        case inspect.DictType():
            return parts(outer.value_type)
        case _:
            return ()


def describe_kind(kind: inspect.Type, joined: str = "") -> str:
    """Describe the values that a type allows, such as ``a whole number from 1 to 99``.

    Args:
        joined: The form of a list, after the words ``a list``.
    """
    match kind:
        case inspect.LiteralType():
            return f"one of {', '.join(map(str, kind.values))}" if len(kind.values) > 1 else str(kind.values[0])
        case inspect.IntType(ge=low, le=high):
            bounds = f"{'' if low is None else f' from {low}'}{'' if high is None else f' to {high}'}"
            return f"a whole number{bounds}"
        case inspect.VarTupleType():
            each = " or ".join(describe_kind(one) for one in parts(kind.item_type))
            return f"a list{joined} of which each is {each}"
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return "null"
        case _:
            return "a text"
