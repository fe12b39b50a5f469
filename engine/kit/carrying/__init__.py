"""State that combatants carry over from one fight into the next."""

from .entering import Carrier, carrying, with_carried, without_carried
from .form import KEY, Carries, Thing, carries_said
from .leaving import carries_of

__all__ = [
    "Carrier", "Carries", "KEY", "Thing", "carries_of", "carries_said", "carrying", "with_carried", "without_carried",
]  # fmt: skip
