"""The core: state and fold, the flow, effects of rules, actions and rulings, the table."""
