"""Damage, injuries, conditions, Death's Door."""
