"""The values that a field may have, as far as its type says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from msgspec import NODEFAULT, Struct, inspect
from msgspec.structs import FieldInfo, fields

from affray.events import Id
from affray.events.refs import KEY

if TYPE_CHECKING:
    from .table import Table

MOST = 100
"""The widest range of numbers that is listed."""

_NAMED: dict[str, Callable[[Table, Id], Iterable[Any]]] = {
    "combatant": lambda table, actor: table.draft.combatants,
    "item": lambda table, actor: [item.id for item in table.items_of(actor)],
    "place": lambda table, actor: table.draft.places,
    "relation": lambda table, actor: table.draft.relations,
    "side": lambda table, actor: dict.fromkeys(one.side for one in table.draft.combatants.values()),
}
"""Per kind of thing that a text names, what there is of it in a fight; of items those that the actor owns."""


class Open(tuple[Any, ...]):
    """The values of a field that can be said in any words, or be any number: none is listed.

    Attributes:
        sample: One that might do, to see whether anything would.
    """

    sample: Any

    @classmethod
    def like(cls, sample: Any) -> Open:
        """Return open values with a sample."""
        made = cls()
        made.sample = sample
        return made


def usual(form: type[Struct], table: Table, actor: Id, field: str) -> Iterable[Any]:
    """Return the candidates for a field: its default if it has one; words and wide ranges of numbers are open."""
    default, kind = _told(form)[field]
    if default is not NODEFAULT:
        return (default,)
    return _NAMED[kind](table, actor) if isinstance(kind, str) else kind


@cache
def _told(form: type[Struct]) -> dict[str, tuple[Any, str | tuple[Any, ...]]]:
    """Return per field its default, and what its texts name or which values it has."""
    return {one.name: (left_out(one), _domain(one.type)) for one in fields(form)}


def left_out(field: FieldInfo) -> Any:
    """Return the default of a field; ``NODEFAULT`` if it is required."""
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _domain(type_: Any) -> str | tuple[Any, ...]:
    if get_origin(type_) is Literal:
        return get_args(type_)
    match inspect.type_info(type_):
        case inspect.Metadata(extra_json_schema=dict() as schema) if schema.get(KEY) in _NAMED:
            return str(schema[KEY])
        case inspect.BoolType():
            return (False, True)
        case inspect.IntType(ge=int() as low, le=int() as high) if high - low < MOST:
            return tuple(range(low, high + 1))
        case inspect.IntType(ge=low):
            return Open.like(low or 0)
        case _:
            return Open.like("something")
