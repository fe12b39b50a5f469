"""What only this game has: checks, maneuvers, spells, riding and beasts."""
