"""Tokens at one place: a living combatant is never covered by those that are out, and each can be hit."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from msgspec import Raw
from playwright.sync_api import expect

from affray.engine import open_fight
from affray.events import Ruled
from tests.engine.fights import submit_accepted
from tests.page.served import Served
from tests.page.test_maps import SQUARES, ZONES
from tests.page.window import Windows

WWN = """\
system = "wwn"
name = "A road"
board = {}

[[combatant]]
name = "Mab"
side = "caravan"
pc = true
class = "warrior"
level = 1
hp = 8
at = "1,1"

[[combatant]]
name = "Outlaw"
side = "enemies"
block = "raider"
at = "4,4"
"""

MAPS = {"vestige": SQUARES, "wwn": WWN, "verdigris": ZONES}
"""Encounters whose places hold several combatants; in Hexblade the slain leave the map."""

CORPSES = """
[[combatant]]
name = "Corpse"
count = 3
side = "enemies"
block = "{}"
at = {}
"""

OF = {
    "vestige": ("minion", '["5,0", "5,1", "4,2"]'),
    "wwn": ("raider", '["5,0", "5,1", "4,2"]'),
    "verdigris": ("orc", '"loft"'),
}

COVERED = """tokens => tokens.filter(token => {
  const { left, top, width, height } = token.querySelector(".body").getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return !token.contains(hit);
}).map(token => token.dataset.who)"""
"""Which tokens are covered in their middle."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a fight for each kind of map, in which three corpses lie where the first combatant stands."""
    with Served(tmp_path_factory.mktemp("stacking")) as running:
        for kind, encounter in MAPS.items():
            running.begin(kind, encounter + CORPSES.format(*OF[kind]))
            fight = open_fight(kind, running.store)
            first = next(iter(fight.state.combatants.values()))
            for who in [one for one in fight.state.combatants if one.startswith("corpse")]:
                for ruling, params in (
                    ("place", {"who": who, "to": first.place}),
                    ("condition", {"who": who, "condition": "dead"}),
                ):
                    intent = Ruled(kind=ruling, params=Raw(msgspec.json.encode(params)), reason="so it is")
                    submit_accepted(fight, intent)
        running.start(*MAPS)
        yield running


@pytest.mark.parametrize("kind", MAPS)
def test_no_corpse_covers_a_living_combatant(server: Served, windows: Windows, kind: str) -> None:
    gm = windows.open(server.links[kind]["game master"])
    expect(gm.locator(".token.out")).to_have_count(3)
    assert gm.locator(".token").evaluate_all(COVERED) == []
    out, able = (gm.locator(f".token{which} .ring").first.bounding_box() for which in (".out", ":not(.out)"))
    assert out is not None
    assert able is not None
    assert out["width"] < able["width"] * 0.7
