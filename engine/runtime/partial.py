"""An action of which only some fields are chosen; one that is not cannot be read."""

from __future__ import annotations

from functools import cache
from types import MemberDescriptorType
from typing import Any, NamedTuple, NoReturn

from msgspec.structs import fields

from affray.engine.core.actions import Action


class NotChosenError(Exception):
    """A field was read that is not chosen yet."""


class Partial:
    """An action that is put together field by field.

    Args:
        form: The kind of action.

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
    """

    partial: type[Action]
    nothing: Action
    slots: dict[str, MemberDescriptorType]
    fields: dict[str, str]

    def empty(self) -> Action:
        """Return another one of which nothing is chosen."""
        return _empty(self.partial, self.slots)


@cache
def _parts(form: type[Action]) -> _Parts:
    known = {field.encode_name: field.name for field in fields(form)}
    order = (*form.words, *(name for name in known if name not in form.words))
    make: Any = type(form)
    partial = make(form.__name__, (form,), {"__getattr__": _not_chosen, "__module__": __name__}, frozen=True)
    slots = {name: next(c.__dict__[name] for c in form.__mro__ if name in c.__dict__) for name in known.values()}
    return _Parts(partial, _empty(partial, slots), slots, {name: known[name] for name in order})


def _empty(partial: type[Action], slots: dict[str, MemberDescriptorType]) -> Action:
    action = partial(**dict.fromkeys(slots))
    for slot in slots.values():
        slot.__delete__(action)
    return action


def _not_chosen(action: Action, name: str) -> NoReturn:
    raise NotChosenError(name)
