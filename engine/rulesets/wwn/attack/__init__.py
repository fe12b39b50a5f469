"""Attacks, from their declaration to their damage."""
