"""Encounter files, and the events that set up a fight from them."""
