"""Candidates: the values that an action's field may have, by the field's type."""

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
"""The largest number of values of an ``int`` field that are listed."""


def list_sides(table: Table) -> tuple[str, ...]:
    """List the sides that have a combatant, in joining order."""
    return tuple(dict.fromkeys(one.side for one in table.draft.combatants.values()))


_NAMED: dict[str, Callable[[Table, Id], Iterable[Any]]] = {
    "combatant": lambda table, actor: table.draft.combatants,
    "item": lambda table, actor: [item.id for item in table.items_of(actor)],
    "place": lambda table, actor: table.draft.places,
    "relation": lambda table, actor: table.draft.relations,
    "several": lambda table, actor: (*table.draft.combatants, *list_sides(table), EVERYBODY),
    "side": lambda table, actor: list_sides(table),
}
"""The things of a fight by the kind that a text names; of items only those that the actor owns."""

P = ParamSpec("P")


class Among:
    """An annotation with the candidates of a field, whether optional or not.

    ``Annotated[ItemId, Among(carried, "belt")]`` offers the results of ``carried(table, actor, "belt")``.
    """

    __slots__ = ("found",)

    def __init__(
        self, of: Callable[Concatenate[Table, Id, P], Iterable[Any]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        self.found: Callable[[Table, Id], Iterable[Any]] = lambda table, actor: of(table, actor, *args, **kwargs)


class Marker:
    """An annotation without content; see the constants below."""

    __slots__ = ()


EACH = Marker()
"""Marks an optional field whose values are all offered."""

AIMED = Marker()
"""Marks a field that names a target of the action."""

Target = Annotated[CombatantId, AIMED]
"""A combatant that is a target of an action."""


class OpenValues(tuple[Any, ...]):
    """The values of a field that takes any words or any number: none is listed.

    Attributes:
        sample: A value that may be accepted, to test whether any value would be.
    """

    sample: Any

    @classmethod
    def like(cls, sample: Any) -> OpenValues:
        """Build open values with a sample."""
        made = cls()
        made.sample = sample
        return made


def list_candidates(form: type[Struct], table: Table, actor: Id, field: str) -> Iterable[Any]:
    """List a field's candidates: those of its type, or its default if it has one.

    Words and wide ranges of numbers are open.
    """
    found = _candidates_by_field(form)[field]
    return found(table, actor) if callable(found) else found


@cache
def _candidates_by_field(form: type[Struct]) -> dict[str, Callable[[Table, Id], Iterable[Any]] | tuple[Any, ...]]:
    """Return each field's candidates, or the function that finds them in a fight."""
    return {one.name: _candidates(one) for one in fields(form)}


def _candidates(field: FieldInfo) -> Callable[[Table, Id], Iterable[Any]] | tuple[Any, ...]:
    said = _metadata(field)
    default = default_of(field)
    for one in said:
        if isinstance(one, Among):
            return one.found
    return (default,) if default is not NODEFAULT and EACH not in said else _domain(field.type)


def _metadata(field: FieldInfo) -> tuple[Any, ...]:
    """Return the annotations of a field's type."""
    return get_args(field.type)[1:] if get_origin(field.type) is Annotated else ()


@cache
def list_target_fields(form: type[Struct]) -> tuple[str, ...]:
    """List the fields that name a target of the action."""
    return tuple(one.name for one in fields(form) if AIMED in _metadata(one))


def default_of(field: FieldInfo) -> Any:
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
            return OpenValues.like(low or 0)
        case _:
            return OpenValues.like("something")
