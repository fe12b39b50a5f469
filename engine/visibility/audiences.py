"""Who may read the events of a command: decided once, when they are recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from secrets import token_hex
from typing import NamedTuple

from affray.engine.core.draft import Draft
from affray.engine.core.evolve import evolve
from affray.engine.core.state import State
from affray.events import (
    ABOUT_THE_RECORD,
    Amended,
    Concealed,
    Event,
    Id,
    Previewed,
    Rolled,
    Ruled,
    Sealed,
    Seals,
    Veiled,
)
from affray.events.vocabulary import by_input

from .betrayal import Secrets, secrets
from .guesses import own_in
from .viewers import GM_ONLY

Audience = tuple[Id, ...] | None
"""Who may read an event; see ``Recorded.audience``."""

SECRET_ROLL = "secret_roll"
"""The ruling whose dice are the game master's alone."""

SALT_BYTES = 16

OPEN = frozenset(ABOUT_THE_RECORD - {Previewed})
"""What everybody can read always, since it says what counts."""


class Sender(NamedTuple):
    """Who sends a command.

    Attributes:
        words: Their name and the command's id, which may be telling.
        knows: Of which hidden combatants they may know; of all if it is ``None``. What they call others is a guess.
    """

    words: Sequence[str] = ()
    knows: Sequence[Id] | None = None


NOBODY = Sender()


def begins_hiding(events: Iterable[Event]) -> bool:
    """Tell whether something in these events hides anything."""
    return any(isinstance(one, Concealed | Veiled) or _is_secret_roll(one) for one in events)


def audiences(
    before: State, events: Sequence[Event], state_at: Callable[[int], State], sender: Sender = NOBODY
) -> tuple[Audience, list[Audience]]:
    """Return who may know the sender of a command, and who may read each of its events.

    Args:
        before: What counted when it was carried out.
        events: All of them.
        state_at: The state after an earlier position, for an amendment goes on from there.
        sender: Who sent it.
    """
    found: list[Audience] = []
    named: set[Id] = set()
    draft = Draft(before)
    known = secrets(draft)
    for segment in by_input(events, lambda event: event):
        first = segment[0]
        if isinstance(first, Amended):
            draft = Draft(state_at(first.to))
        then = secrets(draft) if found or isinstance(first, Amended) else known
        for event in segment:
            evolve(draft, event)
        after = secrets(draft)
        if not found:
            named = _named(sender, known, before) | _named(sender, after, draft)
        found += _segment(then, after, segment)
    if isinstance(events[0], Amended):
        last = secrets(draft)
        found = [
            audience if type(event) in OPEN else _without(audience, _hidden(known, event) & _hidden(last, event))
            for audience, event in zip(found, events, strict=True)
        ]
    return together(found[0], tuple(sorted(named)) or None), found


def _named(sender: Sender, hidden: Secrets | None, of: State | Draft) -> set[Id]:
    """Return whom the words beside a command name, of those whom its sender may know."""
    if sender.knows is None:
        return _hidden(hidden, sender.words)
    return own_in(sender.words, of, sender.knows)


def _without(audience: Audience, hidden: set[Id]) -> Audience:
    """Return who may read an event of an amendment: it tells of what came before, of those who are hidden by now."""
    if not hidden:
        return audience
    return (GM_ONLY,) if audience == () else together(audience, tuple(sorted(hidden)))


def together(one: Audience, other: Audience) -> Audience:
    """Return who belongs to both of two audiences."""
    if one is None or other is None:
        return other if one is None else one
    return tuple(sorted({*one, *other}))


Salts = Callable[[], str]
"""Where salts come from."""


def fresh_salt() -> str:
    """Return a salt that nobody can guess.

    It stands in the log alone, so no secret is kept for it, and to open one event opens no other.
    """
    return token_hex(SALT_BYTES)


def sealed(
    before: State,
    events: Sequence[Event],
    state_at: Callable[[int], State],
    salts: Salts = fresh_salt,
    *,
    sender: Sender = NOBODY,
    concerns: Audience = None,
) -> Seals:
    """Return what is hidden of a command, with a salt for each event that not everybody may read.

    Who may not read its first event does not learn who sent it, nor under which id: a player of somebody hidden would
    be known by that.

    Args:
        before, events, state_at, sender: As for ``audiences``.
        salts: Where salts come from.
        concerns: Who may know the sender of what it takes back or brings again, for that is likely to be the same.
    """
    known_to, found = audiences(before, events, state_at, sender)
    known_to = together(known_to, concerns)
    lines = [Sealed(audience, "" if audience is None else salts()) for audience in found]
    return Seals(lines, known_to, "" if known_to is None else salts())


def _segment(before: Secrets | None, after: Secrets | None, segment: Sequence[Event]) -> Iterator[Audience]:
    """Yield who may read each event of an input: what is hidden before or after it counts, until it is revealed."""
    secret = _is_secret_roll(segment[0])
    for event in segment:
        if type(event) in OPEN:
            yield None
            continue
        if (isinstance(event, Concealed) and not event.concealed) or (isinstance(event, Veiled) and not event.pools):
            before = None
        who = _hidden(before, event) | _hidden(after, event)
        if secret and isinstance(event, Ruled | Rolled):
            yield (GM_ONLY,) if who else ()
        else:
            yield tuple(sorted(who)) or None


def _hidden(known: Secrets | None, said: object) -> set[Id]:
    return known.found_in(said, written=False) if known is not None else set()


def _is_secret_roll(event: Event) -> bool:
    return isinstance(event, Ruled) and event.kind == SECRET_ROLL
