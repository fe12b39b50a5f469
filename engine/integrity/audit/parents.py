"""Checks of a fork against its parents: their lines, and the seeds of its dice."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from affray.engine.texts import name_said
from affray.events import Forked

from .findings import Findings, Missing
from .line_ends import LineEnds
from .prescan import prescan


class Parent(Struct, frozen=True, kw_only=True):
    """A fight that another one may be a fork of.

    Attributes:
        name: Its name in reports.
        lines: Yields its lines, each without its newline, every time it is called.
        key: The seed kept beside it, if there is one.
    """

    name: str
    lines: Callable[[], Iterable[bytes]]
    key: bytes | None = None


class _Followed:
    """A parent that is read beside the log.

    Attributes:
        parted: The first line that is not the parent's; 0 as long as there is none.
        vouches: Whether the log left it at the position that its fork event names.
    """

    def __init__(self, parent: Parent) -> None:
        self.parent = parent
        self.parted = 0
        self.vouches = False
        self._lines = LineEnds().strip(parent.lines())

    def compare(self, number: int, line: bytes) -> None:
        """Compare a line with the parent's."""
        if not self.parted and next(self._lines, None) != line:
            self.parted = number


class Parents:
    """Compares a fork with its claimed parents, line by line.

    Args:
        found: Receives parents that are none.
        given: The parents, in any order; of a fork of a fork, the parent's parent too.
    """

    def __init__(self, found: Findings, given: Sequence[Parent]) -> None:
        self._found = found
        self._followed = [_Followed(one) for one in given]
        self._alone: list[Forked] = []

    def seeds(self) -> Iterator[bytes]:
        """Yield the seeds that the parents reveal, or that are kept beside them."""
        for one in self._followed:
            for seed in (one.parent.key, prescan(LineEnds().strip(one.parent.lines())).seed):
                if seed is not None:
                    yield seed

    def compare(self, number: int, line: bytes) -> None:
        """Compare a line of the log with that of each parent."""
        for one in self._followed:
            one.compare(number, line)

    def leave(self, forked: Forked) -> None:
        """Record that the log leaves its parent behind the line compared last."""
        left = [one for one in self._followed if one.parted > forked.position]
        for one in left:
            one.vouches = True
        if not left:
            self._alone.append(forked)

    def end(self) -> Iterator[Missing]:
        """Report parents that are not this log's; yield those that are missing."""
        for one in self._followed:
            if not one.vouches:
                due = f"the lines of {name_said(one.parent.name)} up to where it is said to have been left"
                at = one.parted or 1
                self._found.note("record", at, at, "parent", due, "others" if one.parted else "this very log")
        for forked in self._alone:
            what = f"that it is {name_said(forked.parent)} up to position {forked.position}, as it says"
            yield Missing(layer="record", what=what, remedy="--parent FIGHT")
