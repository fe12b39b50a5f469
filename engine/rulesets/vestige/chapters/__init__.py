"""What only Vestige has: skills, readied actions, delayed turns."""
