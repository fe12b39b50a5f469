"""What looks at whole fights and never changes one: explanations, statistics, differences, policies."""
