"""Hexblade: skirmishes on hexes, in which both sides roll and either may be struck."""

from __future__ import annotations

from .ruleset import RULESET

__all__ = ["RULESET"]
