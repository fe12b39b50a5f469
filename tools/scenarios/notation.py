"""The outcome of a command as short lines in one stable notation, for scenarios.

A pending action is named by its declaration: ``captain skill lunge ilse``. Changed numbers are written ``captain health
12 > 10``. Book-keeping of the engine has no line.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Raw, Struct

from affray import events as facts
from affray.engine.core.loading import load
from affray.engine.core.state import Place, State
from affray.engine.core.words import NoteWord
from affray.engine.history.earlier_notes import write_text
from affray.engine.history.snapshots import names_by_id
from affray.events import (
    Clause,
    Damaged,
    Event,
    Faces,
    Id,
    Judged,
    MarkPart,
    Modifier,
    Rolled,
    about_of,
    name_of_path,
    topic_of,
)  # fmt: skip
from affray.tools.parse.typed_names import name_fields
from affray.tools.present.story.words import ByEvent

from .plain import PLAIN


class OutcomeLine(Struct, frozen=True):
    """A line, and the clauses that its event cites."""

    text: str
    clauses: frozenset[Clause] = frozenset()


class Context(Struct):
    """Facts shared by the lines of one command.

    Attributes:
        names: The text for each pending action, by its id.
        stack: The ids of the pending actions, at this point.
        judged: The outcome of each roll of the command, by roll id.
        rolled: The rolls of the command.
        notes: The kinds of notes of the rules.
        things: The names of combatants and items before the command, by id.
    """

    names: dict[Id, str]
    stack: list[Id]
    judged: dict[Id, Judged]
    rolled: frozenset[Id]
    notes: Mapping[str, NoteWord] = {}
    things: Mapping[Id, str] = {}


DETAILS: dict[str, type[Event]] = {"phases": facts.PhaseEntered, "marks": facts.MarkSet, "resolved": facts.Resolved}
"""Book-keeping events that are written only on request."""

WRITERS = ByEvent[Context]()
"""The functions for lines that ``PLAIN`` cannot express. An event in neither table has no line of its own, or is an
input."""

WRITERS.tell(facts.OfferDeclined, lambda event, context: f"{event.who} stands back" if event.standing else "")
WRITERS.tell(
    facts.FightEnded,
    lambda event, context: f"fight over, victors {', '.join((event.victors or 'nobody', *event.allies))}: {event.why}",
)
WRITERS.tell(
    facts.Damaged, lambda event, context: " ".join((event.who, "damage", *term_texts(event.terms), f"= {event.amount}"))
)
WRITERS.tell(
    facts.TraitChanged,
    lambda event, context: f"{event.who} {'is' if event.present else 'is not'} {_write_trait(event)}",
)
WRITERS.tell(facts.Released, lambda event, context: f"words released: {', '.join(map(str, event.positions)) or 'all'}")
WRITERS.tell(
    facts.PlaceSet, lambda event, context: f"place {event.place} {' '.join(list_place_traits(event)) or 'ordinary'}"
)
WRITERS.tell(
    facts.MarkSet,
    lambda event, context: f"mark {event.owner} {name_mark(event.key, event.about)} {_write_value(event)}",
)
WRITERS.tell(
    facts.ClockSet,
    lambda event, context: f"clock {name_clock(event.owner, event.clock, event.about)} {event.before} > {event.after}",
)
WRITERS.tell(
    facts.RelationSet, lambda event, context: f"{event.kind} {event.relation}: {_all(one.who for one in event.members)}"
)


def name_clock(owner: str, clock: str, about: str) -> str:
    """Return a clock as scenarios call it."""
    return "/".join([one for one in (owner, about, clock) if one])


def name_mark(key: str, about: str) -> str:
    """Return a mark as scenarios call it."""
    return f"{key}/{about}" if about else key


def _write_trait(event: facts.TraitChanged) -> str:
    return event.trait if isinstance(event.trait, str) else f"{event.trait.kind} {event.trait.of}"


def _write_value(event: facts.MarkSet) -> str:
    """Return the value of a mark, or the fields of its struct; lists as a command has them."""
    parts = {name: _write_part(part) for name, part in event.parts.items()}
    value = ";".join(event.value) if isinstance(event.value, tuple) else str(event.value)
    return " ".join([f"{name}={part}" for name, part in parts.items()]) or value


def _write_part(part: MarkPart) -> object:
    """Return a field of the struct of a mark; a struct in it as JSON."""
    if not isinstance(part, tuple):
        return part
    return ";".join([one if isinstance(one, str) else msgspec.json.encode(one).decode() for one in part])


def outcome_lines(state: State, events: Sequence[Event], details: Iterable[str] = ()) -> list[OutcomeLine]:
    """List the outcome of a command, line by line.

    Args:
        state: The fight before the command.
        events: The events of the command.
        details: The names in ``DETAILS`` of the events to write too.
    """
    context = Context(
        {one.id: action_name(one.actor, one.kind, one.params) for one in state.stack},
        [one.id for one in state.stack],
        {event.roll: event for event in events if isinstance(event, Judged)},
        frozenset(event.roll for event in events if isinstance(event, Rolled)),
        load(state.system).vocabulary.notes if state.system else {},
        names_by_id(state),
    )
    left_out = {kind for name, kind in DETAILS.items() if name not in details}
    written = [(type(event), line_text_of(event, context), clauses_of(event, context)) for event in events]
    return [OutcomeLine(text, clauses) for kind, text, clauses in written if text and kind not in left_out]


def line_text_of(event: Event, context: Context) -> str:
    """Return the line for an event; ``None`` if it has none."""
    if type(event) in PLAIN:
        return PLAIN[type(event)].format(event)
    writer = WRITERS.get(type(event))
    return writer(event, context) if writer else ""


def clauses_of(event: Event, context: Context) -> frozenset[Clause]:
    """Return every clause an event cites: its own, its modifiers', a roll's outcome's."""
    found = set(event.rules)
    if isinstance(event, Rolled):
        found |= {one.rule for one in (*event.pool, *event.modifiers) if one.rule}
        found |= set(context.judged[event.roll].rules) if event.roll in context.judged else set()
    if isinstance(event, Damaged):
        found |= {one.rule for one in event.terms if one.rule}
    return frozenset(found)


