"""Weapons, shields and armor: reading them, and handling them."""
