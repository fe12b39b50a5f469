"""Alternatives to the sensible action: some of each kind, most promising first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from affray.engine.analysis.policies import Playable
from affray.engine.core.actions import Action
from affray.engine.core.groups.fighter import first_value
from affray.engine.core.state import Question
from affray.engine.runtime.offer_tree import Offers
from affray.engine.runtime.offers import list_movers
from affray.events import Answered, Event, Field, Id, Option, Passed, Scalar, find_value, give_values

LOOKED_AT = 40
"""The most declarations of a kind to appraise, in the order in which the rules list them."""

AIMED_ALIKE = 2
"""The number of best appraised declarations to try of a kind with the same targets. The worst one is tried as well."""

ONE_MORE = 15.0
"""The reduction of the appraisal for each further declaration of a kind, so that every kind gets its turn."""

VALUES = 4
"""The most values to try for a field of an answer."""


def list_alternatives(fight: Playable, instead_of: Event, who: Id, most: int) -> list[Event]:
    """Return a combatant's alternatives to an input, the most promising first.

    It is empty where the combatant has no choice.

    Args:
        instead_of: The input to leave out.
        most: The most alternatives.
    """
    asked, window = fight.table.draft.question, fight.table.draft.window
    if asked is not None:
        found: Iterator[Event] = _list_answers(asked, who)
    elif window is not None and who in window.to:
        found = chain([Passed(window=window.id, who=who)], _list_declarations(fight, who))
    else:
        found = _list_declarations(fight, who)
    return list(islice((one for one in found if one != instead_of), most))


def _list_answers(asked: Question, who: Id) -> Iterator[Event]:
    """Yield each option with the first value of every field, then with other values."""
    for option in asked.options:
        yield _give_usual(asked, who, option)
    for option in asked.options:
        yield from _list_other_values(asked, who, option)


def _list_other_values(asked: Question, who: Id, option: Option) -> Iterator[Event]:
    usual = _give_usual(asked, who, option)
    for field in option.fields:
        for value in _list_values(field):
            if find_value(usual, field) != value:
                yield give_values(usual, [(field, value)])


def _give_usual(asked: Question, who: Id, option: Option) -> Answered:
    """Return an option with the first value of every field that it needs."""
    values = ((field, first_value(field)) for field in option.fields if not field.optional)
    return give_values(Answered(question=asked.id, by=who, choice=option.choice), values)


def _list_values(field: Field) -> Iterator[Scalar]:
    """Yield some values of a field: the ends of a range, or its first few ids.

    Text fields yield none.
    """
    if field.kind == "int":
        yield from dict.fromkeys((field.low, field.high))
    elif field.kind == "id":
        yield from field.among[:VALUES]


def _list_declarations(fight: Playable, who: Id) -> Iterator[Event]:
    """Yield a combatant's declarations by appraisal, every kind before many of one."""
    found: list[tuple[float, Event]] = []
    for actor, manner in list_movers(fight.ruleset, fight.table):
        if actor == who:
            way = Offers(fight.ruleset, fight.table, actor, manner)
            for form in way.forms:
                found += [(worth, way.intent(action)) for worth, action in _list_of_kind(way, form.kind)]
    found.sort(key=lambda one: one[0], reverse=True)
    return (intent for _, intent in found)


def _list_of_kind(way: Offers, kind: str) -> Iterator[tuple[float, Action]]:
    """Yield declarations of a kind with their appraisals.

    For the same targets, they are the two best and the worst.
    """
    aimed: dict[tuple[Id, ...], list[tuple[float, Action]]] = {}
    for action in islice(way.leaves_of(kind), LOOKED_AT):
        worth = way.ruleset.fighter.appraise(way.table, way.actor, action, way.manner)
        aimed.setdefault(action.targets(), []).append((worth, action))
    some: list[tuple[float, Action]] = []
    for alike in aimed.values():
        alike.sort(key=lambda one: one[0], reverse=True)
        some += alike if len(alike) <= AIMED_ALIKE else [*alike[:AIMED_ALIKE], alike[-1]]
    some.sort(key=lambda one: one[0], reverse=True)
    for nth, (worth, action) in enumerate(some):
        yield worth - ONE_MORE * nth, action
