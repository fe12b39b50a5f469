"""The fold: one handler per type of event, the same for every rule system. It never refuses and never rolls."""

from . import combatants, flow, record, stack, things  # noqa: F401 - importing them registers their handlers
from .fold import HANDLERS, Handler, evolve, fold, fold_into

__all__ = ["HANDLERS", "Handler", "evolve", "fold", "fold_into"]
