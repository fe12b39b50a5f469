"""Is this encounter fair: the command ``balance``, the variants it tries, and how they are told."""
