"""Initiative, whose turn it is and what it gives, and what runs by itself."""
