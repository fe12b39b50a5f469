"""Partial actions, with only some fields chosen; the others cannot be read."""

from functools import cache
from types import MemberDescriptorType
from typing import Any, NamedTuple, NoReturn

from msgspec import NODEFAULT, UNSET, UnsetType, ValidationError, convert
from msgspec.structs import FieldInfo, fields

from affray.engine.core.actions import Action
from affray.engine.core.candidates import default_of
from affray.engine.errors import Unusable


class NotChosenError(Exception):
    """A field was read that is not chosen yet."""


class PartialAction:
    """An action that is built field by field.

    Attributes:
        action: The action with the fields chosen so far; do not write to it.
    """

    __slots__ = ("_chosen", "_form", "_parts", "action")

    def __init__(self, form: type[Action]) -> None:
        self._form = form
        self._parts = _parts(form)
        self._chosen: set[str] = set()
        self.action = self._parts.nothing

    @property
    def fields(self) -> dict[str, str]:
        """The fields by their names in the log, in the order of choice."""
        return self._parts.fields

    def decode_value(self, name: str, value: Any) -> Any:
        """Convert a field's value from its form in the log.

        Raises:
            Unusable: the field cannot have such a value.
        """
        try:
            return convert(value, self._parts.told[name].type)
        except ValidationError as error:
            raise Unusable(str(error), name) from None

    def usual(self, name: str) -> Any | UnsetType:
        """Return the default of a field, by its name in the log; ``UNSET`` if required."""
        usual = default_of(self._parts.told[name])
        return UNSET if usual is NODEFAULT else usual

    def has(self, field: str) -> bool:
        """Tell whether a field is chosen."""
        return field in self._chosen

    def choose(self, field: str, value: Any) -> None:
        """Choose the value of a field, or replace it."""
        if self.action is self._parts.nothing:  # which all partial actions share that have no choice yet
            self.action = self._parts.empty()
        self._parts.slots[field].__set__(self.action, value)
        self._chosen.add(field)

    def clear(self, field: str) -> None:
        """Undo the choice of a field."""
        if field in self._chosen:
            self._parts.slots[field].__delete__(self.action)
            self._chosen.remove(field)

    def whole(self) -> Action:
        """Build the action from its fields, which must all be chosen."""
        return self._form(**{field: getattr(self.action, field) for field in self._parts.slots})


class _Parts(NamedTuple):
    """The parts from which a kind of action is built.

    Attributes:
        partial: A subclass of the action whose unchosen fields cannot be read.
        nothing: An instance of it without any choice.
        slots: The descriptor of each field.
        fields: See ``PartialAction``.
        told: The definition of each field, by its name in the log.
    """

    partial: type[Action]
    nothing: Action
    slots: dict[str, MemberDescriptorType]
    fields: dict[str, str]
    told: dict[str, FieldInfo]

    def empty(self) -> Action:
        """Build another instance without any choice."""
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
