"""Encounters: from a file to a fight."""
