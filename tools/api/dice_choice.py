"""The choice of dice for a new fight: ``engine``, ``entered``, or ``entered:company``."""

from __future__ import annotations

from typing import NamedTuple

import click
from click.shell_completion import CompletionItem

from affray.engine.errors import Unusable
from affray.engine.runtime.dice import draw_seed


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


def _complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem[str]]:
    """Return the ways to say it."""
    return [CompletionItem(one) for one in ("engine", "entered", "entered:") if one.startswith(begun)]


dice_option = click.option(
    "--dice",
    shell_complete=_complete,
    default="engine",
    metavar="engine|entered[:WHO,…]",
    show_default=True,
    help="Who throws the dice; entered:company lets you enter those of a side or a combatant, and the rest be thrown.",
)
