"""What a person or another program touches."""
