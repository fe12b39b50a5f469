"""From an encounter file to a fight, and from that to the next one."""
