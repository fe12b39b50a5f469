"""How strong a policy is: games of one against another, in pairs with the sides swapped."""

from .strength import strength

__all__ = ["strength"]
