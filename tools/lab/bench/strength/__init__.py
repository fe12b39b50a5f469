"""Strength of a policy: games against another one, in pairs with sides swapped."""

from .strength import strength

__all__ = ["strength"]
