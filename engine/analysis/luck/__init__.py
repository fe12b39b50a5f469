"""Was it the dice or the decisions: what each roll and each decision of a recorded fight moved."""

from .curve import By, Curve, Move, Point, curve, curves, points_of

__all__ = ["By", "Curve", "Move", "Point", "curve", "curves", "points_of"]
