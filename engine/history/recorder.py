"""The recorder: seals, chains and stores the events of commands."""

from collections.abc import Callable, Iterator, Sequence

from affray import events as facts
from affray.engine.clock import Clock
from affray.engine.commands import Command
from affray.engine.core.digest import digest_rules
from affray.engine.core.ruleset import Ruleset
from affray.engine.core.state import State
from affray.engine.stores.protocol import Store
from affray.engine.visibility import Salts, has_hiding, seal_command
from affray.engine.visibility.viewers import list_combatants_of
from affray.events import FORMAT, NO_SEALS, Event, Id, Recorded, seal

from .timeline import History

CONCERNING = (facts.Rewound, facts.Restored, facts.UndoRequested)
"""The events whose sender is probably the sender of the lane that they name."""

StateAt = Callable[[int], State]


class Recorder:
    """Writes the record of one fight.

    Args:
        name: The name under which the store keeps it.
        history: The record, which grows.
        store: The store that keeps it; ``None`` to keep it in memory only.
        salts: The source of salts for hidden events.
    """

    def __init__(self, name: str, history: History, store: Store | None, clock: Clock, salts: Salts) -> None:
        self._name = name
        self._history = history
        self._store = store
        self._clock = clock
        self._salts = salts
        self._hides = False
        self.note_hiding(history.recorded)

    def note_hiding(self, recorded: Sequence[Recorded]) -> None:
        """Note whether events recorded elsewhere hide anything."""
        self._hides = self._hides or any(one.audience is not None for one in recorded)

    def record(
        self, command: Command, events: list[Event], state_at: StateAt, adopts: Ruleset | None
    ) -> list[Recorded]:
        """Record the events of a command.

        Args:
            command: The command.
            events: Its input event, and the events that follow from it.
            state_at: Returns the state after a position.
            adopts: The later version of the rules that decided it, if there is one. Its adoption, and a raised format,
                are recorded first.

        Raises:
            StoreFailed: it could not be recorded.
        """
        history = self._history
        seals = self._seals(command, events, state_at)
        unread = facts.Seals((), seals.known_to, seals.mask)
        if history.format != FORMAT:
            cause = history.free_command_id(f"format-{FORMAT}", command.id)
            self._write([facts.FormatRaised(format=FORMAT)], command.who, cause, unread)
        if adopts is not None:
            cause = history.free_command_id(f"{adopts.name}-{adopts.version}-{history.head}", command.id)
            adopted = facts.RulesetAdopted(version=adopts.version, digest=digest_rules(adopts))
            self._write([adopted], command.who, cause, unread)
        return self._write(events, command.who, command.id, seals)

    def _seals(self, command: Command, events: list[Event], state_at: StateAt) -> facts.Seals:
        """Return the seals of a command; none as long as nothing was ever hidden."""
        if not self._hides and not (type(events[0]) in (facts.Ruled, facts.Amended) and has_hiding(events)):
            return NO_SEALS
        self._hides = True
        first, history = events[0], self._history
        return seal_command(
            state_at(history.path[-1]),
            events,
            state_at,
            self._salts,
            knows=command.knows,
            phase=self._open_phase,
            confided=self._list_confided(first, events[1]) if isinstance(first, facts.Amended) else (),
            concerns=history.at(first.lane).known_to if isinstance(first, CONCERNING) else None,
        )

    def _list_confided(self, amended: facts.Amended, instead: Event) -> Iterator[tuple[Event, set[Id]]]:
        """Yield the sealed inputs after an amended event, each with the combatants it hides.

        Args:
            instead: The event behind the amendment: the input that replaces the corrected one, unless it was retracted.
        """
        history = self._history
        for line in map(history.at, history.path):
            if line.position > amended.to and line.audience is not None and line.position not in history.opened:
                replaced = line.position == amended.position and not amended.retracted
                yield instead if replaced else line.event, list_combatants_of(line.audience)

    def _open_phase(self) -> str:
        """Return the last phase of the fight that every viewer may read."""
        effective = (self._history.at(position) for position in reversed(self._history.path))
        told = (one.event for one in effective if one.audience is None)
        return next((event.phase for event in told if isinstance(event, facts.PhaseEntered) and not event.item), "")

    def _write(self, events: list[Event], who: str, cause: str, seals: facts.Seals) -> list[Recorded]:
        """Write the events of one command, to the store first."""
        history = self._history
        time = max(self._clock(), history.recorded[-1].time)  # times never decrease, even if the clock was set back
        recorded, lines = seal(
            events,
            after=history.head,
            previous=history.head_hash,
            time=time,
            who=who,
            cause=cause,
            seals=seals,
            format=history.format,
        )
        if self._store is not None:
            self._store.append(self._name, lines, history.head, history.head_hash)
        history.add(recorded)
        return recorded
