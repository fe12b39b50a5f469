"""State that combatants carry over from one fight into the next."""

from .form import KEY, CarriedItem, CarriedState, read_carried_state
from .loading import Carrier, apply_carried_state, apply_carry_over, split_carry_over
from .saving import find_carried_state

__all__ = [
    "CarriedItem", "CarriedState", "Carrier", "KEY", "apply_carried_state", "apply_carry_over",
    "find_carried_state", "read_carried_state", "split_carry_over",
]  # fmt: skip
