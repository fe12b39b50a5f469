"""The rulings that Hexblade adds to those of every system."""
