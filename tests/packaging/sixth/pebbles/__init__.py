"""Pebbles: children throw pebbles at each other. The guide in ``engine/rulesets/README.md`` walks through it."""

from __future__ import annotations

from .system import RULESET

__all__ = ["RULESET"]
