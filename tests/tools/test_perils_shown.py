"""What `affray show` and `affray play` print of dangers to combatants."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from affray.tools.cli.render_state import picture
from tests.engine.test_hiding import rule
from tests.engine.test_perils import open_wwn


def test_a_dying_hero_is_printed_below_the_combatants() -> None:
    """With the rounds that she has bled, and who can help her."""
    fight = open_wwn()
    rule(fight, "pool", who="wren", pool="hp", to=0)
    screen = StringIO()
    Console(file=screen, width=120).print(picture(fight, fight.ruleset))
    told = "Wren is dying. Bleeding: 0 of 6 rounds. Ilka can stabilize Wren. Odo can reach Wren."
    assert told in screen.getvalue().splitlines()
