"""The rulings that every system accepts."""

from affray.engine.core.actions import Ruling

from . import combatants, dice, flow, hiding, space, things

EVERYWHERE: tuple[type[Ruling], ...] = (
    flow.Cancel, hiding.Conceal, combatants.Condition, flow.DiceFrom, space.Distance, things.ToHand, space.Give,
    space.Item, dice.FreeRoll, combatants.Leave, flow.Modify, hiding.MoreToCome, flow.Note, space.Place,
    flow.PlayerUndoRule, combatants.Pool, flow.Relate, hiding.Release, flow.Reorder, hiding.Reveal, hiding.SecretRoll,
    combatants.Sheet, combatants.Side, things.PutAway, things.TakeAway, space.Terrain, combatants.Trait, hiding.Unveil,
    hiding.Veil, space.View,
)  # fmt: skip
"""The common rulings; a ruleset adds its own."""

__all__ = ["EVERYWHERE", "Ruling"]
