"""A record of the values that a rule reads. The last before a refusal caused it."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, KeysView, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct

from affray.engine.core.draft import Draft
from affray.engine.core.state import State
from affray.events import Id

from .provenance_index import WHOSE_TURN, place_key

T = TypeVar("T", bound=Struct)


class Read(NamedTuple):
    """One read of a part of the state.

    Attributes:
        about: The combatant; empty for a read of the active slot.
        names: The index keys of the values.
        joined: Whether joining the fight counts as the cause. It does for a place, but not for a counter.
        there: Whether the read found a value other than the internal memory of the rules.
    """

    about: Id
    names: tuple[Hashable, ...]
    joined: bool = False
    there: bool = False


NOTHING = Read("", ())
"""An empty read."""

TURN = Read("", (WHOSE_TURN,), joined=True, there=True)
"""A read of the active slot."""


class RecordingDraft(Draft):
    """A state that records each read of its values.

    Attributes:
        looks: All reads, in order.
    """

    __slots__ = ("looks",)

    looks: list[Read]

    def __init__(self, state: State) -> None:
        self.looks = []
        super().__init__(state)
        self.combatants = {who: self._make_recording(one, who, who) for who, one in state.combatants.items()}
        self.items = {item: self._make_recording(one, one.owner, item) for item, one in state.items.items()}
        self.marks = {
            who: _RecordingDict(marks, self._make_recorder(who, who, ())) for who, marks in state.marks.items()
        }
        self.distances = {
            one: _RecordingDict(state.distances.get(one, {}), partial(self._record_distance, one))
            for one in (state.combatants if state.distances else ())
        }

    def __getattribute__(self, name: str) -> Any:
        """Return an attribute. Record a read of the active slot or the turn order."""
        if name in ("acting", "slots", "up"):
            self.looks.append(TURN)
        return super().__getattribute__(name)

    def _make_recorder(self, about: Id, of: Id, there: Container[str]) -> Callable[[Iterable[str]], None]:
        """Return a function that records reads of a combatant's or an item's values."""

        def note(keys: Iterable[str]) -> None:
            if names := {key: f"{of}.{key}" for key in keys}:
                self.looks.append(Read(about, tuple(names.values()), there=any(key in there for key in names)))

        return note

    def _record_distance(self, one: Id, others: Iterable[Id]) -> None:
        """Record a read of the distance of two combatants, as a read of each of them."""
        for other in others:
            self.looks += [Read(who, ((one, other),), joined=True, there=True) for who in (one, other)]

    def _make_recording(self, one: T, about: Id, of: Id) -> T:
        """Return an equal struct that records reads of its values and its place."""
        form = type(one)

        def look(self_: T, name: str) -> Any:
            value = form.__getattribute__(self_, name)
            if isinstance(value, dict):
                return _RecordingDict(value, self._make_recorder(about, of, value))
            if name in _WHERE:
                self.looks.append(Read(about, (_WHERE[name](of),), joined=True, there=True))
            return value

        make: Any = type(form)
        seen = make(form.__name__, (form,), {"__getattribute__": look, "__module__": __name__}, frozen=True)
        return seen(**{name: getattr(one, name) for name in one.__struct_fields__})  # type: ignore[no-any-return]


_WHERE: Mapping[str, Callable[[Id], Id]] = {"place": place_key, "side": "{}.side".format, "where": "{}".format}
"""The index key for each field that holds a place or an owner."""


class _RecordingDict(dict[str, Any]):
    """A dict that records which of its keys are read."""

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
