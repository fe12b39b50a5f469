"""The registry of policies by name."""

from .policies import Policy, choose_anything, choose_sensibly
from .search import choose_by_search

POLICIES: dict[str, Policy] = {"anything": choose_anything, "searching": choose_by_search, "sensible": choose_sensibly}
"""``anything`` plays at random, ``searching`` looks ahead, ``sensible`` decides quickly."""
