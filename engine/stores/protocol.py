"""The interface of an event store."""

from collections.abc import Iterator, Sequence
from typing import Protocol


class Store(Protocol):
    """A store of streams of lines, one a fight, with the secret seed beside each.

    A stream only grows, by whole commands, and only if its writer knows the head.
    """

    def fights(self) -> list[str]:
        """List the names of all fights, in alphabetical order."""

    def read(self, fight: str) -> list[bytes]:
        """Read every line of a fight.

        Raises:
            NoFight: there is no such fight.
            StoreFailed: it cannot be read.
        """

    def lines(self, fight: str, after: int = 0) -> Iterator[bytes]:
        """Yield the lines of a fight behind a position unchanged, even faulty ones.

        The store is not changed.

        Raises:
            NoFight: there is no such fight.
            StoreFailed: it cannot be read.
        """

    def since(self, fight: str, after: int, hash: str = "") -> list[bytes]:
        """Read the lines of a fight behind a position.

        Args:
            hash: The hash of the event at that position, as its reader knows it; empty to skip the check.

        Raises:
            NoFight: there is no such fight.
            Altered: that position holds another event, or none.
            StoreFailed: it cannot be read.
        """

    def begin(self, fight: str, lines: Sequence[bytes], seed: bytes | None) -> None:
        """Begin a new fight with its first command's lines, and keep its seed.

        Both are written durably, or neither.

        Args:
            lines: Each without its newline.
            seed: The secret behind the engine's dice; ``None`` if all dice are entered.

        Raises:
            Exists: there is such a fight already; nothing has changed.
            Unsure: it may have been written, or not.
            StoreFailed: nothing could be written; nothing has changed.
        """

    def append(self, fight: str, lines: Sequence[bytes], after: int, hash: str = "") -> None:
        """Append one command's lines behind position ``after``, durably.

        All of them are written, or none.

        Args:
            lines: The lines, each without its newline.
            after: The position the writer believes to be the head.
            hash: The hash of the event at that position, as the writer knows it; empty to skip the check.

        Raises:
            NoFight: there is no such fight.
            OutOfDate: the head is later.
            Altered: that position holds another event, or none; nothing has changed.
            Unsure: it is unknown whether the lines were written.
            StoreFailed: nothing could be written; nothing has changed.
        """

    def seed(self, fight: str) -> bytes | None:
        """Return the fight's secret seed; ``None`` if it is not kept here."""
