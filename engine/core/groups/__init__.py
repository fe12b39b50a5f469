"""The groups of a ruleset's fields, each with its defaults beside it."""
