"""Was it the dice or the decisions: what each roll and each decision of a recorded fight moved."""

from .curve import Curve, Move, Point, curve, curves, points_of

__all__ = ["Curve", "Move", "Point", "curve", "curves", "points_of"]
