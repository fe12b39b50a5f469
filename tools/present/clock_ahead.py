"""The warning that recorded time lies ahead of the clock."""

from datetime import datetime, timedelta

from affray.engine.clock import is_ahead, utc_now
from affray.engine.history.timeline import History
from affray.tools.parse.values import count_of

UNITS = (("year", timedelta(days=365)), ("day", timedelta(days=1)), ("hour", timedelta(hours=1)))
"""Units of a time difference, largest first; below the smallest it is given in minutes."""


def ahead_of_clock(history: History, now: str = "") -> str:
    """Warn if the last recorded time lies ahead of the clock; otherwise return ``""``.

    Args:
        now: Time of the clock, as a log writes it. Without it, this machine's clock is read.
    """
    now, last = now or utc_now(), history.recorded[-1].time
    if not is_ahead(last, now):
        return ""
    return f"{ahead_said(last, now)}. Whatever is recorded until then bears that time, for it never runs backwards."


def ahead_said(time: str, now: str) -> str:
    """Return by how much a recorded time lies ahead of the clock."""
    difference = datetime.fromisoformat(time) - datetime.fromisoformat(now)
    unit, size = next((one for one in UNITS if difference >= one[1]), ("minute", timedelta(minutes=1)))
    return f"The recorded time, {time}, lies {count_of(difference // size, unit)} ahead of the clock"
