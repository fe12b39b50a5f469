"""The core: state, fold, flow, effects, actions, rulings and the table."""
