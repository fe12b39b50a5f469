"""Fights with hostile text in every field."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from affray.events import format_behind, format_of, hash_new, read_line

FORGED = "FORGED"
"""What must never begin a line: it stands behind everything that could end one."""

EVIL = (
    "\x1b[31m\x1b]0;owned\x07\x9b2J\x00\x08\x7f\r"
    + "".join(f"{end}{FORGED} " for end in ("\n", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"))
    + "\u202egnp\u2066\u200b\u200d\ufeff\xad\ue000\U000e0041"
)
"""Escape sequences, everything that ends a line somewhere, and marks that are not seen or turn writing around."""

LABELS = frozenset({"name", "reason", "says", "note", "fight", "label", "text", "words"})
"""The fields of events whose texts no rule reads."""

FIXED = frozenset(
    {"type", "system", "version", "hash", "commitment", "seed", "rules", "format", "view", "reading", "config"}
) | {"place", "before", "after", "path", "exits"}
"""The fields without which a log is none of ours, and those that hold places, since a map refuses others."""

Change = Callable[[str, Any], Any]


def forge_with_evil(log: Path, to: Path, *, everything: bool) -> Path:
    """Copy a log with evil in its texts, under a chain that holds.

    Args:
        log: Any that was recorded.
        to: Where to put it.
        everything: Whether also ids, sides, kinds and conditions become evil, so that no rule understands them.
    """

    def changed(key: str, value: Any) -> Any:
        if key in FIXED:
            return value
        if isinstance(value, dict):
            return {
                name + EVIL * (everything and key in ("pools", "stats", "counters")): changed(name, one)
                for name, one in value.items()
            }
        if isinstance(value, list):
            return [changed(key, one) for one in value]
        if isinstance(value, str) and value and (everything or key in LABELS):
            return value + EVIL
        return value

    read = log.read_bytes().splitlines()
    previous, lines, format = "", [], format_of(read[0])
    for number, line in enumerate(read, 1):
        one = read_line(line, number)
        event = {key: changed(key, value) for key, value in msgspec.json.decode(one.event).items()}
        payload, who, cause = msgspec.json.encode(event), one.who + EVIL, one.cause + EVIL
        previous = hash_new(previous, one.position, one.time, who, cause, one.more, payload, format=format)
        written = msgspec.structs.replace(one, who=who, cause=cause, hash=previous, event=msgspec.Raw(payload))
        lines.append(msgspec.json.encode(written) + b"\n")
        format = format_behind(one, format, number)
    to.write_bytes(b"".join(lines))
    return to


def readable(text: str) -> None:
    """Assert that a text is harmless, and that all its lines are the program's own."""
    control = {one for one in text if not one.isprintable() and one not in "\n\u00a0\u2009\u202f"}
    assert not control, [hex(ord(one)) for one in control]
    begun_so = [line for line in text.split("\n") if line.strip(" \u2502-*>|#").startswith(FORGED)]
    assert not begun_so, begun_so[0]


RAW = re.compile(
    r"Expected|Object (missing|contains)|malformed|truncated|\$|`|codec|Invalid|recursion|line 1 column|key/value"
)
"""What decoders say."""
