"""Moments of a log as people read them: in the time zone of this machine, which is named."""

from datetime import datetime


def format_period(began: str, ended: str) -> str:
    """Format a period with its zone, such as ``2026-11-26 to 2026-11-27 PST``.

    Args:
        began, ended: Times as a log writes them, in UTC. A malformed one is left unchanged.
    """
    (first, its_zone), (last, zone) = _local_date(began), _local_date(ended)
    if (first, its_zone) == (last, zone):
        return f"{last} {zone}".strip()
    return f"{first} {its_zone if its_zone != zone else ''}".strip() + f" to {last} {zone}".rstrip()


def _local_date(time: str) -> tuple[str, str]:
    """Return the local date of a moment, and the name of its zone."""
    try:
        moment = datetime.fromisoformat(time).astimezone()
    except (ValueError, OverflowError, OSError):  # a forged log may hold any text, and any year
        return time[:10], ""
    zone = moment.tzname() or "UTC"
    return f"{moment:%Y-%m-%d}", f"UTC{zone}" if zone[0] in "+-" else zone
