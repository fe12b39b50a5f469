"""Attacks, from the declaration of a blow or shot to its result."""
