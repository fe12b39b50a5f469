"""The errors of reading a log.

::

    LogError
    ├── Malformed        a line is not an event of this program
    ├── UnknownFormat    written by a later version than this one
    ├── ChainBroken      a line, its place or its order was altered
    └── Senseless        a line is an event, but cannot follow from the lines before it
"""


class LogError(Exception):
    """A log that cannot be read or continued.

    Attributes:
        line: Number of the line, from 1; 0 if it is not known.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.reason = message
        self.line = line


class Malformed(LogError):
    """A line is not an event: not JSON, an unknown type, a missing or wrong field."""


class UnknownFormat(LogError):
    """The log is written in a format that this version does not know."""


class ChainBroken(LogError):
    """A line does not continue the hash chain of the lines before it."""


class Senseless(LogError):
    """A line states an impossible fact, such as a combatant that is not there."""
