"""A policy that looks ahead by fighting trials of alternatives with separate dice."""

from .racing import Budget
from .policy import Searching, searching

__all__ = ["Budget", "Searching", "searching"]
