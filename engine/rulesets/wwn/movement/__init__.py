"""Positions, moves, and leaving a melee."""
