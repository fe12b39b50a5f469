"""A store that keeps its fights in memory, for properties that reopen them thousands of times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from affray.engine.errors import OutOfDate, StoreFailed, Unusable


class MemoryStore:
    """Keeps streams in a dict; see ``Store``."""

    def __init__(self) -> None:
        self.streams: dict[str, list[bytes]] = {}
        self.seeds: dict[str, bytes] = {}

    def fights(self) -> list[str]:
        return sorted(self.streams)

    def read(self, fight: str) -> list[bytes]:
        if fight not in self.streams:
            raise Unusable(f"there is no fight {fight}")
        return list(self.streams[fight])

    def lines(self, fight: str, after: int = 0) -> Iterator[bytes]:
        yield from self.read(fight)[after:]

    def since(self, fight: str, after: int, hash: str = "") -> list[bytes]:
        return self.read(fight)[after:]

    def begin(self, fight: str, lines: Sequence[bytes], seed: bytes | None) -> None:
        if fight in self.streams:
            raise StoreFailed(f"there is a fight {fight} already")
        self.streams[fight] = list(lines)
        if seed is not None:
            self.seeds[fight] = seed

    def append(self, fight: str, lines: Sequence[bytes], after: int, hash: str = "") -> None:
        head = len(self.read(fight))
        if head != after:
            raise OutOfDate(after, head)
        self.streams[fight].extend(lines)

    def seed(self, fight: str) -> bytes | None:
        return self.seeds.get(fight)
