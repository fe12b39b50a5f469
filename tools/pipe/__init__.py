"""Fights over standard input and output, for programs in any language."""
