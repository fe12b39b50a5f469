"""An action of which only some fields are chosen; one that is not cannot be read."""

from functools import cache
from types import MemberDescriptorType
from typing import Any, NamedTuple, NoReturn

from msgspec import NODEFAULT, UNSET, UnsetType, ValidationError, convert
from msgspec.structs import FieldInfo, fields

from affray.engine.core.actions import Action
from affray.engine.core.domains import left_out
from affray.engine.errors import Unusable


class NotChosenError(Exception):
    """A field was read that is not chosen yet."""


class Partial:
    """An action that is put together field by field.

    Attributes:
        action: It, as far as it is chosen; to be read alone.
    """

    __slots__ = ("_chosen", "_form", "_parts", "action")

    def __init__(self, form: type[Action]) -> None:
        self._form = form
        self._parts = _parts(form)
        self._chosen: set[str] = set()
        self.action = self._parts.nothing

    @property
    def fields(self) -> dict[str, str]:
        """Per name that is recorded its field, in the order in which they are chosen."""
        return self._parts.fields

    def read(self, name: str, value: Any) -> Any:
        """Return a value of the field that is recorded under a name, from its form in a log.

        Raises:
            Unusable: it cannot have such a value.
        """
        try:
            return convert(value, self._parts.told[name].type)
        except ValidationError as error:
            raise Unusable(str(error), name) from None

    def usual(self, name: str) -> Any | UnsetType:
        """Return what the field that is recorded under a name is where it is left out, if it may be."""
        usual = left_out(self._parts.told[name])
        return UNSET if usual is NODEFAULT else usual

    def has(self, field: str) -> bool:
        """Tell whether a field is chosen."""
        return field in self._chosen

    def choose(self, field: str, value: Any) -> None:
        """Choose the value of a field, or another one."""
        if self.action is self._parts.nothing:  # which everybody reads who has chosen nothing
            self.action = self._parts.empty()
        self._parts.slots[field].__set__(self.action, value)
        self._chosen.add(field)

    def clear(self, field: str) -> None:
        """Let a field be not chosen again."""
        if field in self._chosen:
            self._parts.slots[field].__delete__(self.action)
            self._chosen.remove(field)

    def whole(self) -> Action:
        """Return the action; all of its fields are chosen."""
        return self._form(**{field: getattr(self.action, field) for field in self._parts.slots})


class _Parts(NamedTuple):
    """What a kind of action is put together from.

    Attributes:
        partial: The same kind, of which a field that is not chosen cannot be read.
        nothing: One of which nothing is chosen.
        slots: Per field where its value is kept.
        fields: See ``Partial``.
        told: Per name that is recorded what is known of the field.
    """

    partial: type[Action]
    nothing: Action
    slots: dict[str, MemberDescriptorType]
    fields: dict[str, str]
    told: dict[str, FieldInfo]

    def empty(self) -> Action:
        """Return another one of which nothing is chosen."""
        return _empty(self.partial, self.slots)


@cache
def _parts(form: type[Action]) -> _Parts:
    told = {field.encode_name: field for field in fields(form)}
    known = {name: field.name for name, field in told.items()}
    order = (*form.words, *(name for name in known if name not in form.words))
    make: Any = type(form)
    partial = make(form.__name__, (form,), {"__getattr__": _not_chosen, "__module__": __name__}, frozen=True)
    slots = {name: next(c.__dict__[name] for c in form.__mro__ if name in c.__dict__) for name in known.values()}
    return _Parts(partial, _empty(partial, slots), slots, {name: known[name] for name in order}, told)


def _empty(partial: type[Action], slots: dict[str, MemberDescriptorType]) -> Action:
    action = partial(**dict.fromkeys(slots))
    for slot in slots.values():
        slot.__delete__(action)
    return action


def _not_chosen(action: Action, name: str) -> NoReturn:
    raise NotChosenError(name)
