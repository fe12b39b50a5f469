"""The rulings that every system accepts."""

from __future__ import annotations

from .combatants import Condition, Leave, Pool, Sheet, Side, Trait, replaced
from .everywhere import EVERYWHERE
from .flow import Cancel, DiceFrom, Modify, Note, Relate, Reorder
from .hiding import Conceal, Reveal, SecretRoll, Unveil, Veil
from .space import Distance, Give, Item, Place, Terrain, View
from .words import BRIEF, Bonus, Change, Count, Many, Word

__all__ = [
    "BRIEF",
    "Bonus",
    "Cancel",
    "Change",
    "Conceal",
    "Condition",
    "Count",
    "DiceFrom",
    "Distance",
    "EVERYWHERE",
    "Give",
    "Item",
    "Leave",
    "Many",
    "Modify",
    "Note",
    "Place",
    "Pool",
    "Relate",
    "Reorder",
    "Reveal",
    "SecretRoll",
    "Sheet",
    "Side",
    "Terrain",
    "Trait",
    "Unveil",
    "Veil",
    "View",
    "Word",
    "replaced",
]
