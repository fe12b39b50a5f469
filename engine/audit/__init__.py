"""Settling disputes from the log alone: the record, the dice, the rules, each looked at by itself."""

from __future__ import annotations

from .audit import audit
from .derivation import Derived, derived
from .findings import DiceChecked, Finding, Layer, Listed, Report, RulesJudged

__all__ = ["Derived", "DiceChecked", "Finding", "Layer", "Listed", "Report", "RulesJudged", "audit", "derived"]
