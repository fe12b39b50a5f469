"""The hash chain of the lines that a client follows."""

from affray.engine.visibility import WireLine, verify_wire
from affray.events import FORMAT, GENESIS, OLDEST, ChainBroken

from .errors import RecordAltered

FORMATS = range(FORMAT, OLDEST - 1, -1)
"""The formats that a line can be written in, the likeliest first."""


class FollowedChain:
    """The chain up to a position, from any line with a known hash.

    Attributes:
        position, hash: Those of the last line.
    """

    def __init__(self, position: int = 0, hash: str = GENESIS) -> None:
        self.position = position
        self.hash = hash
        self._formats = FORMATS
        self._sealed: dict[int, tuple[str, str]] = {}

    def add(self, line: WireLine) -> None:
        """Add the next line.

        Raises:
            RecordAltered: it was altered, or a line before it is missing.
        """
        format = _check_line(line, self.position, self.hash, self._formats)
        self._formats = range(format, FORMAT + 1)  # a record goes on in its format, or in a later one
        if line.digest:
            self._sealed[line.position] = self.hash, line.hash
        self.position, self.hash = line.position, line.hash

    def check_opened(self, line: WireLine) -> None:
        """Check that an opened line is the one that came sealed, if that was added here.

        Raises:
            RecordAltered: it is another one.
        """
        previous, hash = self._sealed.get(line.position, ("", line.hash))
        if hash != line.hash:
            raise RecordAltered(line.position, f"position {line.position} was opened with another hash")
        if previous or line.position == 1:
            _check_line(line, line.position - 1, previous, FORMATS)


def _check_line(line: WireLine, after: int, previous: str, formats: range) -> int:
    """Check that a line continues the chain in one of the formats; return that format."""
    why = ""
    for format in formats:
        try:
            verify_wire(line, after=after, previous=previous, format=format)
        except ChainBroken as broken:
            why = why or broken.reason
        else:
            return format
    raise RecordAltered(line.position, why)
