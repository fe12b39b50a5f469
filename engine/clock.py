"""The clock: the present time in the form of a log."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], str]

TOLERANCE = timedelta(minutes=5)
"""The difference between two machines' clocks that is not reported."""


def utc_now() -> str:
    """Return the present time in the form of a log."""
    return format_time(datetime.now(UTC))


def format_time(time: datetime) -> str:
    """Format a time in UTC as in a log."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def is_ahead(time: str, now: str) -> bool:
    """Tell whether a recorded time is later than the clock, beyond the tolerance."""
    try:
        return datetime.fromisoformat(time) > datetime.fromisoformat(now) + TOLERANCE
    except (ValueError, TypeError, OverflowError):  # a log may hold any text as a time
        return False
