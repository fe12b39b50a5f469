"""The groups of a ruleset's fields, each with its defaults beside it."""

from .board import BoardRules
from .corrections import CorrectionRules
from .encounters import EncounterRules
from .fighter import FighterPolicy
from .presentation import Presentation
from .turns import TurnRules

__all__ = ["BoardRules", "CorrectionRules", "EncounterRules", "FighterPolicy", "Presentation", "TurnRules"]
