"""What rules look at, in the order in which they do: what they look at last before they refuse is what made it so."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, KeysView, Mapping
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from affray.engine.core.draft import Draft
from affray.engine.core.state import State
from affray.events import Id

from .provenance_index import WHOSE_TURN, place_of

T = TypeVar("T", bound=Struct)


class Look(NamedTuple):
    """One look at a part of the state.

    Attributes:
        about: Whom it was about; empty where it was about whose turn it is.
        names: Under which it is found what set that.
        joined: Whether joining the fight sets it so that it needs to be told, as it does a place but no counter.
        there: Whether it found something that is more than what the rules noted for themselves.
    """

    about: Id
    names: tuple[Id, ...]
    joined: bool = False
    there: bool = False


NOTHING = Look("", ())
"""A look at nothing."""

TURN = Look("", (WHOSE_TURN,), joined=True, there=True)
"""A look at whose turn it is."""


class Watched(Draft):
    """A state that remembers what of it is looked at.

    Attributes:
        looks: Every look, in order.
    """

    __slots__ = ("looks",)

    looks: list[Look]

    def __init__(self, state: State) -> None:
        self.looks = []
        super().__init__(state)
        self.combatants = {who: self._watched(one, who, who) for who, one in state.combatants.items()}
        self.items = {item: self._watched(one, one.owner, item) for item, one in state.items.items()}
        self.marks = {who: _Table(marks, self._noting(who, who, ())) for who, marks in state.marks.items()}
        self.distances = _Table(state.distances, self._apart)

    def __getattribute__(self, name: str) -> Any:
        """Return a part; a look at whose turn it is is remembered."""
        if name in ("acting", "slots", "up"):
            self.looks.append(TURN)
        return super().__getattribute__(name)

    def _noting(self, about: Id, of: Id, there: Container[str]) -> Callable[[Iterable[str]], None]:
        """Return what remembers a look at values of somebody, or of a thing of theirs."""

        def note(keys: Iterable[str]) -> None:
            if names := {key: f"{of}.{key}" for key in keys}:
                self.looks.append(Look(about, tuple(names.values()), there=any(key in there for key in names)))

        return note

    def _apart(self, pairs: Iterable[str]) -> None:
        """Remember a look at how far apart two are, which is about both."""
        for pair in pairs:
            both = pair.split("|")
            self.looks += [Look(who, ("<>".join(both),), joined=True, there=True) for who in both]

    def _watched(self, one: T, about: Id, of: Id) -> T:
        """Return the same struct, of which looks at its values and at where it is are remembered."""
        form = type(one)

        def look(self_: T, name: str) -> Any:
            value = form.__getattribute__(self_, name)
            if isinstance(value, dict):
                return _Table(value, self._noting(about, of, value))
            if name in _WHERE:
                self.looks.append(Look(about, (_WHERE[name](of),), joined=True, there=True))
            return value

        make: Any = type(form)
        seen = make(form.__name__, (form,), {"__getattribute__": look, "__module__": __name__}, frozen=True)
        return seen(**{name: getattr(one, name) for name in one.__struct_fields__})  # type: ignore[no-any-return]


_WHERE: Mapping[str, Callable[[Id], Id]] = {"place": place_of, "side": "{}.side".format, "where": "{}".format}
"""Per field that says where somebody or something is, or with whom, the name under which it is found what set it."""


class _Table(dict[str, Any]):
    """Values by name, of which it is remembered which are looked for, and of which all are."""

    def __init__(self, content: Mapping[str, Any], note: Callable[[Iterable[str]], None]) -> None:
        super().__init__(content)
        self._note = note

    def __getitem__(self, key: str) -> Any:
        self._note((key,))
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._note((str(key),))
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._note((key,))
        return super().get(key, default)

    def __iter__(self) -> Iterator[str]:
        self._note(super().keys())
        return super().__iter__()

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        self._note(super().keys())
        return super().keys()
