"""Weapons, armor and what else is carried."""
