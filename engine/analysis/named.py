"""Every policy by the name under which it is asked for."""

from .policies import Policy, anything, sensible

POLICIES: dict[str, Policy] = {"anything": anything, "sensible": sensible}
"""At random, and quick."""
