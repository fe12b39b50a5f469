"""A policy that looks ahead: it tries what a sensible fighter would not think of, with dice of its own."""

from .racing import Budget
from .policy import Searching, searching

__all__ = ["Budget", "Searching", "searching"]
