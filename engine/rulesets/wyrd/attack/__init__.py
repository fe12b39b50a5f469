"""Blows and shots: the declaration, the test, the hit."""
