"""Blows and shots, from the declaration to the result."""
