"""A party: made once, joined to any encounter; what a fight cost is carried to the next."""
