"""Wyrd: a rules-light game of usage dice. Players roll, and sides alternate without initiative."""

from .ruleset import RULESET

__all__ = ["RULESET"]
