"""Odds: fight on many times from a point of the record, and count the results."""

from affray.engine.analysis.rollout_start import RolloutStart, find_rollout_start

from .comparison import PlanComparison, PlanDifference, compare_plans, estimate_difference
from .costs import LastingNumber, read_lasting_number
from .sampling import Precision, Sample, sample_trials
from .tally import ShareEstimate, Tally, estimate_share, find_counted_mean, find_counted_quantile
from .trials import MOST, Plan, RolloutResult, Unended, fight_rollout
from .workers import Work, WorkersLost, open_workers

__all__ = [
    "LastingNumber", "MOST", "Plan", "PlanComparison", "PlanDifference", "Precision", "RolloutResult",
    "RolloutStart", "Sample", "ShareEstimate", "Tally", "Unended", "Work", "WorkersLost", "compare_plans",
    "estimate_difference", "estimate_share", "fight_rollout", "find_counted_mean", "find_counted_quantile",
    "find_rollout_start", "open_workers", "read_lasting_number", "sample_trials",
]  # fmt: skip
