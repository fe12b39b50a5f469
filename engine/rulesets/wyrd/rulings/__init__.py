"""The rulings that Wyrd adds to those of every system."""

from __future__ import annotations

from affray.engine.core.actions import Ruling
from affray.engine.kit.rulings import EVERYWHERE

from .fight import End, Grant, Join, Morale, Wound
from .gear import Give, Recover, SafeMoment, Step, Tag
from .tests import Allow, Blow, Consequence, Stray, Test, Unaware

RULINGS: tuple[type[Ruling], ...] = (
    *EVERYWHERE,
    Allow,
    Blow,
    Consequence,
    End,
    Give,
    Grant,
    Join,
    Morale,
    Recover,
    SafeMoment,
    Step,
    Stray,
    Tag,
    Test,
    Unaware,
    Wound,
)
"""Everything that a game master can rule in a fight of Wyrd."""

__all__ = [
    "Allow",
    "Blow",
    "Consequence",
    "EVERYWHERE",
    "End",
    "Give",
    "Grant",
    "Join",
    "Morale",
    "RULINGS",
    "Recover",
    "Ruling",
    "SafeMoment",
    "Step",
    "Stray",
    "Tag",
    "Test",
    "Unaware",
    "Wound",
]
