"""The rulings that Hexblade adds to those of every system."""

from __future__ import annotations

from affray.engine.core.actions import Ruling
from affray.engine.kit.rulings import EVERYWHERE
from affray.engine.rulesets.hexblade.rulings.fates import Effect, End, FreeAttack, Outcome, Unable, Wound
from affray.engine.rulesets.hexblade.rulings.things import Counter, Drop, Give, Recoverable, Repair, Wear
from affray.engine.rulesets.hexblade.rulings.turns import Allow, Grant, Initiative, Join, Place, Test

RULINGS: tuple[type[Ruling], ...] = (
    *EVERYWHERE,
    Allow,
    Counter,
    Drop,
    Effect,
    End,
    FreeAttack,
    Give,
    Grant,
    Initiative,
    Join,
    Outcome,
    Place,
    Recoverable,
    Repair,
    Test,
    Unable,
    Wear,
    Wound,
)
"""Everything that a game master can rule in a fight of Hexblade; its own ``place`` knows hexes, its ``item`` dice."""

__all__ = [
    "Allow",
    "Counter",
    "Drop",
    "EVERYWHERE",
    "Effect",
    "End",
    "FreeAttack",
    "Give",
    "Grant",
    "Initiative",
    "Join",
    "Outcome",
    "Place",
    "RULINGS",
    "Recoverable",
    "Repair",
    "Ruling",
    "Test",
    "Unable",
    "Wear",
    "Wound",
]
