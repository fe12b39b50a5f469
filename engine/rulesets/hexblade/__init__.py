"""Hexblade: skirmishes on hexes. Both sides roll, and either may be struck."""

from .ruleset import RULESET

__all__ = ["RULESET"]
