"""The check that a line has its one spelling, so that all readers read it alike."""

import json
import re
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import fields, replace

from affray import events as facts
from affray.engine.texts import find_invisible_fault, id_said, remove_paired_marks
from affray.events import AS_IT_WAS, UNREADABLE, Event, Recorded, read_line

_S = TypeVar("_S", bound=Struct)

EXACT = 4
"""The first format that checks the spelling of ``params`` too, and forbids invisible characters."""

JOINED = 5
"""The first format whose texts may hold invisible joiners where scripts and emoji need them."""

SINCE: dict[type[Event], int] = {
    **dict.fromkeys(
        (
            facts.Amended, facts.Closed, facts.Concealed, facts.EntropyAdded, facts.Forked, facts.Previewed,
            facts.RulesetAdopted, facts.Veiled,
        ),
        3,
    ),
    **dict.fromkeys(
        (facts.AttemptRefused, facts.Attempted, facts.PlayerUndoSet, facts.UndoDeclined, facts.UndoRequested),
        5,
    ),
    facts.FoesSet: 6,
}  # fmt: skip
"""The format that introduced each newer event type; an older log is raised before it holds one."""

WITH_PARAMS = (facts.Attempted, facts.Declared, facts.Ruled, facts.Stacked)
"""The events whose parameters are recorded as they were sent."""

_encode = msgspec.json.Encoder().encode


def is_older(kind: type[Event], format: int) -> bool:
    """Tell whether a format is older than an event type."""
    return SINCE.get(kind, 1) > format


NOTED = 6
"""The first format that holds a note of the rules as a kind with parts; earlier ones held it as a text."""


def note_fault(note: facts.Noted, format: int) -> tuple[str, str] | None:
    """Return a note's deviation from its format: the expected and the found form."""
    by_rules = "a text with clauses" if format < NOTED else "a kind with parts"
    if format >= NOTED and note.rules and not note.kind:
        return f"a note of the rules as {by_rules}", "a text with clauses"
    if note.kind and (format < NOTED or note.text or not note.rules):
        return f"words, or a note of the rules as {by_rules}", f"the kind {id_said(note.kind)}"
    return None


def spelling_fault(line: bytes, one: Recorded, format: int) -> tuple[str, str] | None:
    """Return the expected and the found spelling of a line; ``None`` if it is right.

    Args:
        one: The decoded line.
    """
    try:
        due = _encode(one)
        if due != line or _perhaps(line, one.event):
            fault = _line_fault(line, due, one, format)
            if fault is not None:
                return fault
        return _params_fault(bytes(one.event.params), format) if isinstance(one.event, WITH_PARAMS) else None
    except (*UNREADABLE, ValueError) as error:  # a number may have more digits than Python's own decoder reads
        return "one JSON value", str(error)


def _perhaps(line: bytes, event: Event) -> bool:
    """Tell whether a line needs the slow check of its spelling; most do not."""
    if not line.isascii() or b"\\" in line or b"\x7f" in line:
        return True
    texts = _SPELT_OUT.get(type(event))
    return texts is not None and any(text in line for text in texts)


_SPELT_OUT: dict[type[Event], tuple[bytes, ...]] = {
    facts.Attempted: (b'"manner":"standard"',),
    facts.Declared: (b'"manner":"standard"',),
    facts.DiceAwaited: (b'"kind":"die"',),
    facts.Rolled: (b'"reading":"sum"', b'"source":"engine"', b'"kind":"die"'),
}
"""The bytes of fields that must be left out because they have their default."""


def _line_fault(line: bytes, due: bytes, one: Recorded, format: int) -> tuple[str, str] | None:
    """Return the fault of a line, without its parameters."""
    if due == line:
        due = _encode(replace(one, event=_with_defaults(one.event)))
    if due != line and not _is_as_it_was(line, format):
        return "the line as we write it", _parting(due, line)
    if format >= EXACT and (fault := _unseen(line, joined=format >= JOINED)):
        return "texts that can be seen", fault
    return None


def _params_fault(params: bytes, format: int) -> tuple[str, str] | None:
    """Return the fault of the parameters.

    Older formats hold them in any spelling.
    """
    due = _encode(msgspec.json.decode(params))
    if due == params:
        return None
    if format >= EXACT:
        return "parameters as we write them", _parting(due, params)
    try:
        json.loads(params, object_pairs_hook=_no_key_twice)
    except _KeyTwice as twice:
        return "no key twice", f"the key {twice} twice"
    return None


def _is_as_it_was(line: bytes, format: int) -> bool:
    """Tell whether a line is the right spelling of an event in an old form."""
    written = read_line(line)
    kind = AS_IT_WAS.get(format, {}).get(str(msgspec.json.decode(written.event).get("type")))
    if kind is None:
        return False
    then = Raw(_encode(_with_defaults(msgspec.json.decode(written.event, type=kind))))
    return _encode(replace(written, event=then)) == line


_ESCAPED = re.compile(rb"(?<!\\)(?:\\\\)*\\[^\"\\]")
"""The escape of a control character."""


def _unseen(line: bytes, *, joined: bool) -> str:
    """Return the characters in a line's texts that no input accepts."""
    if b"\\" in line and _ESCAPED.search(line):
        return "a control character or a line break"
    return (
        ""
        if line.isascii() and b"\x7f" not in line
        else find_invisible_fault(remove_paired_marks(line.decode()), now=False, joined=joined)
    )


_DEFAULTS: dict[type[Struct], dict[str, str]] = {
    kind: {one.name: one.default for one in fields(kind) if isinstance(one.default, str)}
    for kind in (facts.Attempted, facts.Declared, facts.Rolled, facts.Dice, facts.Faces)
}


def _with_defaults(said: _S) -> _S:
    """Replace texts equal to a default by the default itself.

    The encoder leaves out a field only if it holds the very same object.
    """
    changes: dict[str, Any] = {
        name: default for name, default in _DEFAULTS.get(type(said), {}).items() if getattr(said, name) == default
    }
    if isinstance(dice := getattr(said, "dice", None), tuple):
        changes["dice"] = tuple(map(_with_defaults, dice))
    return replace(said, **changes)


class _KeyTwice(Exception):
    """An object has a key twice."""


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _KeyTwice(key)
        found[key] = value
    return found


WIDE = 20
"""The number of bytes shown around the first one that differs."""


def _parting(due: bytes, line: bytes) -> str:
    at = next((at for at, (one, other) in enumerate(zip(due, line, strict=False)) if one != other), len(due))
    shown = line[max(0, at - WIDE) : at + WIDE].decode(errors="replace")
    return f"another spelling from byte {at + 1} on: …{shown}…"
