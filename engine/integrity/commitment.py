"""The commitment to the dice seed, the words added to it, and the seed's reveal."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from affray.engine.commands import MANY, Close, Stir
from affray.engine.errors import Refused
from affray.engine.history.amend import index_rolls
from affray.engine.history.timeline import History
from affray.engine.runtime.dice import (
    PROMISED,
    DiceSource,
    EnteredDice,
    KnownDice,
    LostDice,
    NamedDice,
    SeenDice,
    commitment_of,
)
from affray.engine.texts import check_word
from affray.events import (
    FORMAT,
    Closed,
    EntropyAdded,
    Event,
    FightOpened,
    Forked,
    FormatRaised,
    Previewed,
    Recorded,
    Rolled,
    hash_uncommitted,
    seal,
)

LOOKS_COUNT = 5
"""The first log format in which no words may be added after a preview showed a die."""

_MAKES_A_PROMISE = frozenset({EntropyAdded, FightOpened, Forked, FormatRaised, Previewed, Rolled})
"""The types of events that change a promise."""


class Promise:
    """The present commitment of a record, and everything that the dice key depends on.

    Attributes:
        commitment: The commitment to the seed, as hex; empty where all dice are entered.
        made: Position of the event that made the commitment.
        position: Position of the last line that the commitment covers, before format 6 of the event that made it.
        format: The format of that event's line; 0 before the opening.
        bound: In dice scheme 2 the commitment, or before format 6 the hash of the last line of that event's command;
            in scheme 1 empty.
        words: The words added since.
        since: Position from which on every die falls under the present key.
        fell: Position of the first engine die since the commitment; 0 if none fell yet.
        looked: Position of the first preview since the commitment that showed a die; 0 if there is none.
        committing: Whether lines of the command that made the commitment are still to come.
    """

    def __init__(self) -> None:
        self.commitment = ""
        self.made = self.position = 1
        self.format = 0
        self.bound = ""
        self.words: list[str] = []
        self.since = 1
        self.fell = self.looked = 0
        self.committing = self._binds = False
        self._command: list[Recorded] = []
        self._now = 0
        self._before = self._last = self._covered = ""

    def follow(self, one: Recorded) -> None:
        """Update the promise by the next line of the record."""
        event, before, self._last = one.event, self._last, one.hash
        if type(event) not in _MAKES_A_PROMISE and not self.committing:
            return
        if isinstance(event, FightOpened):
            self._binds = event.dice_scheme > 1
        if isinstance(event, FightOpened | FormatRaised):
            self._now = event.format
        if isinstance(event, FightOpened | Forked):
            self._commit(event.commitment, one.position, before)
        elif isinstance(event, EntropyAdded):
            self.words.append(event.words)
            self.since = one.position
        elif isinstance(event, Previewed):
            self.looked = self.looked or one.position
        elif isinstance(event, Rolled) and not self.fell and event.source == "engine":
            self.fell = one.position if any(group.thrown for group in event.dice) else 0
        if self.committing:
            self._command.append(one)
            if self.format >= PROMISED and self.commitment:
                self.position = one.position
            self._covered = ""
            self.committing = one.more > 0
            if not one.more and self._binds and self.commitment:
                self.bound = self.commitment if self.format >= PROMISED else one.hash

    def _commit(self, commitment: str, position: int, before: str) -> None:
        if commitment != self.commitment or not self._command:
            self.commitment, self.bound = commitment, ""
            self.made = self.position = self.since = position
            self.words, self.fell, self.looked = [], 0, 0
            self.format, self._before, self._command, self.committing = self._now, before, [], True
            self._covered = ""

    @property
    def seen(self) -> int:
        """Position from which on no words may be added: of the first die that fell, or was shown; 0 if none was."""
        return self.fell or (self.looked if self._now >= LOOKS_COUNT else 0)

    def commit_to(self, seed: bytes) -> str:
        """Compute the commitment to a seed in the place of the present one, as hex; empty before the opening."""
        if self.format >= PROMISED and not self._covered:
            self._covered = hash_uncommitted(self._command, self._before, self.format)
        return commitment_of(seed, self._covered) if self._command else ""

    def is_kept_by(self, seed: bytes) -> bool:
        """Tell whether a seed is the one that was committed to."""
        return self.commitment != "" and self.commit_to(seed) == self.commitment

    def dice(self, seed: bytes) -> NamedDice:
        """Return the next dice, under the seed that was committed to."""
        return NamedDice(seed, self.words, self.bound)


def find_promise(recorded: Iterable[Recorded]) -> Promise:
    """Return the promise for the dice at the end of a record."""
    promise = Promise()
    for one in recorded:
        promise.follow(one)
    return promise


def seal_promise(
    seed: bytes | None, events: list[Event], *, format: int = FORMAT, **place: Any
) -> tuple[list[Recorded], list[bytes]]:
    """Build the first lines of a log, with the hash of the secret seed in the first event.

    Args:
        seed: The secret seed; ``None`` to leave the first event as it is.
        format, place: As in ``seal``.

    Returns the recorded events and their lines, as ``seal`` does.
    """
    sealed = seal(events, format=format, **place)
    if seed is None:
        return sealed
    covered = sealed[0][-1].hash if format >= PROMISED else ""
    first: Any = events[0]
    return seal([replace(first, commitment=commitment_of(seed, covered)), *events[1:]], format=format, **place)


def engine_dice(recorded: Iterable[Recorded], seed: bytes | None) -> DiceSource:
    """Return the source of dice at the end of a record: its seed's, or entered dice.

    Args:
        seed: The seed that is kept beside the log, if there is one.
    """
    promise = find_promise(recorded)
    if seed:
        return promise.dice(seed)
    return LostDice() if promise.commitment else EnteredDice()


def find_seen_dice(history: History, dice: DiceSource) -> SeenDice:
    """Return the dice that players know: fallen or previewed under the present key.

    Args:
        dice: The source of all others.
    """
    under = history.recorded[find_promise(history.recorded).since - 1 :]
    known = KnownDice()
    for one in under:
        known.follow(one.event)
    return SeenDice(index_rolls(under), dice, known)


def decide_entropy(history: History, stir: Stir) -> list[Event]:
    """Return the event that adds a player's words to the dice key.

    Raises:
        Refused: the fight has no engine's dice, or one of them has fallen or was previewed.
        Unusable: the words are none, too many, or not printable.
    """
    check_word(stir.words, "words", most=MANY)
    promise = find_promise(history.recorded)
    if not promise.commitment:
        raise Refused("no_seed", "", "this fight has no dice of the engine's; all dice are entered")
    if promise.fell:
        raise _refuse_late_words("dice_have_fallen", "the first die falls, and one fell", promise.fell)
    if promise.looked:
        raise _refuse_late_words("dice_were_seen", "a preview shows the first die, and one did", promise.looked)
    return [EntropyAdded(words=stir.words)]


def _refuse_late_words(code: str, until: str, position: int) -> Refused:
    """Return the refusal of words that come after a die fell or was shown."""
    return Refused(code, "", f"words are stirred in before {until} at position {position}", source=str(position))


def decide_closing(history: History, seed: bytes | None, close: Close, *, over: bool) -> list[Event]:
    """Return the event that ends the record and reveals the seed.

    Args:
        seed: The seed that is kept beside the log.
        over: Whether the fight has ended.

    Raises:
        Refused: the fight is not over, or its seed is not kept here.
    """
    promise = find_promise(history.recorded)
    committed = promise.commitment
    if not over and not close.unfinished:
        raise Refused(
            "not_over",
            "",
            "the fight is not over, and nothing follows a closed record; say that it is unfinished to close it",
        )
    if committed and (seed is None or not promise.is_kept_by(seed)):
        raise Refused("no_seed", "", "the dice seed is not kept here, so it cannot be revealed")
    return [Closed(seed=seed.hex() if committed and seed else "", reason=close.reason)]
