"""Completing words in a shell: the command ``completion``, and what may stand where in a command."""
