"""The clock: the present time in the form in which a log writes it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], str]

TOLERANCE = timedelta(minutes=5)
"""By how much the clocks of two machines may differ without a word."""


def utc_now() -> str:
    """Return the time as a log writes it."""
    return written(datetime.now(UTC))


def written(time: datetime) -> str:
    """Return a time of UTC as a log writes it."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def is_ahead(time: str, now: str) -> bool:
    """Tell whether a recorded time lies ahead of the clock, by more than clocks differ."""
    try:
        return datetime.fromisoformat(time) > datetime.fromisoformat(now) + TOLERANCE
    except (ValueError, TypeError, OverflowError):  # a log may hold any text as a time
        return False
