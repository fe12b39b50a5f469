"""From an encounter file to a fight."""
