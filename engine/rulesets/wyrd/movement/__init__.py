"""Where everybody is, and who is engaged with whom."""
