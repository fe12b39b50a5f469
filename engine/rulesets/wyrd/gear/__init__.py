"""Weapons, armor and other gear."""
