"""The fold: one handler for each event type, shared by all rule systems.

It never refuses and never rolls.
"""

from . import combatants, flow, record, stack, things  # noqa: F401 - importing them registers their handlers
from .fold import HANDLERS, Handler, evolve, fold, fold_into

__all__ = ["HANDLERS", "Handler", "evolve", "fold", "fold_into"]
