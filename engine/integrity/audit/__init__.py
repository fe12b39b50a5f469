"""The audit: what a log alone proves of its record, its dice and its rules."""

from .audit import audit
from .derivation import Derived, derived
from .findings import (
    Ahead, DiceChecked, Fell, Finding, Layer, Listed, ListedFork, Missing, Redeclared, Renewed, Report, RollShown,
    RulesJudged, Takeback, UndoneCommand, Verdict,
)  # fmt: skip
from .parents import Parent

__all__ = [
    "Ahead", "Derived", "DiceChecked", "Fell", "Finding", "Layer", "Listed", "ListedFork", "Missing", "Parent",
    "Redeclared", "Renewed", "Report", "RollShown", "RulesJudged", "Takeback", "UndoneCommand", "Verdict", "audit",
    "derived",
]  # fmt: skip
