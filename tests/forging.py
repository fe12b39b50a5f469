"""A forger's repairs after an edit of a log: numbers, references and hashes are made to match.

A log is forged as lines (``fit_lines``, ``rechain_lines``), as decoded JSON (``number_objs``), or as recorded events
(``fitting``, ``rechain_log``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import replace

from affray.engine.history.log import read_log
from affray.engine.integrity.commitment import Promise, find_promise
from affray.events import (
    FORMAT,
    GENESIS,
    STRUCTURED,
    Amended,
    Asked,
    ClockSet,
    Damaged,
    DiceAwaited,
    Event,
    FightOpened,
    Forked,
    FormatRaised,
    ItemAdded,
    LogError,
    MarkSet,
    Modifier,
    PlaceSet,
    Previewed,
    Recorded,
    Restored,
    Rewound,
    Rolled,
    hash_of,
    read_line,
    write_clock,
    write_feature,
    write_mark,
    write_side,
    write_source,
)

Obj = dict[str, Any]
Log = Sequence[Recorded]
_encode = msgspec.json.Encoder().encode
REFERENCES = {
    "Rewound": ("to", "lane", "request"),
    "UndoRequested": ("to", "lane"),
    "UndoDeclined": ("request",),
    "Restored": ("lane", "left"),
    "Amended": ("position", "to", "lane"),
    "Previewed": ("position",),
    "Forked": ("position",),
}
STARTING = {"position"}
"""References that name a first line; the others name a last one."""


def encode_obj(obj: Any) -> bytes:
    """Return JSON as we write it."""
    return json.dumps(obj, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def encode_log(log: Log) -> list[bytes]:
    """Return a log's lines, as its format has them."""
    lines, format = [], FORMAT
    for one in log:
        if isinstance(one.event, FightOpened):
            format = one.event.format
        lines.append(_encode(replace(one, event=spell_in(one.event, format))))
        if isinstance(one.event, FormatRaised):
            format = one.event.format
    return lines


def spell_in(event: Event, format: int) -> Event:
    """Return an event as a format holds it: before format 6 features and marks are texts."""
    if format >= STRUCTURED:
        return event
    if isinstance(event, ItemAdded):
        return replace(event, traits=(*event.traits, *map(write_feature, event.features)), features=())
    if isinstance(event, MarkSet):
        key, value = write_mark(event.key, event.about, event.parts or event.value)
        return replace(event, key=key, about="", value=value, parts={})
    if isinstance(event, ClockSet):
        return replace(event, clock=write_clock(event.owner, event.clock, event.about), owner="", about="")
    if isinstance(event, PlaceSet):
        return replace(event, traits=(*event.traits, *map(write_side, event.side_traits)), side_traits=())
    return _spell_sources(event)


def _spell_sources(event: Event) -> Event:
    """Return an event with the sources of its numbers as texts."""
    match event:
        case Asked() | DiceAwaited():
            return replace(event, sources=tuple(map(write_source, event.sources)))
        case Rolled():
            pool, modifiers = _spell_numbers(event.pool), _spell_numbers(event.modifiers)
            return replace(event, pool=pool, modifiers=modifiers)
        case Damaged():
            return replace(event, terms=_spell_numbers(event.terms))
        case _:
            return event


def _spell_numbers(some: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    return tuple([replace(one, source=write_source(one.source)) for one in some])


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
    rechained = rechain_lines(encode_log(log), first - 1)
    return [replace(one, hash=read_line(line).hash) for one, line in zip(log, rechained, strict=True)]


def find_seeds(log: Log, known: Iterable[bytes]) -> dict[str, bytes]:
    """Return the known seeds of a log's dice, by its commitments."""
    found: dict[str, bytes] = {}
    promise, seeds = Promise(), [*known]
    for one in log:
        promise.follow(one)
        if not one.more:
            found.update((promise.commitment, seed) for seed in seeds if promise.is_kept_by(seed))
    return found


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


def number_objs(objs: Sequence[Obj | None]) -> None:
    """Number decoded lines, and count what is to come of each command."""
    more = 0
    for nth, obj in reversed([*enumerate(objs)]):
        if obj is None:
            continue
        after = objs[nth + 1] if nth + 1 < len(objs) else None
        more = more + 1 if after is not None and after.get("cause") == obj.get("cause") else 0
        if obj.get("position") != nth + 1:
            obj["position"] = nth + 1
        if obj.get("more", 0) != more:
            obj.update(more=more) if more else obj.pop("more")


def promise_seed(lines: Sequence[bytes], nth: int, seed: bytes) -> str:
    """Return the commitment to a seed that the line with an index would make, were all lines up to it made to fit.

    Raises:
        ValueError: the lines are no log.
    """
    fitted = rechain_lines(fit_lines(list(lines)))
    try:
        return find_promise(read_log(fitted[: nth + 1 + read_line(fitted[nth]).more])).commit_to(seed)
    except LogError as why:
        raise ValueError("the lines are no log") from why


def fit_lines(lines: list[bytes]) -> list[bytes]:
    """Return the lines with positions, references and counts made right, as far as they can be read."""
    objs: list[Obj | None] = [parse_obj(line) for line in lines]
    old: dict[int, int] = {}
    for new, obj in enumerate(objs, 1):
        if obj is not None and type(obj.get("position")) is int:
            old.setdefault(obj["position"], new)
    number_objs(objs)
    for nth, obj in enumerate(objs):
        if obj is not None:
            _refer(obj.get("event"), old)
            if obj != parse_obj(lines[nth]):
                lines[nth] = encode_obj(obj)
    return lines


def _refer(event: Any, old: dict[int, int]) -> None:
    """Let an event name positions as they are now."""
    if isinstance(event, dict) and isinstance(event.get("type"), str):
        for field in REFERENCES.get(event["type"], ()):
            value = event.get(field)
            if type(value) is int and value > 0:
                event[field] = old.get(value) or _near(value, old, first=field in STARTING)


def _near(value: int, old: dict[int, int], *, first: bool) -> int:
    starts = sorted(old)
    near = [one for one in starts if one > value] if first else [one for one in starts if one < value]
    return value if not near else old[near[0 if first else -1]]


def parse_obj(line: bytes) -> Obj | None:
    try:
        obj = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return obj if isinstance(obj, dict) else None


def rechain_lines(lines: list[bytes], first: int = 0) -> list[bytes]:
    """Return the lines with every hash that can be made to fit doing so, from the line with this index on."""
    previous, format = GENESIS, 0
    for nth, written in enumerate(lines):
        try:
            line = read_line(written)
            format = format or _format(bytes(line.event), FORMAT)
            due = hash_of(line, previous, bytes(line.event), format) if nth >= first else line.hash
        except (LogError, UnicodeEncodeError):
            continue
        if due != line.hash and line.hash:
            lines[nth] = written.replace(b'"%b"' % msgspec.json.encode(line.hash)[1:-1], b'"%b"' % due.encode(), 1)
        previous = due
        if b'"type":"FormatRaised"' in written:
            format = max(format, _format(bytes(line.event), format))
    return lines


def _format(payload: bytes, otherwise: int) -> int:
    try:
        format = json.loads(payload)["format"]
    except (KeyError, TypeError, ValueError, RecursionError):
        return otherwise
    return format if type(format) is int and 0 < format <= FORMAT else otherwise