def action_name(actor: Id, kind: str, params: Raw) -> str:
    """Name an action by actor, kind and parameters; first the parameter of that name.

    Numbers keep their names.
    """
    words = [actor, kind]
    for key, value in sorted(msgspec.json.decode(params).items(), key=lambda one: one[0] != kind):
        if isinstance(value, str):
            words.append(value)
        elif isinstance(value, list):
            words.append(";".join(str(one) for one in value))
        else:
            words.append(f"{key}={str(value).lower()}")
    return " ".join(words)


# --- the course of the fight ---


@WRITERS.tells(facts.OrderSet)
def _(event: facts.OrderSet, context: Context) -> str:
    slots = (
        f"{slot.id if slot.members == (slot.id,) else f'{slot.id} ({_all(slot.members)})'} {slot.score}"
        for slot in event.slots
    )
    return "order " + (", ".join(slots) or "nobody")


@WRITERS.tells(facts.TurnBegan)
def _(event: facts.TurnBegan, context: Context) -> str:
    return f"turn {event.slot}" + ("" if event.members == (event.slot,) else f" ({_all(event.members)})")


@WRITERS.tells(facts.WindowOpened)
def _(event: facts.WindowOpened, context: Context) -> str:
    about = context.names.get(event.about)
    return f"window {event.what} {_all(event.to)}" + (f" on {about}" if about else "")


@WRITERS.tells(facts.WindowClosed)
def _(event: facts.WindowClosed, context: Context) -> str:
    return f"window closed before {_all(event.expired)} answered" if event.how == "ruled" else ""


@WRITERS.tells(facts.PhaseEntered)
def _(event: facts.PhaseEntered, context: Context) -> str:
    about = context.names.get(event.item)
    return f"{event.trigger} > {event.phase}" + (f" of {about}" if about else "")


# --- the stack and its questions ---


@WRITERS.tells(facts.Stacked)
def _(event: facts.Stacked, context: Context) -> str:
    context.names[event.item] = action_name(event.actor, event.kind, event.params)
    context.stack.insert(event.at, event.item)
    return "stack " + ", ".join(context.names[item] for item in context.stack)


@WRITERS.tells(facts.Resolved)
def _(event: facts.Resolved, context: Context) -> str:
    context.stack.remove(event.item)
    return f"{context.names[event.item]} resolved"


@WRITERS.tells(facts.Fizzled)
def _(event: facts.Fizzled, context: Context) -> str:
    context.stack.remove(event.item)
    return f"{context.names[event.item]} fizzles, {event.code}"


@WRITERS.tells(facts.Dropped)
def _(event: facts.Dropped, context: Context) -> str:
    context.stack.remove(event.item)
    return f"{context.names[event.item]} dropped, {event.why}"


@WRITERS.tells(facts.Asked)
def _(event: facts.Asked, context: Context) -> str:
    options = []
    for option in event.options:
        fields = ", ".join(
            f"{name} {one.low} to {one.high}" if one.kind == "int" else name
            for name, one in name_fields(option).items()
        )
        options.append(f"{option.choice} ({fields})" if fields else option.choice)
    return f"asks {_all(event.of)} {topic_of(event.about)}: {', '.join(options)}"


