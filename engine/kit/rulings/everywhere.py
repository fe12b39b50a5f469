"""The list of rulings that every system accepts."""

from __future__ import annotations

from affray.engine.core.actions import Ruling

from .combatants import Condition, Leave, Pool, Sheet, Side, Trait
from .flow import Cancel, DiceFrom, Modify, Note, Relate, Reorder
from .hiding import Conceal, Release, Reveal, SecretRoll, Unveil, Veil
from .space import Distance, Give, Item, Place, Terrain, View

EVERYWHERE: tuple[type[Ruling], ...] = (
    Cancel,
    Conceal,
    Condition,
    DiceFrom,
    Distance,
    Give,
    Item,
    Leave,
    Modify,
    Note,
    Place,
    Pool,
    Relate,
    Release,
    Reorder,
    Reveal,
    SecretRoll,
    Sheet,
    Side,
    Terrain,
    Trait,
    Unveil,
    Veil,
    View,
)
"""The common rulings; a ruleset adds its own."""
