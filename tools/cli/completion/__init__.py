"""Completion of words in a shell: scripts, and values of arguments and options."""
