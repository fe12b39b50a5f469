"""The tests of the pattern, which `affray new-system` copies."""
