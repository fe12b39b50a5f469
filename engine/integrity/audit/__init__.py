"""Settling disputes from the log alone: the record, the dice, the rules, each looked at by itself."""

from __future__ import annotations

from .audit import audit
from .derivation import Derived, derived
from .findings import DiceChecked, Fell, Finding, Layer, Listed, Missing, Renewed, Report, RulesJudged, Verdict
from .parents import Parent

__all__ = [
    "Derived",
    "DiceChecked",
    "Fell",
    "Finding",
    "Layer",
    "Listed",
    "Missing",
    "Parent",
    "Renewed",
    "Report",
    "RulesJudged",
    "Verdict",
    "audit",
    "derived",
]
