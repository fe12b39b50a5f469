"""Decisions: run rules, roll dice, validate inputs, list legal actions."""
