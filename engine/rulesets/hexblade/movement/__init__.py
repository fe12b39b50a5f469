"""The map, positions on it, and moving."""
