"""The clock: the present time in the form in which a log writes it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], str]


def utc_now() -> str:
    """Return the time as a log writes it."""
    return written(datetime.now(UTC))


def written(time: datetime) -> str:
    """Return a time of UTC as a log writes it."""
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
