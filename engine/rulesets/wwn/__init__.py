"""Worlds Without Number: ascending armor class, hit points, and Shock even on a miss."""

from .ruleset import RULESET

__all__ = ["RULESET"]
