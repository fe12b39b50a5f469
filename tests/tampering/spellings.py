"""The same log, or nearly, in other spellings: texts that two readers could read differently."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial

from tests.forging import list_commands
from tests.tampering.edits import Site, Tampered, edits
from tests.tampering.envelopes import whole_command
from tests.tampering.fights import Closed

ODD = ("\n", "\x1b[2J", "\x00", "\u2028", "\u202e", "\u200b", "\ue000")
"""What nobody can type, and what would reach a terminal."""


def encode_turned(line: bytes, turned: Callable[[dict[str, object]], dict[str, object]]) -> bytes:
    return json.dumps(turned(json.loads(line)), separators=(",", ":"), ensure_ascii=False).encode()


def _reordered(line: bytes) -> bytes:
    return encode_turned(line, lambda obj: {**{key: obj[key] for key in ("time", "position")}, **obj})


def _named(line: bytes) -> bytes:
    return encode_turned(line, lambda obj: {**obj, "unheard_of": 1})


def _deeply_named(line: bytes) -> bytes:
    return line.replace(b'"event":{', b'"event":{"unheard_of":1,', 1)


SPELLINGS: dict[str, tuple[Callable[[bytes], bytes], ...]] = {
    "an escape": (
        lambda line: re.sub(rb'"type":"(.)', lambda found: b'"type":"\\u%04x' % ord(found[1]), line, count=1),
        lambda line: line.replace(b'"who":"', b'"\\u0077ho":"', 1),
    ),
    "a blank": (
        lambda line: line.replace(b'"event":{', b'"event":{ ', 1),
        lambda line: line.replace(b'"time":', b'"time":\t', 1),
    ),
    "around the line": (
        lambda line: b"\xef\xbb\xbf" + line,
        lambda line: line + b"\r",
        lambda line: line + b" ",
    ),
    "another order": (_reordered,),
    "a default": (
        lambda line: line[:-1] + b',"salt":""}',
        lambda line: line.replace(b'"event":{"type"', b'"event":{"rules":[],"type"', 1),
    ),
    "a number": (
        lambda line: re.sub(rb'"position":(\d+)', rb'"position":\1.0', line, count=1),
        lambda line: re.sub(rb'"position":(\d+)', rb'"position":\1e0', line, count=1),
    ),
    "a key that nobody knows": (_named, _deeply_named),
    "a key twice": (
        lambda line: line.replace(b'"event":{', b'"event":{"type":"Noted","text":"x"},"event":{', 1),
        lambda line: line.replace(b'"event":{', b'"event":{"type":"Noted",', 1),
        lambda line: line.replace(b'"who":', b'"who":"Mallory","who":', 1),
    ),
}
"""Ways to spell a line, by what is odd about them."""


@edits
def lines_spelt_otherwise(fight: Closed) -> Iterator[Site]:
    """Spell each line otherwise."""
    for one in fight.log[:-1]:
        for what, ways in SPELLINGS.items():
            for nth, spell in enumerate(ways):
                yield Site(f"{what} {nth}", partial(_spelt, f"spelling: {what}", fight, one.position, spell))


def _spelt(row: str, fight: Closed, at: int, spell: Callable[[bytes], bytes]) -> Tampered:
    log = list(fight.log)
    return Tampered(row, log, at, log, at, at, spell)


@edits
def times_and_senders(fight: Closed) -> Iterator[Site]:
    """Change the spelling of a command's time, and put untypable characters into its author and id."""
    for command in list_commands(fight.log):
        time = command[0].time
        for nth, odd in enumerate(
            (time[:-1] + "+00:00", time[:-5] + "Z", time.replace("T", " "), "2026-W01-1T00:00:00Z")
        ):
            row = "time: another spelling"
            yield Site(f"{row} {nth}", partial(whole_command, fight, command, row, time=odd))
        for odd in ODD:
            row = "characters: control characters in an author"
            yield Site(f"{row} {odd!r}", partial(whole_command, fight, command, row, who=f"Anna{odd}"))
            row = "characters: control characters in an id"
            yield Site(f"{row} {odd!r}", partial(whole_command, fight, command, row, cause=f"forged{odd}"))
