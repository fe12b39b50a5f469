"""The rulings that Wyrd adds to the common ones."""
