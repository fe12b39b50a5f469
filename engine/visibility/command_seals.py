"""The seals of a command: its audiences with a salt for each hidden event."""

from collections.abc import Callable, Iterable, Sequence
from secrets import token_hex

from affray import events as facts
from affray.engine.core.state import State
from affray.events import Event, Id

from .audiences import Audience, find_audiences, intersect_audiences
from .viewers import WORDS

SALT_BYTES = 16

Salts = Callable[[], str]
"""A source of salts."""


def fresh_salt() -> str:
    """Draw a random salt.

    Only the log holds it. So no secret is stored for it, and opening one event opens no other.
    """
    return token_hex(SALT_BYTES)


def seal_command(
    before: State,
    events: Sequence[Event],
    state_at: Callable[[int], State],
    salts: Salts = fresh_salt,
    *,
    knows: Sequence[Id] | None = None,
    phase: Callable[[], str] = str,
    confided: Iterable[tuple[Event, set[Id]]] = (),
    concerns: Audience = None,
) -> facts.Seals:
    """Return the seals of a command, with a salt for each event with an audience.

    A viewer who may not read its first event learns neither its sender nor its id: the sender could reveal the player
    of a hidden combatant. If the sender plays only concealed combatants, other viewers do not learn them either.

    Args:
        before, events, state_at, knows, phase, confided: As in ``find_audiences``.
        concerns: The combatants whose players may know the sender of the undone or restored command, because the sender
            is probably the same.
    """
    known_to, found = find_audiences(before, events, state_at, knows, phase, confided)
    for others in (concerns, _played_unseen(before, knows or ())):
        known_to = intersect_audiences(known_to, others)
    lines = [facts.Sealed(_unguessable(audience, salts), "" if audience is None else salts()) for audience in found]
    return facts.Seals(lines, known_to, "" if known_to is None else salts())


def _played_unseen(state: State, owns: Sequence[Id]) -> Audience:
    """List the combatants of a sender, if all of them are concealed."""
    there = tuple(sorted(who for who in owns if who in state.combatants))
    return there if there and {*there} <= {*state.concealed} else None


def _unguessable(audience: Audience, salts: Salts) -> Audience:
    return audience and tuple([one + salts() if one == WORDS else one for one in audience])
