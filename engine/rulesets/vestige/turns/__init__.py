"""Initiative, the turn order, what a turn allows, and the course of a fight."""
