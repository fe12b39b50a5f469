"""Upcasters: functions that read logs in older formats.

A log's first event names the format it is written in. A change of an event's shape raises ``FORMAT`` and adds one
function here that turns the old payload into the new one. Lines on disk are never rewritten.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from .chain import FORMAT
from .consequences import ClockSet, Damaged, ItemAdded, Joined, MarkSet, PlaceSet, TraitChanged
from .declarations import Answered, Asked, Field, give_values
from .earlier import read_source, read_trait, split_clock, split_field, split_sides, split_traits, upcast_mark
from .envelope import PAYLOADS, UNREADABLE, RawRecorded, Recorded, decode_line, read_line, with_event
from .errors import Malformed, UnknownFormat
from .flow import FightEnded
from .paths import question_topic, topic_of
from .record import FightOpened, FormatRaised
from .refs import Id
from .rolls import DiceAwaited, Modifier, Rolled
from .root import Event

S = TypeVar("S", Asked, DiceAwaited)

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""A function from an event's JSON object to the next format's; it may change the type."""


def _standing_pass(old: dict[str, Any]) -> dict[str, Any]:
    """Convert a standing pass of format 1, which named its exception, to a frequency."""
    return {"type": "AskingSet", "who": old["who"], "ask": "always" if old["unless"] == "asked" else old["unless"]}


_ENDINGS = {
    "at most one side can still fight": "one_side",
    "nobody is able": "one_side",
    "one side has nobody able": "one_side",
    "only allies are able": "allies",
    "only allies can still fight": "allies",
    "no hostile sides are left": "no_enemies",
    "only one side is left": "one_side",
}
"""The words for the reasons why a fight is over, by the sentences that formats 1 to 5 wrote."""


def _ending(old: dict[str, Any]) -> dict[str, Any]:
    """Format 5 said in a sentence why a fight is over; format 6 says it in a word of the rules."""
    return {**old, "why": _ENDINGS.get(old["why"], old["why"])} if "why" in old else old


OLDEST = 1
"""The first format."""

UPCASTERS: Mapping[int, Mapping[str, Upcaster]] = {
    1: {"PassStanding": _standing_pass},
    2: {},
    3: {},
    4: {},
    5: {"FightEnded": _ending},
}
"""The upcasters of each superseded format, by event type.

Format 3 only adds event types; format 4 has another chain; format 5 has other names and keys of dice. Format 6 writes
words of the rules where format 5 wrote sentences, and structs where it wrote several things in one text. Notes of the
rules are not upcast (``engine/history/earlier_notes.py``).
"""


class PassStanding(Event, frozen=True, kw_only=True):
    """The predecessor of ``AskingSet`` in format 1."""

    who: Id
    unless: str


_CHANGED = (
    *(Answered, Asked, ClockSet, Damaged, DiceAwaited, FightEnded, ItemAdded, Joined, MarkSet, PlaceSet, Rolled),
    TraitChanged,
)
_AS_NOW = {one.__name__: one for one in _CHANGED}
"""The later changed events whose struct is still the same or holds more."""

AS_IT_WAS: Mapping[int, Mapping[str, type[Event]]] = {
    1: {PassStanding.__name__: PassStanding, **_AS_NOW},
    **dict.fromkeys(range(2, 6), _AS_NOW),
}
"""The structs of events before they changed, by format; the audit checks spelling against them."""

StructUpcaster = Callable[[Any], Event]
"""A function from a decoded event to the next format's; it returns the same event if nothing changes."""


def _features(old: ItemAdded) -> ItemAdded:
    """Format 5 held features of a thing among its traits."""
    words, features = split_traits(old.traits)
    return replace(old, traits=words, features=features) if features else old


def _upcast_joined(old: Joined) -> Joined:
    """Format 5 held features of a combatant as words."""
    traits = tuple(map(read_trait, old.traits))
    return replace(old, traits=traits) if traits != old.traits else old


def _trait(old: TraitChanged) -> TraitChanged:
    trait = read_trait(old.trait)
    return replace(old, trait=trait) if trait != old.trait else old


def _mark(old: MarkSet) -> MarkSet:
    """Format 5 held a list of ids, a struct, and the key with what the mark is about, each in one text."""
    key, about, value, parts = upcast_mark(old.key, old.value)
    changed = (key, value) != (old.key, old.value)
    return replace(old, key=key, about=about, value=value, parts=parts or old.parts) if changed else old


def _sides(old: PlaceSet) -> PlaceSet:
    """Format 5 held the traits of a hex's sides among its own, each with a number behind a colon."""
    words, sides = split_sides(old.traits)
    return replace(old, traits=words, side_traits=sides) if sides else old


def _answer(old: Answered) -> Answered:
    """Format 5 held values about combatants under their ids, with a word before it."""
    topic = question_topic(old.question)
    split = [(*split_field(topic, name), name, value) for name, value in old.fields.items()]
    if not any(about for about, *_ in split):
        return old
    plain = {name: value for about, _, name, value in split if not about}
    given = [(Field(name=name, kind="", about=about), value) for about, name, _, value in split if about]
    return give_values(replace(old, fields=plain), given)


def _question(old: Asked) -> Asked:
    """Format 5 named fields after combatants."""
    topic = topic_of(old.about)
    options = tuple([replace(one, fields=_fields(topic, one.fields)) for one in old.options])
    return _sources(old if options == old.options else replace(old, options=options))


