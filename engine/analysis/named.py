"""Every policy by the name under which it is asked for."""

from .policies import Policy, anything, sensible
from .searching import searching

POLICIES: dict[str, Policy] = {"anything": anything, "searching": searching, "sensible": sensible}
"""At random, looking ahead, and quick."""
