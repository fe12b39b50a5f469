"""The commands, mostly one module for each."""