def _fields(topic: str, fields: tuple[Field, ...]) -> tuple[Field, ...]:
    split = [(one, *split_field(topic, one.name)) for one in fields]
    return tuple([replace(one, name=name, about=about) if about else one for one, about, name in split])


def _sources(old: S) -> S:
    """Format 5 held a mark, an injury, a view or a side of a hex as the source of a number in one text."""
    sources = tuple(map(read_source, old.sources))
    return old if sources == old.sources else replace(old, sources=sources)


def _modifiers(old: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    return tuple([replace(one, source=read_source(one.source)) for one in old])


def _roll(old: Rolled) -> Rolled:
    pool, modifiers = _modifiers(old.pool), _modifiers(old.modifiers)
    return old if (pool, modifiers) == (old.pool, old.modifiers) else replace(old, pool=pool, modifiers=modifiers)


def _damage(old: Damaged) -> Damaged:
    terms = _modifiers(old.terms)
    return old if terms == old.terms else replace(old, terms=terms)


def _clock(old: ClockSet) -> ClockSet:
    """Format 5 held the owner of a clock, what it is about, and its kind in one text."""
    owner, kind, about = split_clock(old.clock)
    return replace(old, clock=kind, owner=owner, about=about) if kind != old.clock else old


STRUCT_UPCASTERS: Mapping[int, Mapping[type[Event], StructUpcaster]] = {
    5: {
        **{Answered: _answer, Asked: _question, ClockSet: _clock, Joined: _upcast_joined, TraitChanged: _trait},
        **{Damaged: _damage, DiceAwaited: _sources, Rolled: _roll},
        **{ItemAdded: _features, MarkSet: _mark, PlaceSet: _sides},
    }
}
"""The upcasters of events that the present structs can decode, by superseded format and type."""

Reader = Callable[[bytes, int], Recorded]
"""A function that decodes a line; it takes the line's number for messages."""


def choose_decoder(
    format: int, upcasters: Mapping[int, Mapping[str, Upcaster]] = UPCASTERS, to: int = FORMAT
) -> Reader:
    """Return the decoder for lines of a log in ``format``.

    Raises:
        Malformed: there never was such a format.
        UnknownFormat: the log was written by a later version.
    """
    if format == to:
        return decode_line
    if not OLDEST <= format < to:
        unknown = UnknownFormat if format > to else Malformed
        raise unknown(f"format {format} is not known here; this version reads formats {OLDEST} to {to}")

    changed = tuple([name.encode() for step in range(format, to) for name in upcasters.get(step, ())])
    retyped = {kind: change for step in range(format, to) for kind, change in STRUCT_UPCASTERS.get(step, {}).items()}

    def read_old(line: bytes, number: int) -> Recorded:
        one = read_changed(line, number) if changed else decode_line(line, number)
        change = retyped.get(type(one.event))
        if change is None or (event := change(one.event)) is one.event:
            return one
        return with_event(one, event)

    def read_changed(line: bytes, number: int) -> Recorded:
        if b"\\" not in line and not any(name in line for name in changed):
            return decode_line(line, number)
        old = read_line(line, number)
        written = bytes(old.event)
        try:
            payload = msgspec.json.decode(written)
            for step in range(format, to):
                change = upcasters.get(step, {}).get(payload["type"])
                if change is not None:
                    payload = change(payload)
                    written = msgspec.json.encode(payload)
            event = PAYLOADS.decode(written)
        except (*UNREADABLE, KeyError, TypeError) as error:
            raise Malformed(f"cannot be read as format {format}: {error}", number) from None
        return with_event(old, event)

    return read_old


def format_of(first_line: bytes) -> int:
    """Read the format that a log is written in from its first line.

    Raises:
        Malformed: the line is not the opening of a fight.
    """
    line = read_line(first_line, 1)
    try:
        opening: dict[str, Any] = msgspec.json.decode(line.event, type=dict)
        if opening.get("type") != FightOpened.__name__:
            raise Malformed(f"a log begins with FightOpened, not with {opening.get('type')}", 1)
        return int(opening["format"])
    except (*UNREADABLE, KeyError, TypeError, ValueError) as error:
        raise Malformed(f"the opening of the fight cannot be read: {error}", 1) from None


class _Raising(Struct):
    type: str
    format: int = 0


_raising = msgspec.json.Decoder(_Raising)


def format_behind(line: RawRecorded, format: int, number: int = 0) -> int:
    """Return the format of the lines that follow a line written in ``format``.

    Raises:
        Malformed, UnknownFormat: as in ``check_raise``.
    """
    written = bytes(line.event)
    if b'"format"' not in written and b"\\" not in written:
        return format
    try:
        event = _raising.decode(written)
    except UNREADABLE:
        return format  # the event's decoder refuses it
    return check_raise(event.format, format, number) if event.type == FormatRaised.__name__ else format


def check_raise(to: int, format: int, number: int = 0) -> int:
    """Check the step of a log from ``format`` to the format ``to``, and return ``to``.

    Raises:
        Malformed: the format ``to`` is not later.
        UnknownFormat: it is later than the formats known here.
    """
    if to > FORMAT:
        raise UnknownFormat(f"format {to} is not known here; this version reads formats 1 to {FORMAT}", number)
    if to <= format:
        raise Malformed(f"a log in format {format} cannot be raised to format {to}", number)
    return to
