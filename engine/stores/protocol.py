"""The interface of an event store."""

from collections.abc import Iterator, Sequence
from typing import Protocol


class Store(Protocol):
    """Keeps streams of lines, one a fight, and the secret seed beside each.

    A stream only grows, by whole commands, and only if its writer knows the head.
    """

    def fights(self) -> list[str]:
        """Return the names of all fights, in alphabetical order."""
        ...

    def read(self, fight: str) -> list[bytes]:
        """Return every line of a fight.

        Raises:
            NoFight: there is no such fight.
            StoreFailed: it cannot be read.
        """
        ...

    def lines(self, fight: str, after: int = 0) -> Iterator[bytes]:
        """Yield the lines of a fight behind a position as they stand, faulty ones too; change nothing.

        Raises:
            NoFight: there is no such fight.
            StoreFailed: it cannot be read.
        """
        ...

    def since(self, fight: str, after: int, hash: str = "") -> list[bytes]:
        """Return the lines of a fight behind a position.

        Args:
            hash: Of the event there, as its reader knows it; if not given, nothing is compared.

        Raises:
            NoFight: there is no such fight.
            Altered: another event is there, or none.
            StoreFailed: it cannot be read.
        """
        ...

    def begin(self, fight: str, lines: Sequence[bytes], seed: bytes | None) -> None:
        """Begin a new fight with its first command's lines, and keep its seed; both or neither, durably.

        Args:
            lines: Each without its newline.
            seed: The secret behind the engine's dice; none if all dice are entered.

        Raises:
            Exists: there is such a fight already; nothing has changed.
            Unsure: it may have been written, or not.
            StoreFailed: nothing could be written; nothing has changed.
        """
        ...

    def append(self, fight: str, lines: Sequence[bytes], after: int, hash: str = "") -> None:
        """Append one command's lines behind position ``after``, all of them or none, durably.

        Args:
            lines: Each without its newline.
            after: The position the writer believes to be the head.
            hash: Of the event there, as the writer knows it; if not given, nothing is compared.

        Raises:
            NoFight: there is no such fight.
            OutOfDate: the head is a later one.
            Altered: another event is at that position, or none; nothing has changed.
            Unsure: it may have been written, or not.
            StoreFailed: nothing could be written; nothing has changed.
        """
        ...

    def seed(self, fight: str) -> bytes | None:
        """Return the fight's secret seed, or nothing if it is not kept here."""
        ...
