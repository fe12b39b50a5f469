"""Where everybody is, moving, and leaving a melee."""
