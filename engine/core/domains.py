"""The values that a field may have, as far as its type says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, Literal, ParamSpec, get_args, get_origin

from msgspec import NODEFAULT, Struct, inspect
from msgspec.structs import FieldInfo, fields

from affray.events import EVERYBODY, CombatantId, Id
from affray.events.refs import KEY

if TYPE_CHECKING:
    from .table import Table

MOST = 100
"""The widest range of numbers that is listed."""


def list_sides(table: Table) -> tuple[str, ...]:
    """Return the sides that have a combatant, in joining order."""
    return tuple(dict.fromkeys(one.side for one in table.draft.combatants.values()))


_NAMED: dict[str, Callable[[Table, Id], Iterable[Any]]] = {
    "combatant": lambda table, actor: table.draft.combatants,
    "item": lambda table, actor: [item.id for item in table.items_of(actor)],
    "place": lambda table, actor: table.draft.places,
    "relation": lambda table, actor: table.draft.relations,
    "several": lambda table, actor: (*table.draft.combatants, *list_sides(table), EVERYBODY),
    "side": lambda table, actor: list_sides(table),
}
"""Per kind of thing that a text names, what there is of it in a fight; of items those that the actor owns."""

P = ParamSpec("P")


class Among:
    """Says with a field's type what is offered for it, whether or not it may be left out.

    Such as ``Annotated[ItemId, Among(carried, "belt")]``: what ``carried(table, actor, "belt")`` returns.
    """

    __slots__ = ("found",)

    def __init__(
        self, of: Callable[Concatenate[Table, Id, P], Iterable[Any]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        self.found: Callable[[Table, Id], Iterable[Any]] = lambda table, actor: of(table, actor, *args, **kwargs)


class Marker:
    """Says something with a field's type, as one of the constants below."""

    __slots__ = ()


EACH = Marker()
"""Each value of the field's type is offered, although it may be left out."""

AIMED = Marker()
"""The field names whom the action is aimed at."""

Target = Annotated[CombatantId, AIMED]
"""A combatant at whom an action is aimed."""


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
    """Return the candidates for a field: what its type says, or else its default if it has one.

    Words and wide ranges of numbers are open.
    """
    found = _told(form)[field]
    return found(table, actor) if callable(found) else found


@cache
def _told(form: type[Struct]) -> dict[str, Callable[[Table, Id], Iterable[Any]] | tuple[Any, ...]]:
    """Return the values of each field, or how they are found in a fight."""
    return {one.name: _candidates(one) for one in fields(form)}


def _candidates(field: FieldInfo) -> Callable[[Table, Id], Iterable[Any]] | tuple[Any, ...]:
    said = _metadata(field)
    default = left_out(field)
    for one in said:
        if isinstance(one, Among):
            return one.found
    return (default,) if default is not NODEFAULT and EACH not in said else _domain(field.type)


def _metadata(field: FieldInfo) -> tuple[Any, ...]:
    """Return what is said with a field's type."""
    return get_args(field.type)[1:] if get_origin(field.type) is Annotated else ()


@cache
def aimed(form: type[Struct]) -> tuple[str, ...]:
    """Return the fields that name whom an action is aimed at."""
    return tuple(one.name for one in fields(form) if AIMED in _metadata(one))


def left_out(field: FieldInfo) -> Any:
    """Return the default of a field; ``NODEFAULT`` if it is required."""
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _domain(type_: Any) -> Callable[[Table, Id], Iterable[Any]] | tuple[Any, ...]:
    bare = get_args(type_)[0] if get_origin(type_) is Annotated else type_
    if get_origin(bare) is Literal:
        return get_args(bare)
    match inspect.type_info(type_):
        case inspect.Metadata(extra_json_schema=dict() as schema) if schema.get(KEY) in _NAMED:
            return _NAMED[str(schema[KEY])]
        case inspect.BoolType():
            return (False, True)
        case inspect.IntType(ge=int() as low, le=int() as high) if high - low < MOST:
            return tuple(range(low, high + 1))
        case inspect.IntType(ge=low):
            return Open.like(low or 0)
        case _:
            return Open.like("something")
