"""Initiative, the order of turns, what an action costs, and what runs by itself."""
