"""The tables of a rule system, and the form of an encounter, for editors."""
