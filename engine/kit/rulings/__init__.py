"""The rulings that every system accepts."""

from affray.engine.core.actions import Ruling

from . import combatants, dice, flow, hiding, items, positions

EVERYWHERE: tuple[type[Ruling], ...] = (
    flow.Cancel, hiding.Conceal, combatants.Condition, flow.DiceFrom, positions.Distance, hiding.Foes, dice.FreeRoll,
    positions.Give, positions.ItemRuling, combatants.LeaveRuling, flow.Modify, hiding.MoreToCome, flow.NoteRuling,
    positions.PlaceRuling, flow.PlayerUndoRule, combatants.PoolRuling, items.PutAway, flow.Relate, hiding.Release,
    flow.Reorder, hiding.Reveal, hiding.SecretRoll, combatants.Sheet, combatants.Side, items.TakeAway,
    positions.Terrain, items.ToHand, combatants.Trait, hiding.Unveil, hiding.Veil, positions.ViewRuling,
)  # fmt: skip
"""The common rulings; a ruleset adds its own."""

__all__ = ["EVERYWHERE", "Ruling"]
