"""The logger of stores and servers.

Its library takes a third of the program's start, so the first message loads it.
"""

from __future__ import annotations

from collections.abc import Callable

_AT_FIRST: list[Callable[[], None]] = []


def configure_at_first(configure: Callable[[], None]) -> None:
    """Set the function that configures ``structlog`` before the first message."""
    _AT_FIRST[:] = [configure]


class Logger:
    """A logger that asks ``structlog`` for its logger at each message."""

    def __init__(self, name: str) -> None:
        self._name = name

    def warning(self, event: str, **details: object) -> None:
        """Log a fault that the program recovers from."""
        self._log("warning", event, details)

    def error(self, event: str, **details: object) -> None:
        """Log a fault that lost something."""
        self._log("error", event, details)

    def _log(self, level: str, event: str, details: dict[str, object]) -> None:
        import structlog  # noqa: PLC0415 - takes long to load, and few logs are written

        for configure in _AT_FIRST:
            configure()
        _AT_FIRST.clear()
        getattr(structlog.get_logger(self._name), level)(event, **details)
