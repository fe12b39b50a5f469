"""The rulings that Verdigris adds to those of every system."""
