"""The outcome of a command as short lines in one stable notation, for scenarios.

A pending action is named by what was said: ``captain skill lunge ilse``. Numbers that move are written
``captain health 12 > 10``. Book-keeping that only the engine needs has no line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from affray import events as facts
from affray.engine.core.state import Pending
from affray.events import Clause, Damaged, Event, Faces, Id, Judged, Modifier, Rolled, topic_of

from .plain import PLAIN


class OutcomeLine(Struct, frozen=True):
    """A line, and the clauses that the event behind it cites."""

    text: str
    clauses: frozenset[Clause] = frozenset()


class Context(Struct):
    """What the lines of one command need to know of each other.

    Attributes:
        names: How each pending action is called, by its id.
        stack: The ids of what is pending at this point.
        judged: What each roll of the command came to.
        rolled: The rolls of the command.
    """

    names: dict[Id, str]
    stack: list[Id]
    judged: dict[Id, Judged]
    rolled: frozenset[Id]


DETAILS: dict[str, type[Event]] = {"phases": facts.PhaseEntered, "marks": facts.MarkSet, "resolved": facts.Resolved}
"""Book-keeping that is written only for those who ask for it."""


def lines(stack: Sequence[Pending], events: Sequence[Event], details: Iterable[str] = ()) -> list[OutcomeLine]:
    """Return what a command did, line by line.

    Args:
        stack: What was pending before.
        events: What the command recorded.
        details: Which of the ``DETAILS`` to write too.
    """
    context = Context(
        {one.id: name_of(one.actor, one.kind, one.params) for one in stack},
        [one.id for one in stack],
        {event.roll: event for event in events if isinstance(event, Judged)},
        frozenset(event.roll for event in events if isinstance(event, Rolled)),
    )
    left_out = {kind for name, kind in DETAILS.items() if name not in details}
    written = [(type(event), text_of(event, context), clauses_of(event, context)) for event in events]
    return [OutcomeLine(text, clauses) for kind, text, clauses in written if text and kind not in left_out]


def text_of(event: Event, context: Context) -> str:
    """Return the line for an event, or nothing if it has none."""
    if type(event) in PLAIN:
        return PLAIN[type(event)].format(event)
    writer = WRITERS.get(type(event))
    return writer(event, context) if writer else ""


def clauses_of(event: Event, context: Context) -> frozenset[Clause]:
    """Return every clause an event cites: its own, those of its modifiers, and for a roll that of its outcome."""
    found = set(event.rules)
    if isinstance(event, Rolled):
        found |= {one.rule for one in (*event.pool, *event.modifiers) if one.rule}
        found |= set(context.judged[event.roll].rules) if event.roll in context.judged else set()
    if isinstance(event, Damaged):
        found |= {one.rule for one in event.terms if one.rule}
    return frozenset(found)


def name_of(actor: Id, kind: str, params: Raw) -> str:
    """Name an action by what was said: who, what, and its parameters, the one of its own name first.

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


def _order(event: facts.OrderSet, context: Context) -> str:
    slots = (
        f"{slot.id if slot.members == (slot.id,) else f'{slot.id} ({_all(slot.members)})'} {slot.score}"
        for slot in event.slots
    )
    return "order " + (", ".join(slots) or "nobody")


def _turn(event: facts.TurnBegan, context: Context) -> str:
    return f"turn {event.slot}" + ("" if event.members == (event.slot,) else f" ({_all(event.members)})")


def _opened(event: facts.WindowOpened, context: Context) -> str:
    about = context.names.get(event.about)
    return f"window {event.what} {_all(event.to)}" + (f" on {about}" if about else "")


def _declined(event: facts.OfferDeclined, context: Context) -> str:
    return f"{event.who} stands back" if event.standing else ""


def _closed(event: facts.WindowClosed, context: Context) -> str:
    return f"window closed before {_all(event.expired)} answered" if event.how == "ruled" else ""


def _ended(event: facts.FightEnded, context: Context) -> str:
    return f"fight over, victors {event.victors or 'nobody'}: {event.why}"


def _phase(event: facts.PhaseEntered, context: Context) -> str:
    about = context.names.get(event.item)
    return f"{event.trigger} > {event.phase}" + (f" of {about}" if about else "")


# --- the stack and its questions ---


def _stacked(event: facts.Stacked, context: Context) -> str:
    context.names[event.item] = name_of(event.actor, event.kind, event.params)
    context.stack.insert(event.at, event.item)
    return "stack " + ", ".join(context.names[item] for item in context.stack)


def _resolved(event: facts.Resolved, context: Context) -> str:
    context.stack.remove(event.item)
    return f"{context.names[event.item]} resolved"


def _fizzled(event: facts.Fizzled, context: Context) -> str:
    context.stack.remove(event.item)
    return f"{context.names[event.item]} fizzles, {event.code}"


def _dropped(event: facts.Dropped, context: Context) -> str:
    context.stack.remove(event.item)
    return f"{context.names[event.item]} dropped, {event.why}"


