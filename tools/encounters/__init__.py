"""Encounters and parties: reading, checking, placing and writing them."""
