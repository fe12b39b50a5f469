"""Whose turn it is, and what it holds."""
