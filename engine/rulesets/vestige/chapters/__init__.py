"""The chapters that only Vestige has: skills, readied actions, delayed turns."""
