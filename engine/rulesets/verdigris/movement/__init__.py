"""Zones and melees: entering, leaving, and being held."""
