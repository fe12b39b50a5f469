"""Statistics of thrown dice: faces, means, and the chance of such results."""

from .fairness import SURE, Fairness, band, chi_square_tail, fairness, squares_tail
from .streaks import Streak, longest, run_chance, streaks
from .summary import CUTS, Cut, Summary, holm, summaries
from .thrown import Die, Thrown, thrown

__all__ = [
    "CUTS", "Cut", "Die", "Fairness", "SURE", "Streak", "Summary", "Thrown", "band", "chi_square_tail", "fairness",
    "holm", "longest", "run_chance", "squares_tail", "streaks", "summaries", "thrown",
]  # fmt: skip
