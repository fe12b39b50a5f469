"""The rulings that Verdigris adds to those of every system."""

from __future__ import annotations

from affray.engine.core.actions import Ruling
from affray.engine.kit.rulings import EVERYWHERE

from .fates import Allow, ChooseInjury, End, Forbid, Grant, Stabilize, Stray, Unable
from .happenings import CallTest, FireTrigger, FreeAttackRuled, HarmRuled
from .roster import Depart, HandOver, Join, Melee, Put, Repair, Seat, Switch, Zone

RULINGS: tuple[type[Ruling], ...] = (
    *EVERYWHERE,
    Allow,
    CallTest,
    ChooseInjury,
    Depart,
    End,
    FireTrigger,
    Forbid,
    FreeAttackRuled,
    Grant,
    HandOver,
    HarmRuled,
    Join,
    Melee,
    Put,
    Repair,
    Seat,
    Stabilize,
    Stray,
    Switch,
    Unable,
    Zone,
)
"""Everything that a game master can rule in a fight of Verdigris."""

__all__ = [
    "Allow",
    "CallTest",
    "ChooseInjury",
    "Depart",
    "EVERYWHERE",
    "End",
    "FireTrigger",
    "Forbid",
    "FreeAttackRuled",
    "Grant",
    "HandOver",
    "HarmRuled",
    "Join",
    "Melee",
    "Put",
    "RULINGS",
    "Repair",
    "Ruling",
    "Seat",
    "Stabilize",
    "Stray",
    "Switch",
    "Unable",
    "Zone",
]
