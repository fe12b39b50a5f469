"""Times, authors, ids of commands, readers, counts and hashes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from affray.events import Recorded
from tests.forging import list_commands
from tests.tampering.edits import Site, Tampered, edits
from tests.tampering.fights import Closed

LATER = "2031-01-01T00:00:00.000Z"
EARLIER = "2001-01-01T00:00:00.000Z"
OTHER = "5a19" * 8


@edits
def one_lines_envelope(fight: Closed) -> Iterator[Site]:
    """Change a line's sender, time, command, readers of these, or number of following events."""
    for command in list_commands(fight.log):
        for one in command:
            if len(command) > 1:
                yield Site("time of a line", partial(_line, fight, one, "time: of one line", time=LATER))
                yield Site("author of a line", partial(_line, fight, one, "author: of one line", who="Mallory"))
                yield Site("id of a line", partial(_line, fight, one, "command id: of one line", cause="forged"))
                yield Site("count of a line", partial(_line, fight, one, "count: of one line", more=one.more + 1))
                what = "who may know the author: of one line"
                yield Site(f"{what}, {one.known_to}", partial(_line, fight, one, what, **_other(one)))
                if one.mask:
                    yield Site("mask of a line", partial(_line, fight, one, "mask: of one line", mask=OTHER))
            if one.salt:
                yield Site("salt of a line", partial(_line, fight, one, "salt: of one line", salt=OTHER))
            yield Site(
                "readers of a line", partial(_line, fight, one, "readers: of one line", audience=("gm",), salt=OTHER)
            )
            yield Site("hash of a line", partial(_hash, fight, one))


def _other(one: Recorded) -> dict[str, Any]:
    """Return an envelope that hides the author, or no longer does."""
    return {"known_to": ("gm",), "mask": OTHER} if one.known_to is None else {"known_to": None, "mask": ""}


def _line(fight: Closed, one: Recorded, row: str, **envelope: Any) -> Tampered:
    """Change one line; where it opens its command, the next line is the first not to agree with it."""
    entries = list(fight.log)
    position = one.position
    entries[position - 1] = replace(one, **envelope)
    opens = position == 1 or entries[position - 2].cause != one.cause
    at = position + (opens and not envelope.keys() & {"audience", "salt"})
    return Tampered(row, entries, position, entries, at, position)


def _hash(fight: Closed, one: Recorded) -> Tampered:
    entries = list(fight.log)
    entries[one.position - 1] = replace(one, hash="0" * 64)
    return Tampered("hash: of one line", entries, one.position, list(fight.log), 0, 0)


@edits
def whole_commands_envelopes(fight: Closed) -> Iterator[Site]:
    """Change who sent a whole command, when, its id, or who may know that."""
    said = list_commands(fight.log)
    for nth, command in enumerate(said):
        if nth + 1 < len(said):
            between = said[nth + 1][0].time
            if between != command[0].time:
                yield Site(
                    "time within bounds", partial(whole_command, fight, command, "time: of a command", time=between)
                )
        if nth:
            yield Site("time backwards", partial(whole_command, fight, command, "time: backwards", time=EARLIER))
        what = "who may know the author: of a command"
        yield Site(f"{what}, {command[0].known_to}", partial(whole_command, fight, command, what, **_other(command[0])))
        if command[0].mask:
            yield Site("mask of a command", partial(whole_command, fight, command, "mask: of a command", mask=OTHER))
        yield Site("author of a command", partial(whole_command, fight, command, "author: of a command", who="Mallory"))
        yield Site(
            "id of a command", partial(whole_command, fight, command, "command id: of a command", cause="forged")
        )


def whole_command(fight: Closed, command: list[Recorded], row: str, **envelope: Any) -> Tampered:
    entries = list(fight.log)
    first = command[0].position
    entries[first - 1 : command[-1].position] = [replace(one, **envelope) for one in command]
    return Tampered(row, entries, first, entries, first, first)
