"""Zones and melees: entering them, leaving them, being held in them."""
