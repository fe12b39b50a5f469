"""Deciding: run rules, throw dice, check what people send, list what is legal."""
