"""Blows and shots: the declaration, the test, and what comes of it."""
