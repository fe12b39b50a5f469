"""Verdigris: pools of six-sided dice, zones and melees, wounds and Death's Door."""

from __future__ import annotations

from .ruleset import RULESET

__all__ = ["RULESET"]
