"""The command ``balance``: the variants of an encounter, and their chances."""
