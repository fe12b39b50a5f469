"""The rulings that Worlds Without Number adds to those of every system."""

from __future__ import annotations

from affray.engine.core.actions import Ruling
from affray.engine.kit.rulings import EVERYWHERE

from .common import Distance, Give, Place, Relate, Side
from .outcomes import End, Fate, Morale, Test, Unable, Wound
from .roster import Group, Join, Loose, Quick
from .situations import Allow, CircumstanceRuled, Close, Deny, Grant, Melee, MountCheck

OURS: dict[str, type[Ruling]] = {one.kind: one for one in (Distance, Give, Place, Relate, Side)}
"""Those of every system's rulings that have more to look at here."""

RULINGS: tuple[type[Ruling], ...] = (
    *[one for one in EVERYWHERE if one.kind not in OURS],
    *OURS.values(),
    Allow,
    CircumstanceRuled,
    Close,
    Deny,
    End,
    Fate,
    Grant,
    Group,
    Join,
    Loose,
    Melee,
    Morale,
    MountCheck,
    Quick,
    Test,
    Unable,
    Wound,
)
"""Everything that a game master can rule in a fight of Worlds Without Number."""

__all__ = [
    "Allow",
    "CircumstanceRuled",
    "Close",
    "Deny",
    "Distance",
    "EVERYWHERE",
    "End",
    "Fate",
    "Give",
    "Grant",
    "Group",
    "Join",
    "Loose",
    "Melee",
    "Morale",
    "MountCheck",
    "OURS",
    "Place",
    "Quick",
    "RULINGS",
    "Relate",
    "Ruling",
    "Side",
    "Test",
    "Unable",
    "Wound",
]
