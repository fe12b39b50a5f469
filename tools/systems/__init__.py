"""Tools for authors of rule systems: the check of a system, its settings, and a new one."""
