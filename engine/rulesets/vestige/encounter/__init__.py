"""Encounters: from a file to a fight, and from one fight to the next."""
