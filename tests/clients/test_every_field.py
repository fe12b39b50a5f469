"""The client folds every event with every field as the engine does: the events are made from their own definitions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec import NODEFAULT, Raw, Struct, inspect
from msgspec.structs import replace

from affray.events import (
    ABOUT_THE_RECORD,
    EVENTS,
    EVERYBODY,
    FORMAT,
    Amended,
    AskingSet,
    Closed,
    Event,
    Feature,
    FightOpened,
    FormatRaised,
    ItemAdded,
    ItemRemoved,
    Joined,
    Left,
    Restored,
    Rewound,
    UndoRequested,
    dice_scheme_of,
)
from affray.events.refs import KEY
from tests.clients.test_states import check_same_states, fold_after_events

Made = TypeVar("Made", bound=Struct)
FIRST: tuple[type[Event], ...] = (FightOpened, Joined, ItemAdded)
LAST: tuple[type[Event], ...] = (Left, ItemRemoved, Closed)
BACK: tuple[type[Event], ...] = (Rewound, Restored, UndoRequested, Amended)
EFFECTIVE: tuple[type[Event], ...] = (
    *FIRST,
    *(kind for kind in EVENTS if kind not in {*FIRST, *LAST, *ABOUT_THE_RECORD}),
)
ORDER: tuple[type[Event], ...] = (
    *EFFECTIVE,
    *BACK,
    *(kind for kind in EVENTS if kind in ABOUT_THE_RECORD - {*BACK, FormatRaised, Closed}),
    *LAST,
)
"""Every type of event: what others are about stands first, and what takes it away last."""

NAMED = {"place": "3,4", "item": "ilse.sword", "combatant": "ilse", "hash": "00" * 32}
"""The things that events are about. Other kinds of things are called as their kind is."""

HEAD = len(EFFECTIVE)
POINTING = {"lane": HEAD, "to": HEAD - 1, "left": HEAD - 1, "position": HEAD, "request": HEAD}
"""Where events about the record point: at the last line before them, and at the one before that."""

SET: dict[str, Any] = {
    "system": "vestige",
    "format": FORMAT,
    "dice_scheme": dice_scheme_of(FORMAT),
    "sides": 1000,
}
"""Fields that can have no other value."""


FOR_ALL = (
    AskingSet(who=EVERYBODY, ask="never", seconds=9),
    AskingSet(who=EVERYBODY, ask="targeted", what="announce"),
)
"""What settings say for the whole table."""


def make_event(kind: type[Event], *, full: bool) -> Event:
    """Make an event with every field set, none to its default, or with the required fields only."""
    about = POINTING if kind in ABOUT_THE_RECORD else {}
    return Maker({**SET, **about}, full or kind is FightOpened).make(kind)


class Maker:
    """Makes values of types: each number another one, and one member of each table and sequence."""

    def __init__(self, fixed: dict[str, Any], full: bool) -> None:
        self.fixed = fixed
        self.full = full
        self.numbers = count(2)

    def make(self, kind: type[Made]) -> Made:
        """Make an event, or what events hold."""
        told = inspect.type_info(kind)
        assert isinstance(told, inspect.StructType)
        wanted = [field for field in told.fields if self.full or field.required]
        return kind(**{field.name: self._fill(field) for field in wanted})

    def _fill(self, field: inspect.Field) -> Any:
        """Make a value of a field that is not its default."""
        value = self.fixed[field.name] if field.name in self.fixed else self._value(field.type)
        default = field.default if field.default_factory is NODEFAULT else field.default_factory()
        if isinstance(value, bool):
            return not default
        assert value != default, f"{field.name} would be left out; say in SET which other value it can have"
        return value

    def _value(self, kind: Any) -> Any:
        return VALUES[type(kind)](self, kind)

    def name(self, kind: inspect.Metadata) -> Any:
        """Name a thing of the fight, or one that no event rests on."""
        named = (kind.extra_json_schema or {}).get(KEY)
        return NAMED.get(named, f"the {named}") if named else self._value(kind.type)


VALUES: dict[type[inspect.Type], Callable[[Maker, Any], Any]] = {
    inspect.Metadata: Maker.name,
    inspect.UnionType: lambda made, kind: made._value(next(one for one in kind.types if type(one) in VALUES)),
    inspect.LiteralType: lambda made, kind: kind.values[-1],
    inspect.BoolType: lambda made, kind: True,
    inspect.IntType: lambda made, kind: next(made.numbers),
    inspect.StrType: lambda made, kind: f"text {next(made.numbers)}",
    inspect.RawType: lambda made, kind: Raw(b'{"target":"ilse"}'),
    inspect.VarTupleType: lambda made, kind: (made._value(kind.item_type),),
    inspect.TupleType: lambda made, kind: tuple(map(made._value, kind.item_types)),
    inspect.DictType: lambda made, kind: {made._value(kind.key_type): made._value(kind.value_type)},
    inspect.StructType: lambda made, kind: made.make(kind.cls),
}
"""How values of each type are made. A type that is missing here has come to events since: say how."""


@pytest.mark.parametrize("full", [True, False], ids=["every field", "required fields"])
def test_every_event_folds_alike(full: bool) -> None:
    """After each event: what an event says that the client does not keep is found where the engine keeps it."""
    events = [*(make_event(kind, full=full) for kind in ORDER[:-1]), *FOR_ALL, make_event(Closed, full=full)]
    assert {type(event) for event in events} == set(EVENTS) - {FormatRaised}
    check_same_states(*(fold_after_events(*events[:length]) for length in range(1, len(events) + 1)))


def test_an_earlier_format_that_is_raised_folds_alike() -> None:
    """A thing that comes behind the raise has features, which the digest holds as they were written before."""
    opened = replace(make_event(FightOpened, full=True), format=FORMAT - 1)
    parts: dict[str, bool | int | str | tuple[str, ...] | None]
    parts = {"skill": "stab", "modes": ("melee", "thrown"), "value": 1}
    features = (Feature(kind="needs", of="bow"), Feature(kind="adds", of="hit", parts=parts))
    thing = ItemAdded(item="bow", name="n", kind="k", owner="", traits=("long",), features=features)
    check_same_states(fold_after_events(opened, make_event(FormatRaised, full=True), thing))


def test_what_is_made_has_every_field() -> None:
    """Written events include the default values."""
    kinds: tuple[type[Event], ...] = (*ORDER, FormatRaised)
    for kind in kinds:
        written = msgspec.json.decode(msgspec.json.encode(make_event(kind, full=True)))
        assert set(written) == {"type", *kind.__struct_fields__}, kind
