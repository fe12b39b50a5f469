"""The rulings that Vestige adds to those of every system."""
