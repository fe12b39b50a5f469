"""The commitment to the dice seed, the words stirred into it, and the seed revealed at the end."""

from collections.abc import Iterable

from affray.engine.commands import MANY, Close, Stir
from affray.engine.errors import Refused
from affray.engine.history.timeline import History
from affray.engine.runtime.dice import DiceSource, EnteredDice, LostDice, NamedDice, commitment
from affray.engine.texts import check_word
from affray.events import Closed, EntropyAdded, Event, FightOpened, Forked, Recorded, Rolled


def promised(recorded: Iterable[Recorded]) -> tuple[str, tuple[str, ...]]:
    """Return the commitment that the dice stand under at the end of a record, and the words stirred into them."""
    committed, words = "", list[str]()
    for one in recorded:
        event = one.event
        if isinstance(event, FightOpened | Forked) and event.commitment != committed:
            committed, words = event.commitment, []
        elif isinstance(event, EntropyAdded):
            words.append(event.words)
    return committed, tuple(words)


def engine_dice(recorded: Iterable[Recorded], seed: bytes | None) -> DiceSource:
    """Return the source of dice at the end of a record: the seed with the words stirred in, or entered dice.

    Args:
        seed: As it is kept beside the log, if it is.
    """
    committed, words = promised(recorded)
    if seed:
        return NamedDice(seed, words)
    return LostDice() if committed else EnteredDice()


def stirring(history: History, stir: Stir) -> list[Event]:
    """Return the event that stirs words into the dice.

    Raises:
        Refused: there are no dice of the engine's to stir them into, or the first of them has fallen already.
        Unusable: the words are none, too many, or not printable.
    """
    check_word(stir.words, "words", most=MANY)
    committed, _ = promised(history.recorded)
    if not committed:
        raise Refused("no_seed", "", "this fight has no dice of the engine's; all dice are entered")
    fallen = _first_roll(history.recorded)
    if fallen:
        raise Refused(
            "dice_have_fallen",
            "",
            f"words are stirred in before the first die falls, and one fell at position {fallen}",
            source=str(fallen),
        )
    return [EntropyAdded(words=stir.words)]


def _first_roll(recorded: Iterable[Recorded]) -> int:
    """Return the position of the first die of the engine's under the present commitment; 0 if none fell yet."""
    committed, fallen = "", 0
    for one in recorded:
        event = one.event
        if isinstance(event, FightOpened | Forked) and event.commitment != committed:
            committed, fallen = event.commitment, 0
        elif isinstance(event, Rolled) and event.source == "engine" and event.dice and not fallen:
            fallen = one.position
    return fallen


def closing(history: History, seed: bytes | None, close: Close, *, over: bool) -> list[Event]:
    """Return the event that ends the record and reveals the seed.

    Args:
        seed: As it is kept beside the log.
        over: Whether the fight has ended.

    Raises:
        Refused: the fight is not over, or its seed is not kept here.
    """
    committed, _ = promised(history.recorded)
    if not over and not close.unfinished:
        raise Refused(
            "not_over",
            "",
            "the fight is not over, and nothing follows a closed record; say that it is unfinished to close it",
        )
    if committed and (seed is None or commitment(seed) != committed):
        raise Refused("no_seed", "", "the dice seed is not kept here, so it cannot be revealed")
    return [Closed(seed=seed.hex() if committed and seed else "", reason=close.reason)]
