"""Hexblade: skirmishes on hexes, in which both sides roll and either may be struck."""

from .ruleset import RULESET

__all__ = ["RULESET"]
