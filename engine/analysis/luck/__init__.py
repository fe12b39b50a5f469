"""Luck or skill: the effect of each roll and each decision on the chance to win."""

from .curve import By, Curve, Move, Point, curve, curves, points_of

__all__ = ["By", "Curve", "Move", "Point", "curve", "curves", "points_of"]
