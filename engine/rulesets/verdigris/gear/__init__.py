"""Items held, worn and carried: reading them, and handling them."""
