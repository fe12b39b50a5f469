"""The choice of dice for a new fight: ``engine``, ``entered``, or ``entered:company``."""

from __future__ import annotations

from typing import NamedTuple

from affray.engine.errors import Unusable
from affray.engine.history.timeline import History
from affray.engine.integrity.commitment import find_promise
from affray.engine.runtime.dice import draw_seed
from affray.events import Forked


class DiceChoice(NamedTuple):
    """The dice of a new fight.

    Attributes:
        seed: The seed of the engine's dice; ``None`` if all dice are entered.
        entered: The sides and combatants whose dice are entered, in a fight that has a seed.
    """

    seed: bytes | None
    entered: tuple[str, ...]


def choose_dice(said: str) -> DiceChoice:
    """Return the dice of a new fight, under a fresh seed.

    Raises:
        Unusable: the choice is malformed.
    """
    word, colon, named = said.partition(":")
    whose = tuple(one.strip() for one in named.split(",") if one.strip())
    if word not in ("engine", "entered") or bool(colon) is not bool(whose) or (whose and word == "engine"):
        message = "must be engine, entered, or entered:WHO with sides or combatants, such as entered:company"
        raise Unusable(message, "dice")
    return DiceChoice(None if word == "entered" and not whose else draw_seed(), whose)


def name_dice_of_fork(forked: Forked, history: History) -> str:
    """Return the kind of dice that a fork uses: ``entered``, ``parent`` or ``own``."""
    if not forked.commitment:
        return "entered"
    committed = find_promise(history.recorded[: forked.position]).commitment
    return "parent" if forked.commitment == committed else "own"
