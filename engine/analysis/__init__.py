"""Read-only analysis of whole fights: explanations, statistics, differences, policies."""
