"""Identities of inputs: the fields by which two inputs of a record are compared."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from affray import events as facts
from affray.engine.commands import GM
from affray.events import Event, Id, name_of_path, pending_of, question_topic


class Identity(NamedTuple):
    """The compared parts of an input.

    Numbers that depend on other declarations are left out.

    Attributes:
        actor: Combatant id, or ``gm``.
        kind: The action, the topic of a question, the ruling …
        content: Every other field.
    """

    actor: Id
    kind: str
    content: Hashable


def kind_of(identity: Identity) -> tuple[Id, str]:
    """Return the parts that inputs of the same kind share."""
    return identity.actor, identity.kind


def identity_of(event: Event) -> Identity:
    """Return the compared parts of an input."""
    identify = _IDENTITIES.get(type(event))
    return identify(event) if identify else Identity(GM, type(event).__name__, ())


def _identify_answer(event: facts.Answered) -> Identity:
    given = [*event.fields.items(), *((one, sorted(those.items())) for one, those in event.about.items())]
    fields = tuple(sorted((name, repr(value)) for name, value in given))
    return Identity(event.by, f"answer {question_topic(event.question)}", (event.choice, fields))


def _identify_entered_dice(event: facts.DiceEntered) -> Identity:
    owner = pending_of(event.roll).partition("/")[2].partition("/")[0]
    return Identity(owner, f"roll {name_of_path(event.roll)}", event.faces)


def _identify_declaration(event: facts.Declared | facts.Attempted | facts.Stacked) -> Identity:
    return Identity(event.actor, event.kind, (event.manner, bytes(event.params)))


_IDENTITIES: dict[type[Event], Any] = {
    facts.Declared: _identify_declaration,
    facts.Attempted: _identify_declaration,
    facts.Stacked: _identify_declaration,
    facts.Answered: _identify_answer,
    facts.Passed: lambda event: Identity(event.who, "pass", ()),
    facts.AskingSet: lambda event: Identity(event.who, "asking", (event.ask, event.what, event.seconds)),
    facts.Ruled: lambda event: Identity(GM, f"rule {event.kind}", (bytes(event.params), event.reason)),
    facts.DiceEntered: _identify_entered_dice,
}
