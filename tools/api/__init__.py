"""What programs can ask of a fight, and the answers they get: one room for every transport."""
