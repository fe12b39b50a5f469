"""The fold: one handler per type of event, the same for every rule system. It never refuses and never rolls."""

from . import combatants, flow, hiding, record, stack, things  # noqa: F401 - importing them registers their handlers
from .fold import evolve, fold, fold_into
from .registry import HANDLERS, Handler

__all__ = ["HANDLERS", "Handler", "evolve", "fold", "fold_into"]
