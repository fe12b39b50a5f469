"""What everything rests on: the state and its fold, the flow, what rules may yield, actions and rulings, the table."""
