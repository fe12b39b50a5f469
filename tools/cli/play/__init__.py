"""The conversation of the command ``play``."""
