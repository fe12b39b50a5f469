"""The list of all facts there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

from .consequences import (
    ClockSet,
    ConditionChanged,
    Damaged,
    DieStepped,
    DistanceSet,
    ItemAdded,
    ItemCounted,
    ItemMoved,
    ItemRemoved,
    Joined,
    Left,
    MarkSet,
    Moved,
    PlaceSet,
    PoolChanged,
    RelationSet,
    SideChanged,
    StatChanged,
    TraitChanged,
    ViewSet,
)
from .declarations import (
    Answered,
    Asked,
    AskingSet,
    Declared,
    Dropped,
    Fizzled,
    Passed,
    Resolved,
    Ruled,
    Stacked,
    Withdrawn,
)
from .flow import (
    FightEnded,
    MemberDone,
    OfferDeclined,
    OrderSet,
    PhaseEntered,
    RoundBegan,
    TurnBegan,
    TurnEnded,
    WindowClosed,
    WindowOpened,
)
from .record import DiceRenewed, DiceSourceSet, FightOpened, FormatRaised, Noted, Restored, Rewound
from .rolls import DiceAwaited, DiceEntered, Judged, Rolled
from .root import Event

EVENTS: tuple[type[Event], ...] = (
    # record
    FightOpened,
    FormatRaised,
    Rewound,
    Restored,
    DiceRenewed,
    DiceSourceSet,
    Noted,
    # flow
    PhaseEntered,
    RoundBegan,
    OrderSet,
    TurnBegan,
    MemberDone,
    TurnEnded,
    WindowOpened,
    OfferDeclined,
    WindowClosed,
    FightEnded,
    # declarations
    Declared,
    Answered,
    Passed,
    AskingSet,
    Ruled,
    Stacked,
    Resolved,
    Fizzled,
    Dropped,
    Asked,
    Withdrawn,
    # rolls
    Rolled,
    Judged,
    DiceAwaited,
    DiceEntered,
    # consequences
    Joined,
    Left,
    SideChanged,
    StatChanged,
    TraitChanged,
    Damaged,
    PoolChanged,
    ConditionChanged,
    ItemAdded,
    ItemCounted,
    ItemMoved,
    DieStepped,
    ItemRemoved,
    Moved,
    DistanceSet,
    ViewSet,
    PlaceSet,
    RelationSet,
    MarkSet,
    ClockSet,
)
"""Every type of event, by family."""

INPUTS: tuple[type[Event], ...] = (
    FightOpened,
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
