"""Decide and fold: what may happen in a fight, and what came of it."""
