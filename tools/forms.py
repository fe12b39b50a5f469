"""What the fields of a struct may hold, read from their types."""

from functools import cache

from msgspec import Struct, inspect


@cache
def kinds_of(form: type[Struct]) -> dict[str, tuple[inspect.Type, ...]]:
    """Return the types of each field: those of a union one by one, and without what a text names."""
    about = inspect.type_info(form)
    assert isinstance(about, inspect.StructType)
    return {field.encode_name: tuple(parts(field.type)) for field in about.fields}


def parts(kind: inspect.Type) -> list[inspect.Type]:
    """Return the types that a type puts together."""
    match kind:
        case inspect.Metadata():
            return parts(kind.type)
        case inspect.UnionType():
            return [part for one in kind.types for part in parts(one)]
        case _:
            return [kind]
