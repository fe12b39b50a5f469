"""Letting the engine play a side."""

import click

from affray.engine.analysis.policy_registry import POLICIES
from affray.tools.cli.completion import values

ALL = "all"
"""The word for every side, and the game master too. A side that is called so is meant."""


MOST_AUTO = 500
"""How many commands the engine carries out in one go at most."""

STALEMATE = (
    "That is a stalemate: nobody has done anything in two rounds on end, or a hundred have left everything as it was. "
    "It goes on once somebody does something else, or the game master rules something."
)
"""What is said where the engine stops because nothing would come of its playing on."""


autos_option = click.option(
    "--auto",
    "autos",
    multiple=True,
    metavar="SIDE[=POLICY]",
    shell_complete=values.autos,
    help=f"Let the engine play a side whenever it is up: {', '.join(POLICIES)}.",
)
"""Which sides the engine plays, and how."""
