"""The pattern of a new rule system, which ``affray new-system`` copies: a package with its project file and test."""
