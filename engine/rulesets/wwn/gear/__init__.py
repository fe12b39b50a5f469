"""Weapons, shields and armor: what they are, and what is done with them."""
