"""Attacks, from the declaration to what they do."""
