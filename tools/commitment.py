"""The commands ``stir`` and ``close``: add words to the dice, and end the record."""

from typing import Any

import click

from affray.engine.commands import Close, Stir

from .commands import carry_out
from .options import FREE_WORDS, fight_argument, reason_option, sender, words_argument, writes


@click.command(context_settings=FREE_WORDS, short_help="Stir words of your own into the dice.")
@fight_argument
@words_argument
@writes
def stir(said: str, words: tuple[str, ...], **sent: Any) -> None:
    """Stir words of your own into the dice, before the first one falls.

    Whoever opened the fight has chosen the dice seed; with words that they could not foresee, they have not chosen the
    dice.
    """
    carry_out(said, sender(**sent), lambda _: Stir(words=" ".join(words)))


@click.command(short_help="End the record and reveal the dice seed.")
@fight_argument
@click.option("--unfinished", is_flag=True, help="Close it although the fight is not over.")
@reason_option
@writes
def close(said: str, unfinished: bool, reason: str, **sent: Any) -> None:
    """End the record for good and reveal the dice seed, so that anybody can check every die.

    Nothing can be added to a closed record; a fork of it can go on.
    """
    carry_out(said, sender(**sent), lambda _: Close(unfinished=unfinished, reason=reason))
