"""Odds: fight on many times from a point of the record, and count the results."""

from affray.engine.analysis.moment import Moment, moment_of

from .comparison import Compared, Difference, compared, difference
from .costs import Cost, stood
from .sampling import Sampled, Wanted, sampled
from .tally import Share, Tally, mean, quantile, share
from .trials import MOST, Plan, Trial, Unended, fought
from .workers import Work, WorkersLost, working

__all__ = [
    "Compared", "Cost", "Difference", "MOST", "Moment", "Plan", "Sampled", "Share", "Tally", "Trial", "Unended",
    "Wanted", "Work", "WorkersLost", "compared", "difference", "fought", "mean", "moment_of", "quantile", "sampled",
    "share", "stood", "working",
]  # fmt: skip
