"""Checks of a line's envelope: time, names, ids, readers, salts."""

import re
from collections.abc import Iterator
from datetime import datetime

from affray.engine.commands import MANY
from affray.engine.texts import find_invisible_fault, id_said, is_word, quote
from affray.events import FRAMED, RawRecorded

ORDERED = 3
"""The first format whose times never decrease; older logs show when a clock was set back."""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_SALT = re.compile(r"[0-9a-f]{32}", re.ASCII)

Fault = tuple[str, str, str]
"""A code, the expected text and the text found."""


def sender_faults(last: RawRecorded | None, written: RawRecorded, format: int) -> Iterator[Fault]:
    """Yield the faults of a command's time and sender, and of who may know them.

    Args:
        last: The line before it; ``None`` if it is missing.
    """
    if not is_time(written.time):
        yield "time", "a time in UTC such as 2025-06-01T12:00:00.000Z", quote(written.time)
    elif last is not None and goes_back(last, written) and format >= ORDERED:
        yield "time", f"a time not before {last.time}", written.time
    for code, text in (("who", written.who), ("cause", written.cause)):
        if not is_word(text, MANY, format):
            yield code, f"1 to {MANY} visible characters", repr(text)
    if written.known_to is not None or written.mask:
        yield from _seal_faults("known_to", written.known_to, "mask", written.mask, format)


def reader_faults(written: RawRecorded, format: int) -> Iterator[Fault]:
    """Yield the faults of a sealed line's audience and salt."""
    yield from _seal_faults("audience", written.audience, "salt", written.salt, format)


def goes_back(last: RawRecorded, written: RawRecorded) -> bool:
    """Tell whether a command was sent before the one it follows.

    Times in canonical form sort as texts.
    """
    return not last.more and written.time < last.time and is_time(last.time)


def _seal_faults(readers: str, who: tuple[str, ...] | None, secret: str, hides: str, format: int) -> Iterator[Fault]:
    """Yield the faults of an audience and of the secret that protects it."""
    if who is None:
        yield secret, f"no {secret}, for everybody may know it", id_said(hides)
    elif not _SALT.fullmatch(hides):
        yield secret, f"a {secret} of 32 figures", id_said(hides) or "none"
    for one in who or ():
        if find_invisible_fault(one, now=False) or (format < FRAMED and "," in one):
            yield readers, "ids without control characters, line breaks or commas", repr(one)


def is_time(written: str) -> bool:
    """Tell whether a text is a time of a log: UTC, ISO 8601 with milliseconds."""
    if not _TIME.fullmatch(written):
        return False
    try:
        datetime.fromisoformat(written)
    except ValueError:
        return False
    return True
