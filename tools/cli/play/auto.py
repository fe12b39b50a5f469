"""Options and limits for sides that the engine plays."""

import click

from affray.engine.analysis.policy_registry import POLICIES
from affray.tools.cli.completion import values

ALL = "all"
"""The word for all sides and the game master. If a side is called so, the word means that side."""


MOST_AUTO = 500
"""The most commands that the engine carries out in one go."""

STALEMATE = (
    "That is a stalemate: nobody has done anything in two rounds on end, or a hundred have left everything as it was. "
    "It goes on once somebody does something else, or the game master rules something."
)
"""Message when the engine stops because playing on would change nothing."""


autos_option = click.option(
    "--auto",
    "autos",
    multiple=True,
    metavar="SIDE[=POLICY]",
    shell_complete=values.autos,
    help=f"Let the engine play a side: {', '.join(POLICIES)}.",
)
"""Option that names the sides that the engine plays, and their policies."""
