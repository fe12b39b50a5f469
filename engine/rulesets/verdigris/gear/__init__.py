"""What is held, worn and carried: reading it, and handling it."""
