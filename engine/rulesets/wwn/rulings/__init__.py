"""The rulings that Worlds Without Number adds to those of every system."""

from __future__ import annotations

from affray.engine.actions import Ruling
from affray.engine.rulings import EVERYWHERE

from .outcomes import End, Fate, Morale, Test, Unable, Wound
from .roster import Group, Join, Loose, Quick
from .situations import Allow, CircumstanceRuled, Close, Deny, Grant, Melee, MountCheck

RULINGS: tuple[type[Ruling], ...] = (
    *EVERYWHERE,
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
    "EVERYWHERE",
    "End",
    "Fate",
    "Grant",
    "Group",
    "Join",
    "Loose",
    "Melee",
    "Morale",
    "MountCheck",
    "Quick",
    "RULINGS",
    "Ruling",
    "Test",
    "Unable",
    "Wound",
]
