"""Where everybody is, moving, and what leaving melee provokes."""
