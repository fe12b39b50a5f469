"""A side's decision in small choices: actor, action, fields, up to a command."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import UNSET

from affray.engine.analysis.policies import DecidesFor, OpenChoice, Playable, list_open_choices
from affray.engine.core.actions import Action
from affray.engine.core.groups.fighter import first_value
from affray.engine.errors import Refused, Unusable
from affray.engine.runtime.offer_tree import Offers
from affray.engine.runtime.offers import OpenPass, OpenQuestion
from affray.events import Answered, Event, Field, Id, Option, Scalar, give_values
from affray.tools.parse.typed_names import name_fields

About = Literal["who", "action", "field", "option", "pass", "further"]
"""Subject of a choice: actor, action, value of a field, option of an answer, a pass, or the next page."""


class Choice(NamedTuple):
    """A possible choice.

    Attributes:
        about: Subject of the choice.
        who: Id of the combatant.
        kind: Name of the action or of the option.
        field: Name of the field.
        names: Kind of object that the value names, such as ``combatant``; empty for numbers and booleans.
        value: Value as it is recorded.
        nth: Index of the choice, from 0.
    """

    about: About
    who: Id = ""
    kind: str = ""
    field: str = ""
    names: str = ""
    value: Any = None
    nth: int = 0


class Decision(NamedTuple):
    """A decision: its input, if any, and what to strike out if it is refused."""

    intent: Event | None
    chosen: Struck


class Open(NamedTuple):
    """A combatant's options at a moment: the way, and the names of actions or options."""

    way: OpenChoice
    whats: list[str]


Struck = tuple[Id, str, str]
"""Actor, manner and action or option that turned out to be impossible."""

Choosing = Generator[list[Choice], int, Decision]
"""Yields the possible choices, receives the index of one, and returns the decision."""

FURTHER = Choice("further")


def choosing(found: Sequence[Open], among: DecidesFor, most: int) -> Choosing:
    """Ask for a decision in small choices. A choice with one option is automatic.

    Args:
        found: The open ways. The fight may not change until the decision is made.
        among: Tells whether a combatant decides.
        most: The most choices at a time. If there are more, the last one leads to the next page.
    """
    choices = [_who(way, nth) for nth, (way, _) in enumerate(found)]
    way, whats = found[(yield from _pick(choices, most))]
    match way:
        case Offers():
            return (yield from _action(way, whats, most))
        case OpenQuestion():
            return (yield from _answer(way, whats, next(filter(among, way.of)), most))
        case OpenPass():
            return Decision(way.intent, (way.intent.who, "", "pass"))
        case _:
            raise Unusable("dice that are entered by hand cannot be played here", "dice")


def possible(fight: Playable, among: DecidesFor, struck: Collection[Struck]) -> Iterator[Open]:
    """Yield the open ways of some combatants, without the struck-out choices."""
    for way in list_open_choices(fight, among):
        match way:
            case Offers():
                kinds = [form.kind for form in way.forms if (way.actor, way.manner, form.kind) not in struck]
                whats = [kind for kind in kinds if way.first(kind, iter) is not None]
            case OpenQuestion():
                whats = [one.choice for one in way.options if ("", "", one.choice) not in struck]
            case _:
                whats = ["pass"]
        if whats:
            yield Open(way, whats)


def _who(way: OpenChoice, nth: int) -> Choice:
    """Build the choice of an actor or of a pass."""
    match way:
        case Offers():
            return Choice("who", way.actor, way.manner, nth=nth)
        case OpenPass():
            return Choice("pass", way.intent.who, nth=nth)
        case OpenQuestion():
            return Choice("who", way.of[0], nth=nth)
        case _:
            return Choice("who", way.by, nth=nth)


def _pick(choices: Sequence[Choice], most: int) -> Generator[list[Choice], int, int]:
    """Ask for one of some choices, in pages if there are many; return its index."""
    if len(choices) == 1:
        return 0
    first = 0
    while True:
        if len(choices) <= most:
            return (yield list(choices))
        page = choices[first : first + most - 1]
        picked = yield [*page, FURTHER]
        if picked < len(page):
            return first + picked
        first = first + most - 1 if first + most - 1 < len(choices) else 0


def _action(way: Offers, kinds: Sequence[str], most: int) -> Choosing:
    """Ask for an action, and for each of its fields with several values."""
    kind = kinds[(yield from _pick([Choice("action", way.actor, one, nth=nth) for nth, one in enumerate(kinds)], most))]
    struck, chosen = (way.actor, way.manner, kind), dict[str, Any]()
    while True:
        try:
            step = way.step(kind, chosen)
        except (Refused, Unusable):
            return Decision(None, struck)
        if isinstance(step, Action):
            return Decision(way.intent(step), struck)
        values = [one.value for one in step.choices if one.refused is None]
        if not values and step.usual is not UNSET:
            values = [step.usual]
        if not values:  # the field takes only free text
            return Decision(None, struck)
        choices = [
            Choice("field", way.actor, kind, step.field, step.names, value, nth) for nth, value in enumerate(values)
        ]
        chosen[step.field] = values[(yield from _pick(choices, most))]


def _answer(way: OpenQuestion, whats: Sequence[str], by: Id, most: int) -> Choosing:
    """Ask for the answer to a question, and for its fields."""
    options = [one for one in way.options if one.choice in whats]
    choices = [Choice("option", by, one.choice, nth=nth) for nth, one in enumerate(options)]
    option: Option = options[(yield from _pick(choices, most))]
    given: list[tuple[Field, Scalar]] = []
    for name, field in name_fields(option).items():
        values = _values(field)
        names = "combatant" if field.kind == "id" else ""
        asked = [Choice("field", by, option.choice, name, names, value, nth) for nth, value in enumerate(values)]
        given.append((field, values[(yield from _pick(asked, most))]))
    answer = Answered(question=way.question, by=by, choice=option.choice)
    return Decision(give_values(answer, given), ("", "", option.choice))


def _values(field: Field) -> Sequence[Scalar]:
    """Return the values of a field of an answer. Free text has its usual value only."""
    match field.kind:
        case "int":
            return range(field.low, field.high + 1)
        case "id" if field.among:
            return field.among
        case _:
            return (first_value(field),)
