"""Luck or skill: the effect of each roll and each decision on the chance to win."""

from .curve import By, Curve, Move, Point, compute_curve, compute_curves, list_points

__all__ = ["By", "Curve", "Move", "Point", "compute_curve", "compute_curves", "list_points"]
