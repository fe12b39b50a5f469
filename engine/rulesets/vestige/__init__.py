"""Vestige: a compact skirmish game with metres, energy points and a strong reaction system."""

from .ruleset import RULESET

__all__ = ["RULESET"]
