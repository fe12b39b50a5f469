"""The turns of the sides, and of their members."""
