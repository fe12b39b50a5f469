"""Deciding: commands carried out, rules run, dice thrown, what people sent checked, what may be done offered."""
