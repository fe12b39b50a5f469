"""The rulings that Wyrd adds to those of every system."""
