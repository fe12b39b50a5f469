"""What a forger can do about the chain: leave it as it was, or make everything fit again from the first edited line."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import msgspec
from msgspec.structs import replace

from affray.events import (
    FORMAT,
    GENESIS,
    Amended,
    Event,
    FightOpened,
    Forked,
    FormatRaised,
    LogError,
    Previewed,
    Recorded,
    Restored,
    Rewound,
    hash_of,
    read_line,
)

Log = Sequence[Recorded]
_encode = msgspec.json.Encoder().encode


def encode_log(log: Log) -> list[bytes]:
    """Return a log's lines."""
    return [_encode(one) for one in log]


def with_event(one: Recorded, event: Event) -> Recorded:
    """Return a line with another event in it."""
    return replace(one, event=event)


def replace_event(log: Log, position: int, event: Event) -> list[Recorded]:
    """Return the log with another event at one position."""
    entries = list(log)
    entries[position - 1] = replace(entries[position - 1], event=event)
    return entries


def fitting(log: Log) -> list[Recorded]:
    """Return lines that were added, left out or moved with positions, references and counts made right."""
    old = [one.position for one in log]
    return [
        replace(one, position=new, more=more, event=_referring(one.event, old))
        for new, (one, more) in enumerate(zip(log, _to_come(log), strict=True), 1)
    ]


def _to_come(log: Log) -> list[int]:
    counts: list[int] = []
    for _, command in groupby(log, lambda one: one.cause):
        counts += range(len(list(command)) - 1, -1, -1)
    return counts


def _referring(event: Event, old: list[int]) -> Event:
    """Return an event that names positions as they are now."""

    def end(position: int) -> int:
        return max((new for new, one in enumerate(old, 1) if one <= position), default=0)

    def start(position: int) -> int:
        if position in old:
            return old.index(position) + 1
        return min((new for new, one in enumerate(old, 1) if one >= position), default=len(old))

    if isinstance(event, Rewound):
        return replace(event, to=end(event.to), lane=end(event.lane))
    if isinstance(event, Restored):
        return replace(event, lane=end(event.lane), left=end(event.left))
    if isinstance(event, Amended):
        dropped = tuple(start(one) for one in event.dropped if one in old)
        return replace(event, position=start(event.position), to=end(event.to), lane=end(event.lane), dropped=dropped)
    if isinstance(event, Previewed):
        return replace(event, position=start(event.position))
    return replace(event, position=end(event.position)) if isinstance(event, Forked) else event


def rechain_log(log: Log, first: int = 1) -> list[Recorded]:
    """Return the log with every hash from position ``first`` on made to fit."""
    entries = list(log)
    previous = entries[first - 2].hash if first > 1 else GENESIS
    formats = [getattr(one.event, "format", 0) for one in entries[: max(first - 1, 1)]]
    format = clamp_format(next((one for one in reversed(formats) if one), FORMAT))
    for index in range(first - 1, len(entries)):
        one = entries[index]
        previous = hash_of(one, previous, _encode(one.event), format)
        entries[index] = replace(one, hash=previous)
        if isinstance(one.event, FormatRaised):
            format = max(format, clamp_format(one.event.format))
    return entries


def clamp_format(format: int) -> int:
    return format if 0 < format <= FORMAT else FORMAT


def relink_lines(lines: Sequence[bytes], log: Log) -> list[bytes]:
    """Return lines, spelt in whatever way, with the hashes that fit them in place of those that stand there.

    Args:
        lines: The lines.
        log: What they said, and in which format, before they were spelt otherwise.
    """
    told, previous, format = list(lines), GENESIS, FORMAT
    for index, (line, one) in enumerate(zip(lines, log, strict=True)):
        if isinstance(one.event, FightOpened):
            format = one.event.format
        try:
            written = read_line(line)
        except LogError:
            continue
        previous = hash_of(written, previous, bytes(written.event), format)
        told[index] = line.replace(written.hash.encode(), previous.encode(), 1)
        if isinstance(one.event, FormatRaised):
            format = one.event.format
    return told


def with_old_hashes(log: Log, original: Log) -> list[Recorded]:
    """Return a rewritten log with the hashes that stood there before."""
    hashes = [one.hash for one in original]
    return [replace(one, hash=hashes[min(index, len(hashes) - 1)]) for index, one in enumerate(log)]


def command_at(log: Log, position: int) -> tuple[int, int]:
    """Return the first and the last position of the command that a position belongs to."""
    cause = log[position - 1].cause
    first = last = position
    while first > 1 and log[first - 2].cause == cause:
        first -= 1
    while last < len(log) and log[last].cause == cause:
        last += 1
    return first, last


def list_commands(log: Log) -> list[list[Recorded]]:
    """Return the commands of a log."""
    return [list(command) for _, command in groupby(log, lambda one: one.cause)]


def head(log: Log, position: int) -> Event:
    """Return the event that opens the command a position belongs to."""
    return log[command_at(log, position)[0] - 1].event
