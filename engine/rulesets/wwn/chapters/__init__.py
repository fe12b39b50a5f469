"""The chapters that only this game has: checks, maneuvers, spells, riding, beasts."""
