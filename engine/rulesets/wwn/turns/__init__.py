"""Initiative, the order of turns, the cost of actions, and the procedures."""
