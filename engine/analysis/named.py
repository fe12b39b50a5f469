"""The registry of policies by name."""

from .policies import Policy, anything, sensible
from .searching import searching

POLICIES: dict[str, Policy] = {"anything": anything, "searching": searching, "sensible": sensible}
"""``anything`` plays at random, ``searching`` looks ahead, ``sensible`` decides quickly."""
