"""The rulings that Vestige adds to those of every system."""

from __future__ import annotations

from affray.engine.core.actions import Ruling
from affray.engine.kit.rulings import EVERYWHERE

from .gear import Give
from .outcomes import Brink, End, GiveUp, Unable, Wound
from .roster import Group, Join, Split
from .turns import Allow, Close, Grant, LateDelay, PlaceSlot, Waive

RULINGS: tuple[type[Ruling], ...] = (
    *EVERYWHERE,
    Allow,
    Brink,
    Close,
    End,
    Give,
    GiveUp,
    Grant,
    Group,
    Join,
    LateDelay,
    PlaceSlot,
    Split,
    Unable,
    Waive,
    Wound,
)
"""Everything that a game master can rule in a fight of Vestige."""

__all__ = [
    "Allow",
    "Brink",
    "Close",
    "EVERYWHERE",
    "End",
    "Give",
    "GiveUp",
    "Grant",
    "Group",
    "Join",
    "LateDelay",
    "PlaceSlot",
    "RULINGS",
    "Ruling",
    "Split",
    "Unable",
    "Waive",
    "Wound",
]
