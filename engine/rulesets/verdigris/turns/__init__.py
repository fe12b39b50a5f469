"""Initiative, the order of turns, their budgets, and the procedures between them."""