# --- dice and damage ---


@WRITERS.tells(facts.Rolled)
def _(event: Rolled, context: Context) -> str:
    thrown = (f"d{group.sides}={'+'.join(map(str, group.faces))}{_fate(group)}" for group in event.dice)
    words = [event.by, topic_of(event.purpose), *term_texts(event.pool), *thrown, *term_texts(event.modifiers)]
    if event.modifiers or event.reading != "sum" or sum(len(group.counted) for group in event.dice) != 1:
        words.append(f"= {event.total}")
    if event.against is not None:
        words.append(f"vs {event.against}")
    if event.roll in context.judged:
        words.append(outcome_of(context.judged[event.roll]))
    return " ".join(words) + (", entered" if event.source == "entered" else "")


@WRITERS.tells(facts.Judged)
def _(event: Judged, context: Context) -> str:
    """Write the outcome of an earlier command's roll; the roll's line has the others."""
    if event.roll in context.rolled:
        return ""
    name = name_of_path(event.roll)
    return f"{about_of(name) or event.roll.split('/')[1]} {topic_of(name)} {outcome_of(event)}"


def outcome_of(event: Judged) -> str:
    """Return a roll's outcome, and the dice's own if a verdict differs."""
    return f"{event.outcome} ({event.rolled} rolled)" if event.rolled else event.outcome


def _fate(group: Faces) -> str:
    """Mark the dice of a group that count, or that were rolled earlier."""
    if not group.thrown:
        return " held"
    return f" keep {group.counted[0]}" if group.fates else ""


@WRITERS.tells(facts.DiceAwaited)
def _(event: facts.DiceAwaited, context: Context) -> str:
    wanted = " ".join(f"{one.count}d{one.sides}" for one in event.dice)
    return f"awaits {event.by} {topic_of(event.purpose)} {wanted}"


def term_texts(modifiers: Iterable[Modifier]) -> list[str]:
    """List the modifiers, each with sign and label."""
    return [f"{one.value:+d} ({one.label})" for one in modifiers]


# --- combatants, things, places ---


def list_place_traits(place: facts.PlaceSet | Place) -> tuple[str, ...]:
    """Return the traits of a place, and those of its sides with the number of the side."""
    return (*place.traits, *[f"{one.trait} at side {one.side}" for one in place.side_traits])


@WRITERS.tells(facts.Veiled)
def _(event: facts.Veiled, context: Context) -> str:
    pools = ", ".join(f"{pool}/{whole}" for pool, whole in event.pools.items())
    return f"{event.who} veiled: {pools or 'nothing'}"


@WRITERS.tells(facts.FoesSet)
def _(event: facts.FoesSet, context: Context) -> str:
    return f"foes {event.show}, heroes: {', '.join(event.heroes) or 'none'}"


@WRITERS.tells(facts.ConditionChanged)
def _(event: facts.ConditionChanged, context: Context) -> str:
    source = f" from {event.source}" if event.source else ""
    return f"{event.who} {event.condition} {event.before} > {event.after}{source}{_until(event.ends)}"


def _until(ending: facts.Ending | None) -> str:
    """Return when a condition ends: ``until end of round 3``, ``until end of own turn in round 3``."""
    if ending is None or not ending.round:
        return f" until {ending.moment}" if ending else ""
    return f" until {ending.moment}{'' if ending.moment == 'end of round' else ' in round'} {ending.round}"


@WRITERS.tells(facts.Noted)
def _(event: facts.Noted, context: Context) -> str:
    note = context.notes.get(event.kind)
    return f"note: {event.text if note is None else write_text(note, event.parts, context.things)}"


@WRITERS.tells(facts.Moved)
def _(event: facts.Moved, context: Context) -> str:
    if not event.after:
        return f"{event.who} moves {event.before} > away" if event.before else f"{event.who} moves, cost {event.cost}"
    way = f" by {_all(event.path[:-1])}" if len(event.path) > 1 else ""
    return f"{event.who} moves {event.before or 'away'} > {event.after}{way}, cost {event.cost}"


@WRITERS.tells(facts.ItemMoved)
def _(event: facts.ItemMoved, context: Context) -> str:
    whose = "" if not event.owner or event.item.startswith(f"{event.owner}.") else f" of {event.owner}"
    return f"{event.item} {event.before or 'away'} > {event.after or 'away'}{whose}"


@WRITERS.tells(facts.DistanceSet)
def _(event: facts.DistanceSet, context: Context) -> str:
    return f"distance {_all(event.pair)} {'?' if event.before is None else event.before} > {event.after}"


def _all(names: Iterable[str]) -> str:
    return " ".join(names) or "nobody"
