"""Positions and melees."""
