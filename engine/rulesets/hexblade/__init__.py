"""Hexblade: skirmishes on hexes, in which both sides roll and either may be struck."""

from __future__ import annotations

from .system import RULESET

__all__ = ["RULESET"]
