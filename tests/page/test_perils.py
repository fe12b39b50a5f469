"""Dangers are seen: a banner for those whom they concern, a mark on the token and in the list, on a phone too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw
from playwright.sync_api import expect

from affray.engine import open_fight
from affray.events import Declared, Ruled
from tests.engine.fights import submit_accepted
from tests.page.served import Served
from tests.page.set_fights import PHONE
from tests.page.window import Windows, stays_within

WIDE = (1440, 900)

SHIPPED = Path(__file__).parents[2] / "encounters"

ROAD = """
system = "wwn"
name = "Toll road"
board = {}
combatant = [
  { name = "Wren", side = "party", pc = true, class = "expert", level = 1, hp = 6, at = "3,3" },
  { name = "Ilka", side = "party", pc = true, class = "warrior", level = 1, hp = 8, at = "4,3" },
  { name = "Odo", side = "party", pc = true, class = "warrior", level = 1, hp = 8, at = "7,4" },
  { name = "Raider", count = 3, side = "raiders", block = "raider", at = ["9,2", "9,3", "9,4"] },
]
"""

ENCOUNTERS = {
    "verdigris": (SHIPPED / "verdigris" / "gatehouse.toml").read_text("utf-8"),
    "vestige": (SHIPPED / "vestige" / "bridge.toml").read_text("utf-8"),
    "wwn": ROAD,
    "wyrd": (SHIPPED / "wyrd" / "mill.toml").read_text("utf-8"),
}

RULED: dict[str, tuple[str, tuple[tuple[str, dict[str, object]], ...]]] = {
    "verdigris": ("hild", (("pool", {"pool": "wounds", "to": 0}), ("pool", {"pool": "hp", "to": 0}))),
    "vestige": ("ilse", (("pool", {"pool": "health", "to": 0}),)),
    "wwn": ("wren", (("pool", {"pool": "hp", "to": 0}), ("pool", {"pool": "bleed", "to": 2}))),
    "wyrd": ("grog", (("condition", {"condition": "incapacitated"}),)),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a fight of several systems, in each of which a hero is in danger."""
    with Served(tmp_path_factory.mktemp("perils")) as running:
        for system, encounter in ENCOUNTERS.items():
            running.begin(system, encounter, first="ilka" if system == "wwn" else "")
            fight = open_fight(system, running.store)
            if fight.state.phase == "setup":
                submit_accepted(fight, Declared(actor="gm", kind="begin", params=Raw(b"{}")))
            who, rulings = RULED[system]
            for kind, params in rulings:
                said = Raw(msgspec.json.encode({"who": who, **params}))
                submit_accepted(fight, Ruled(kind=kind, params=said, reason="a hard day"))
        running.start(*ENCOUNTERS)
        yield running


def test_a_dying_hero_is_seen_by_all_whom_it_concerns(server: Served, windows: Windows) -> None:
    """Her player, her allies and the game master read what threatens, how long, and who can help."""
    told = "Wren is dying. Bleeding: 2 of 6 rounds. Ilka can stabilize Wren. Odo can reach Wren."
    for who in ("Wren", "Ilka", "game master", "spectators"):
        page = windows.open(server.links["wwn"][who], size=PHONE if who == "Wren" else WIDE)
        expect(page.locator(".perils .peril")).to_have_text(told)
        expect(page.locator(".token[data-who=wren] .peril text")).to_have_text("4")
        expect(page.locator(".token[data-who=wren]")).to_have_attribute("aria-label", "Wren at 3,3, dying 2/6")
        expect(page.locator(".person[data-who=wren] .tag.peril")).to_have_text("dying 2/6")
        stays_within(page)


def test_an_ally_helps_from_the_banner(server: Served, windows: Windows) -> None:
    """A tap on the banner offers what the active hero can do for the one in danger."""
    page = windows.open(server.links["wwn"]["Ilka"])
    page.locator(".perils .peril").click()
    expect(page.locator(".foe .peril")).to_contain_text("Wren is dying.")
    expect(page.locator(".foe").get_by_role("button", name="Stabilize", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("system", "who", "told"),
    [
        ("verdigris", "Hild", "Hild is at Death's Door."),
        ("vestige", "Ilse", "Ilse is at the brink."),
        ("wyrd", "Grog", "Grog is down."),
    ],
)
def test_each_system_tells_its_own_danger(server: Served, windows: Windows, system: str, who: str, told: str) -> None:
    """The words are those of its rulebook."""
    page = windows.open(server.links[system][who], size=PHONE)
    expect(page.locator(".perils .peril").first).to_contain_text(told)
    expect(page.locator(".token .peril").first).to_be_attached()
    stays_within(page)
