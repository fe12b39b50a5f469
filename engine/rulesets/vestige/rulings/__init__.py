"""The rulings that Vestige adds to the common ones."""
