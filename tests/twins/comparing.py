"""The comparison of a viewer's messages in both twins, without hashes and padding."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from affray.tools.present.fight_view import WAITING

from .inside import Answer

PROOF = re.compile(rb"(?<![0-9a-f])[0-9a-f]{16,64}(?![0-9a-f])")
"""Hashes, digests, salts and masks."""

POSITIONS = frozenset({"at", "declared", "granted", "head", "input", "judged", "position", "positions", "undone_by"})
"""Fields in which positions of the record stand, or lists of them."""

ABOUT_THE_RECORD = frozenset({"Amended", "Closed", "Previewed", "Released", "Restored", "Rewound"})
"""Events in which every number is a position."""

MANY = re.compile(r"^(One|\d+) commands? ")
"""How many commands something is about, sealed ones among them."""

SAID = re.compile(r"(\b[Pp]ositions? |@)(\d+)\b")
"""A position in a sentence, or in the id of a command that the table sent."""

DROPPED = re.compile(r"; no longer possible: [\d, ]*\d")
"""The positions of inputs that an amendment drops, as a sentence says them; which of them are sealed is no secret."""

UNCOUNTED = frozenset({"more", "hash", "commands"})
"""Fields that tell how many sealed events there are."""

SENDERS = frozenset({"who", "cause", "by"})
"""Fields of a line that tell whose command it came of; where somebody hidden is awaited first, that is another one."""


class ToldDifference(NamedTuple):
    """A message or an answer that differs.

    Attributes:
        label: What kind of thing it is.
        one, other: As each twin has it.
    """

    label: str
    one: str
    other: str


class Numbers:
    """The positions that a viewer may read in each twin, so that sealed events between them do not count.

    Attributes:
        alike: Whether as many events are sealed in both, in the same places.
    """

    def __init__(self, positions: tuple[Sequence[int], Sequence[int]], shapes: tuple[object, object]) -> None:
        self.positions = positions
        self.alike = shapes[0] == shapes[1]

    def nth(self, twin: int, position: int) -> int:
        """Return how many events a viewer may read up to a position."""
        return bisect_right(self.positions[twin], position)


COMMAND_BY_COMMAND = ("GET /api/fights/{fight}/explain/{position}", "GET /api/fights/{fight}/story", "answer to ")
"""Answers that tell of commands one by one; with another number of sealed ones between them they are not alike."""


def compare_answers(label: str, one: Answer, other: Answer, numbers: Numbers) -> ToldDifference | None:
    """Return how two answers differ, if they do: in status, header fields, their order, size or content."""
    if not numbers.alike and label.startswith(COMMAND_BY_COMMAND):
        return None
    if numbers.alike:
        heads = [
            (answer.status, *((name, bare(value.encode())) for name, value in answer.headers))
            for answer in (one, other)
        ]
        bodies = [bare(answer.body) for answer in (one, other)]
        sizes = [len(answer.body) for answer in (one, other)]
    else:
        heads = [
            (answer.status, *(pair for pair in answer.headers if pair[0] != "content-length"))
            for answer in (one, other)
        ]
        bodies = [renumber_body(answer.body, numbers, nth) for nth, answer in enumerate((one, other))]
        sizes = [0, 0]
    if heads[0] != heads[1] or sizes[0] != sizes[1] or bodies[0] != bodies[1]:
        return ToldDifference(label, *_parting(f"{heads[0]} {bodies[0]!r}", f"{heads[1]} {bodies[1]!r}"))
    return None


Event = tuple[str, str, bytes]


def compared_streams(
    one: Sequence[Event], other: Sequence[Event], numbers: Numbers, says: str = ""
) -> ToldDifference | None:
    """Return how what came over two streams differs, if it does.

    Args:
        says: The headline that both said last, before this came.
    """
    if numbers.alike:
        ours, theirs = (
            [(kind, id, bare(data)) for kind, id, data in came if not _passes(kind, data)] for came in (one, other)
        )
    else:
        ours, theirs = (list_events_told(came, numbers, nth, says) for nth, came in enumerate((one, other)))
    for first, second in zip(ours, theirs, strict=False):
        if first != second:
            return ToldDifference(_label(first, second), *_parting(repr(first), repr(second)))
    if len(ours) != len(theirs):
        longer = max(ours, theirs, key=len)
        more = longer[min(len(ours), len(theirs))]
        return ToldDifference(_label(more, more), f"{len(ours)} messages", f"{len(theirs)} messages, {more!r:.600}")
    return None


def bare(text: bytes) -> bytes:
    """Return a text with what only proves it blotted out, as long as it was."""
    return PROOF.sub(lambda found: b"#" * len(found[0]), text)


def _passes(kind: str, data: bytes) -> bool:
    """Tell whether a message depends on the moment: the headline while a hidden combatant is awaited, or who came.

    Those who come are told of together once a second.
    """
    came = kind == "present" or data.startswith(b'{"type":"present"')
    return came or (WAITS.encode() in data and b'"event"' not in data)


def renumber_body(body: bytes, numbers: Numbers, nth: int) -> bytes:
    try:
        value = msgspec.json.decode(body)
    except msgspec.DecodeError:
        return bare(body)
    return bare(msgspec.json.encode(renumber_value(value, numbers, nth)))


def renumber_value(value: Any, numbers: Numbers, nth: int, key: str = "") -> Any:
    """Return plain data without sealed events, positions counted in those that can be read."""
    match value:
        case dict():
            everything = str(value.get("type", "")) in ABOUT_THE_RECORD
            spans = "position" in value  # then "to" is where it ends
            if isinstance(value.get("dropped"), list):
                left = [one for one in value["dropped"] if one in numbers.positions[nth]]
                value = {name: one for name, one in value.items() if name != "dropped"} | (
                    {"dropped": left} if left else {}
                )
            return {
                name: renumber_value(one, numbers, nth, "position" if everything or (spans and name == "to") else name)
                for name, one in value.items()
                if name not in UNCOUNTED and not ("time" in value and name in SENDERS)
            }
        case list():
            left = _without_passed_phases([one for one in value if not _passing(one)])
            found = [renumber_value(one, numbers, nth, key) for one in left]
            says = [one.get("says") if isinstance(one, dict) and key == "headlines" else None for one in found]
            return [one for at, one in enumerate(found) if not at or says[at] is None or says[at] != says[at - 1]]
        case bool():
            return value
        case int() if key in POSITIONS:
            return numbers.nth(nth, value)
        case str():
            counted = SAID.sub(lambda found: f"{found[1]}{numbers.nth(nth, int(found[2]))}", MANY.sub("", value))
            return DROPPED.sub("", counted)
        case _:
            return value


def _passing(one: Any) -> bool:
    """Tell whether something is a sealed event, or that the game master is awaited."""
    if not isinstance(one, dict):
        return False
    return ("digest" in one and "event" not in one and "readers" in one) or one.get("says") == WAITS


def _is_phase(line: Any) -> bool:
    """Tell whether a line of the record says which phase a fight is in."""
    event = line.get("event") if isinstance(line, dict) else None
    return isinstance(event, dict) and event.get("type") == "PhaseEntered" and not event.get("item")


def _without_passed_phases(lines: Sequence[Any]) -> list[Any]:
    """Return lines with the last of phases that follow each other: the end of a concealed turn may enter some again."""
    last = len(lines) - 1
    return [one for at, one in enumerate(lines) if at == last or not (_is_phase(one) and _is_phase(lines[at + 1]))]


WAITS = WAITING[0].upper() + WAITING[1:]


def last_headline(came: Sequence[Event], says: str) -> str:
    """Return the last headline of a stream; that the game master is awaited does not count."""
    for kind, _, data in came:
        value = msgspec.json.decode(data)
        if (kind or value.get("type", "")) == "headline" and not _passing(value):
            says = value["says"]
    return says


def list_events_told(came: Sequence[Event], numbers: Numbers, nth: int, says: str) -> list[Event]:
    """Return what came, but for sealed events and what is said meanwhile; of several states only the last."""
    found: list[Event] = []
    in_phases = False
    for kind, _, data in came:
        value = msgspec.json.decode(data)
        what = kind or value.get("type", "")
        if what in ("snapshot", "present") or _passing(value) or what == "outcome" or value.get("says") == says:
            continue
        was_phase, in_phases = in_phases, _is_phase(value)
        if was_phase and in_phases:
            found.pop()
        says = value.get("says", says) if what == "headline" else says
        found.append((what, "", bare(msgspec.json.encode(renumber_value(value, numbers, nth)))))
    return found


def _label(first: Event, second: Event) -> str:
    kinds = [_kind(data) for _, _, data in (first, second)]
    return f"line {min(kinds)}" if any(kinds) else f"message {first[0] or 'over a WebSocket'}"


def _kind(data: bytes) -> str:
    try:
        value = msgspec.json.decode(data)
    except msgspec.DecodeError:
        return ""
    event = value.get("event") if isinstance(value, dict) else None
    if isinstance(event, dict):
        return str(event.get("type", ""))
    return "sealed" if isinstance(value, dict) and "readers" in value else ""


def _parting(one: str, other: str) -> tuple[str, str]:
    """Return where two texts part, with what stands around."""
    at = next((nth for nth, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[max(0, at - 300) : at + 300], other[max(0, at - 300) : at + 300]
