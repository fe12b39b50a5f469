"""The rulings that Hexblade adds to the common ones."""