def _asked(event: facts.Asked, context: Context) -> str:
    options = []
    for option in event.options:
        fields = ", ".join(
            f"{one.name} {one.low} to {one.high}" if one.kind == "int" else one.name for one in option.fields
        )
        options.append(f"{option.choice} ({fields})" if fields else option.choice)
    return f"asks {_all(event.of)} {topic_of(event.about)}: {', '.join(options)}"


# --- dice and damage ---


def _rolled(event: Rolled, context: Context) -> str:
    thrown = (f"d{group.sides}={'+'.join(map(str, group.faces))}{_fate(group)}" for group in event.dice)
    words = [event.by, topic_of(event.purpose), *terms(event.pool), *thrown, *terms(event.modifiers)]
    if event.modifiers or event.reading != "sum" or sum(len(group.counted) for group in event.dice) != 1:
        words.append(f"= {event.total}")
    if event.against is not None:
        words.append(f"vs {event.against}")
    if event.roll in context.judged:
        words.append(context.judged[event.roll].outcome)
    return " ".join(words) + (", entered" if event.source == "entered" else "")


def _judged(event: Judged, context: Context) -> str:
    """Say what a roll of an earlier command came to, once that is known; the line of a roll tells it otherwise."""
    if event.roll in context.rolled:
        return ""
    what, _, owner = event.roll.rpartition("/")[2].partition("#")[0].partition(":")
    return f"{owner or event.roll.split('/')[1]} {what} {event.outcome}"


def _fate(group: Faces) -> str:
    """Say of a group which of its dice counts, or that it lay there already."""
    if not group.thrown:
        return " held"
    return f" keep {group.counted[0]}" if group.fates else ""


def _awaited(event: facts.DiceAwaited, context: Context) -> str:
    wanted = " ".join(f"{one.count}d{one.sides}" for one in event.dice)
    return f"awaits {event.by} {topic_of(event.purpose)} {wanted}"


def _damaged(event: Damaged, context: Context) -> str:
    return " ".join((event.who, "damage", *terms(event.terms), f"= {event.amount}"))


def terms(modifiers: Iterable[Modifier]) -> list[str]:
    """Return what is added, each with its sign and label."""
    return [f"{one.value:+d} ({one.label})" for one in modifiers]


# --- combatants, things, places ---


def _trait(event: facts.TraitChanged, context: Context) -> str:
    return f"{event.who} {'is' if event.present else 'is not'} {event.trait}"


def _veiled(event: facts.Veiled, context: Context) -> str:
    pools = ", ".join(f"{pool}/{whole}" for pool, whole in event.pools.items())
    return f"{event.who} veiled: {pools or 'nothing'}"


def _released(event: facts.Released, context: Context) -> str:
    return f"words released: {', '.join(map(str, event.positions)) or 'all'}"


def _condition(event: facts.ConditionChanged, context: Context) -> str:
    source = f" from {event.source}" if event.source else ""
    return f"{event.who} {event.condition} {event.before} > {event.after}{source}"


def _moved(event: facts.Moved, context: Context) -> str:
    if not event.after:
        return f"{event.who} moves {event.before} > away" if event.before else f"{event.who} moves, cost {event.cost}"
    way = f" by {_all(event.path[:-1])}" if len(event.path) > 1 else ""
    return f"{event.who} moves {event.before or 'away'} > {event.after}{way}, cost {event.cost}"


def _handed(event: facts.ItemMoved, context: Context) -> str:
    whose = "" if not event.owner or event.item.startswith(f"{event.owner}.") else f" of {event.owner}"
    return f"{event.item} {event.before or 'away'} > {event.after or 'away'}{whose}"


def _distance(event: facts.DistanceSet, context: Context) -> str:
    return f"distance {_all(event.pair)} {'?' if event.before is None else event.before} > {event.after}"


def _place(event: facts.PlaceSet, context: Context) -> str:
    return f"place {event.place} {' '.join(event.traits) or 'ordinary'}"


def _relation(event: facts.RelationSet, context: Context) -> str:
    return f"{event.kind} {event.relation}: {_all(one.who for one in event.members)}"


def _all(names: Iterable[str]) -> str:
    return " ".join(names) or "nobody"


WRITERS: dict[type[Event], Callable[[Any, Context], str]] = {
    facts.Asked: _asked,
    facts.ConditionChanged: _condition,
    facts.Damaged: _damaged,
    facts.DiceAwaited: _awaited,
    facts.DistanceSet: _distance,
    facts.Dropped: _dropped,
    facts.FightEnded: _ended,
    facts.Fizzled: _fizzled,
    facts.ItemMoved: _handed,
    facts.Judged: _judged,
    facts.Moved: _moved,
    facts.OfferDeclined: _declined,
    facts.OrderSet: _order,
    facts.PhaseEntered: _phase,
    facts.PlaceSet: _place,
    facts.RelationSet: _relation,
    facts.Released: _released,
    facts.Resolved: _resolved,
    facts.Rolled: _rolled,
    facts.Stacked: _stacked,
    facts.TraitChanged: _trait,
    facts.Veiled: _veiled,
    facts.TurnBegan: _turn,
    facts.WindowClosed: _closed,
    facts.WindowOpened: _opened,
}
"""The lines that take a word more. An event in neither table is an input or an outcome told elsewhere."""
