"""Damage, injuries, conditions, and what becomes of the hurt."""
