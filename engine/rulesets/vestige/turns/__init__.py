"""Initiative, the turn order, the action economy, and the procedures of a fight."""
