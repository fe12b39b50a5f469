"""Verdigris: pools of six-sided dice, zones and melees, wounds and Death's Door."""

from .ruleset import RULESET

__all__ = ["RULESET"]
