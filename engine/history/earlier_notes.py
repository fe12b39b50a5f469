"""Notes of the rules in logs up to format 5, which held them as texts.

They cannot be upcast line by line: what a text says depends on the rule system's vocabulary. An audit compares that
text with the text of the note that the present rules make. The story parses it.
"""

import re
from collections.abc import Container, Mapping, Sequence
from functools import cache

from affray.engine.core.sentences import Part, fill_in, groups
from affray.engine.core.words import NoteWord
from affray.events import Clause, Event, Id, Noted, Scalar


def write_text(note: NoteWord, parts: Mapping[str, Scalar | tuple[str, ...]], names: Mapping[Id, str]) -> str:
    """Return a note as scenarios and logs up to format 5 write it.

    Args:
        note: Its kind.
        parts: Its parts.
        names: The names of combatants and items.
    """

    def write_part(part: Part) -> str | None:
        value = parts.get(part.name)
        if part.yes is not None or value is None:
            return part.yes if value else part.no
        text = str(value)
        return names.get(text, text) if part.how == "name" else text

    return fill_in(note.written, write_part)


def is_text_of_rules(event: Event) -> bool:
    """Tell whether an event is a note of the rules as formats up to 5 held it."""
    return isinstance(event, Noted) and bool(event.text and event.rules)


def is_as_recorded(due: Event | None, recorded: Event, notes: Mapping[str, NoteWord], names: Mapping[Id, str]) -> bool:
    """Tell whether a recorded event is the text that an earlier format held of a note of the rules."""
    if not isinstance(due, Noted) or not isinstance(recorded, Noted) or recorded.kind or due.rules != recorded.rules:
        return False
    return due.kind in notes and write_text(notes[due.kind], due.parts, names) == recorded.text


def write_as_recorded(
    events: Sequence[Event], recorded: Sequence[Event], notes: Mapping[str, NoteWord], names: Mapping[Id, str]
) -> list[Event]:
    """Return events with each note of the rules as the text that a record of an earlier format holds of it.

    Args:
        events: The events that the rules decide now.
        recorded: The events of the record.
        notes: The kinds of notes.
        names: The names of combatants and items.
    """
    texts = {(one.text, one.rules) for one in recorded if isinstance(one, Noted) and is_text_of_rules(one)}
    return [_write_as_one_of(texts, one, notes, names) for one in events] if texts else [*events]


def _write_as_one_of(
    texts: Container[tuple[str, tuple[Clause, ...]]],
    event: Event,
    notes: Mapping[str, NoteWord],
    names: Mapping[Id, str],
) -> Event:
    if not isinstance(event, Noted) or event.kind not in notes:
        return event
    text = write_text(notes[event.kind], event.parts, names)
    return Noted(text=text, rules=event.rules) if (text, event.rules) in texts else event


def read_text(event: Noted, notes: Mapping[str, NoteWord], known: Container[Id]) -> Noted:
    """Parse a note that an earlier format held as a text; return other events unchanged.

    Args:
        event: A note of the rules, which cites clauses. The clauses of a kind are listed where it is declared.
        notes: The kinds of notes.
        known: The ids of the combatants.
    """
    for kind, note in notes.items():
        found = None if {*note.rules}.isdisjoint(event.rules) else _pattern(note.written).fullmatch(event.text)
        if found is not None:
            parts = _parts(note, found.groupdict())
            if all(part in known for name, part in parts.items() if note.parts[name] == "combatant"):
                return Noted(kind=kind, parts=parts, rules=event.rules)
    return event


def _parts(note: NoteWord, found: Mapping[str, str | None]) -> dict[str, Scalar | tuple[str, ...]]:
    yes = {one.name: one.yes for group in groups(note.written) for one in group.pieces if isinstance(one, Part)}
    return {name: text if yes[name] is None else text == yes[name] for name, text in found.items() if text is not None}


@cache
def _pattern(written: str) -> re.Pattern[str]:
    """Return what a text of a note looks like."""

    def part(one: Part) -> str:
        options = ".+?" if one.yes is None else "|".join(re.escape(text or "") for text in (one.yes, one.no))
        return f"(?P<{one.name}>{options})"

    whole = ""
    for group in groups(written):
        text = "".join([re.escape(one) if isinstance(one, str) else part(one) for one in group.pieces])
        whole += f"(?:{text})?" if group.optional else text
    return re.compile(whole)
