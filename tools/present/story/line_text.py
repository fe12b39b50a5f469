"""Lines of a log with what they say, as other programs get them."""

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw

from affray.engine.fight import Fight
from affray.events import Recorded

from .narration import sentence
from .words import names_of


def add_sentences(fight: Fight, lines: Iterable[tuple[Recorded, bytes]]) -> Iterator[Raw]:
    """Yield lines with a sentence each, under ``says``.

    Args:
        lines: The events, each with its line as written in the log.
    """
    names = names_of(fight.history.recorded)
    for one, line in lines:
        yield Raw(line.rstrip()[:-1] + b',"says":' + msgspec.json.encode(sentence(one.event, names)) + b"}")


def spoken_since(fight: Fight, after: int, lines: Iterable[bytes]) -> Iterator[Raw]:
    """Yield the lines after a position, with a sentence each."""
    yield from add_sentences(
        fight, ((fight.history.at(position), line) for position, line in enumerate(lines, after + 1))
    )
