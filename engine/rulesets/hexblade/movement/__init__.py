"""The map, where everybody stands on it, and moving."""
