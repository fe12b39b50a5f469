"""A policy that looks ahead by fighting trials of alternatives with separate dice."""

from .policy import SearchPolicy, choose_by_search
from .race import Budget

__all__ = ["Budget", "SearchPolicy", "choose_by_search"]
