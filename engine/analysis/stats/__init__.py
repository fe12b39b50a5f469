"""Statistics of thrown dice: faces, means, and the chance of such results."""

from .dice_collection import ThrownDice, ThrownDie, collect_dice
from .fairness import SURE, Fairness, assess_fairness, chi_square_tail, find_binomial_band, squares_tail
from .streaks import Streak, find_longest_run, find_streaks, run_chance
from .summary import CUTS, Cut, Summary, adjust_p_values, summarise_dice

__all__ = [
    "CUTS", "Cut", "Fairness", "SURE", "Streak", "Summary", "ThrownDice", "ThrownDie", "adjust_p_values",
    "assess_fairness", "chi_square_tail", "collect_dice", "find_binomial_band", "find_longest_run",
    "find_streaks", "run_chance", "squares_tail", "summarise_dice",
]  # fmt: skip
