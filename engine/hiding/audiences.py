"""Who may read the events of a command: decided once, when they are recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from secrets import token_hex

from affray.engine.draft import Draft
from affray.engine.evolve import evolve
from affray.engine.history import by_input
from affray.engine.state import State
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
    Veiled,
)

from .betrayal import Secrets, secrets
from .viewers import GM_ONLY

Audience = tuple[Id, ...] | None
"""Who may read an event; see ``Recorded.audience``."""

SECRET_ROLL = "secret_roll"
"""The ruling whose dice are the game master's alone."""

SALT_BYTES = 16

OPEN = frozenset(ABOUT_THE_RECORD - {Previewed})
"""What everybody can read always, since it says what counts."""


def begins_hiding(events: Iterable[Event]) -> bool:
    """Tell whether something in these events hides anything."""
    return any(isinstance(one, Concealed | Veiled) or _is_secret_roll(one) for one in events)


def audiences(before: State, events: Sequence[Event], state_at: Callable[[int], State]) -> list[Audience]:
    """Return who may read each event of a command.

    Args:
        before: What counted when it was carried out.
        events: All of them.
        state_at: The state after an earlier position, for an amendment goes on from there.
    """
    found: list[Audience] = []
    draft = Draft(before)
    for segment in by_input(events, lambda event: event):
        first = segment[0]
        if isinstance(first, Amended):
            draft = Draft(state_at(first.to))
        found += _segment(draft, segment)
    return found


Salts = Callable[[], str]
"""Where salts come from."""


def fresh_salt() -> str:
    """Return a salt that nobody can guess.

    It stands in the log alone, so no secret is kept for it, and to open one event opens no other.
    """
    return token_hex(SALT_BYTES)


def sealed(
    before: State, events: Sequence[Event], state_at: Callable[[int], State], salts: Salts = fresh_salt
) -> list[Sealed]:
    """Return the same with a salt for each event that not everybody may read."""
    found = audiences(before, events, state_at)
    return [Sealed(audience, "" if audience is None else salts()) for audience in found]


def _segment(draft: Draft, segment: Sequence[Event]) -> Iterator[Audience]:
    """Yield who may read each event of an input: what is hidden before or after it counts, until it is revealed."""
    before = secrets(draft)
    for event in segment:
        evolve(draft, event)
    after = secrets(draft)
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


def _hidden(known: Secrets | None, event: Event) -> set[Id]:
    return known.found_in(event, written=False) if known is not None else set()


def _is_secret_roll(event: Event) -> bool:
    return isinstance(event, Ruled) and event.kind == SECRET_ROLL
