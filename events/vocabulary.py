"""The list of all facts there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

from . import consequences, declarations, flow, record, rolls
from .declarations import Answered, AskingSet, Declared, Passed, Ruled
from .record import FightOpened, FormatRaised, Restored, Rewound
from .rolls import DiceEntered
from .root import Event

EVENTS: tuple[type[Event], ...] = tuple(
    kind
    for family in (record, flow, declarations, rolls, consequences)
    for kind in vars(family).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind.__module__ == family.__name__
)
"""Every type of event, by family, as the families define them."""

INPUTS: tuple[type[Event], ...] = (
    FightOpened,
    FormatRaised,
    Rewound,
    Restored,
    Declared,
    Answered,
    Passed,
    AskingSet,
    Ruled,
    DiceEntered,
)
"""The events that record a command; each command begins with exactly one of them."""

if TYPE_CHECKING:
    AnyEvent = Event
else:
    AnyEvent = Union[EVENTS]  # noqa: UP007 - built from the table, so that it cannot fall behind it
