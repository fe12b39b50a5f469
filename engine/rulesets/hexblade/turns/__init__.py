"""The turn: order, action economy, beginning and end."""
