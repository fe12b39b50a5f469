"""The rulings that Worlds Without Number adds to those of every system."""
