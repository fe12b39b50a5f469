"""From an encounter file to the events that set up a fight."""
