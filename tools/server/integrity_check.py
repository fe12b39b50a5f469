"""Integrity check of a stored log."""

from collections.abc import Sequence
from itertools import islice

from affray.engine.errors import Altered
from affray.engine.stores import Store
from affray.events import FORMAT, GENESIS, LogError, Recorded, format_behind, format_of, read_line, verify


def check_known(store: Store, name: str, recorded: Sequence[Recorded]) -> None:
    """Compare the stored lines of a fight with the recorded events; lines behind those are not read.

    Args:
        recorded: The events in memory, which may grow meanwhile.

    Raises:
        Altered: a line differs, or is missing.
        NoFight, StoreFailed: it cannot be read.
    """
    most, previous, format, number = len(recorded), GENESIS, FORMAT, 0
    for number, line in enumerate(islice(store.lines(name), most), 1):
        try:
            written = read_line(line, number)
            format = format_of(line) if number == 1 else format
            previous = verify(written, after=number - 1, previous=previous, number=number, format=format)
            format = format_behind(written, format, number)
        except LogError:
            raise Altered(name, number - 1) from None
        if previous != recorded[number - 1].hash:
            raise Altered(name, number - 1)
    if number < most:
        raise Altered(name, number)
