"""Positions, moving, and the attacks that leaving melee provokes."""
