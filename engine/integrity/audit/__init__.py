"""The audit: proofs of a log's record, dice and rules, from the log alone."""

from .audit import audit
from .derivation import Derived, derive_dice
from .findings import (
    Ahead, DiceChecked, Fell, Finding, Layer, Listed, ListedFork, Missing, Redeclared, Renewed, Report, RollShown,
    RulesJudged, Takeback, UndoneCommand, Verdict,
)  # fmt: skip
from .parents import Parent

__all__ = [
    "Ahead", "Derived", "DiceChecked", "Fell", "Finding", "Layer", "Listed", "ListedFork", "Missing", "Parent",
    "Redeclared", "Renewed", "Report", "RollShown", "RulesJudged", "Takeback", "UndoneCommand", "Verdict", "audit",
    "derive_dice",
]  # fmt: skip
