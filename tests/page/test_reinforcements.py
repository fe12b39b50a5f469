"""The game master brings combatants into a fight by tapping: from the library, onto the map, seen or hidden."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from affray.events import Concealed, Joined, Ruled
from tests.page.duels import DUEL
from tests.page.served import Served
from tests.page.set_fights import PHONE
from tests.page.window import Windows, position, stays_within, up_to_date

SHIPPED = Path(__file__).parents[2] / "encounters"

FIGHTS = {
    "hexblade": "barrow",
    "verdigris": "gatehouse",
    "vestige": "bridge",
    "wwn": "cellar",
    "wyrd": "mill",
}

BRIDGE = (SHIPPED / "vestige" / "bridge.toml").read_text("utf-8")
SIX_TAPS = 6


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a shipped encounter of each system, and two duels."""
    with Served(tmp_path_factory.mktemp("reinforcements")) as running:
        for system, name in FIGHTS.items():
            running.begin(system, (SHIPPED / system / f"{name}.toml").read_text("utf-8"))
        running.begin("hidden", BRIDGE)
        running.begin("refused", DUEL)
        running.start(*FIGHTS, "hidden", "refused")
        yield running


class Taps:
    """Counts the taps of a game master."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.made = 0

    def tap(self, selector: str, text: str = "") -> None:
        """Tap the first visible element of those."""
        self.page.locator(f"{selector}:visible", has_text=text or None).first.click()
        self.made += 1


@pytest.mark.parametrize("system", FIGHTS)
def test_three_foes_from_the_library_take_six_taps(server: Served, windows: Windows, system: str) -> None:
    """Open, choose a stat block, twice one more, add: three of them stand on free places of their side."""
    gm = windows.open(server.links[system]["game master"])
    hand = Taps(gm)
    hand.tap("button", "Add combatants …")
    hand.tap("dialog.picker .line[data-line]")
    hand.tap("[aria-label='One more']")
    hand.tap("[aria-label='One more']")
    before = position(gm)
    hand.tap("button", "Add to the fight")
    expect(gm.locator("dialog")).to_have_count(0)
    assert hand.made <= SIX_TAPS
    up_to_date(gm, at=before + 1)
    came = [one.event for one in server.recorded(system)[before:] if isinstance(one.event, Joined)]
    others = [one.event for one in server.recorded(system)[:before] if isinstance(one.event, Joined)]
    assert len(came) == 3
    assert {one.side for one in came} < {one.side for one in others}
    taken = [one.place for one in [*others, *came] if one.place]
    assert bool(came[0].place) is bool(others[0].place)
    assert system in ("verdigris", "wyrd") or len(set(taken)) == len(taken), "each stands on a cell of its own"
    for one in came:
        expect(gm.locator(f".person[data-who={one.who}]")).to_be_visible()


def test_a_hidden_newcomer_appears_where_the_map_was_tapped(server: Served, windows: Windows) -> None:
    """On a phone too; a player sees nothing of it."""
    gm = windows.open(server.links["hidden"]["game master"], size=PHONE)
    gm.locator(".tabs").get_by_role("button", name="More").click()
    hand = Taps(gm)
    hand.tap("button", "Add combatants …")
    hand.tap("dialog.picker .line[data-line=minion]")
    hand.tap(".joining label.check", "Hidden")
    gm.locator(".joining .cell[data-cell='3,3']").click()
    stays_within(gm)
    before = position(gm)
    hand.tap("button", "Add to the fight")
    expect(gm.locator("dialog")).to_have_count(0)
    up_to_date(gm, at=before + 1)
    lines = server.recorded("hidden")[before:]
    came = next(one.event for one in lines if isinstance(one.event, Joined))
    assert came.place == "3,3"
    assert any(isinstance(one.event, Concealed) for one in lines)
    ilse = windows.open(server.links["hidden"]["Ilse"])
    expect(ilse.locator(".person")).to_have_count(6)
    assert came.who not in ilse.evaluate("document.documentElement.outerHTML").casefold()


def test_what_cannot_join_is_said_at_its_field(server: Served, windows: Windows) -> None:
    """A custom combatant without numbers stays on the sheet with its errors; filled in, it joins."""
    gm = windows.open(server.links["refused"]["game master"])
    gm.get_by_role("button", name="Rule …").click()
    gm.locator("#ruling-kind").select_option("join")
    gm.locator("dialog.picker .line", has_text="Custom combatant").click()
    before = position(gm)
    gm.get_by_role("button", name="Add to the fight").click()
    expect(gm.locator(".joining > form > .warning")).not_to_be_empty()
    expect(gm.locator(".joining .fighter.bad")).to_have_count(1)
    assert position(gm) == before
    for name, value in (("agility", "11"), ("might", "3"), ("health", "7")):
        gm.locator(f".joining [data-field='combatant[0].{name}'] input").fill(value)
    gm.locator(".joining [data-field='combatant[0].name'] input").fill("Rook")
    gm.locator("#join-reason").fill("out of the shadows")
    gm.get_by_role("button", name="Add to the fight").click()
    expect(gm.locator("dialog")).to_have_count(0)
    up_to_date(gm, at=before + 1)
    expect(gm.locator(".person[data-who=rook]")).to_be_visible()
    ruled = next(one.event for one in server.recorded("refused")[before:] if isinstance(one.event, Ruled))
    assert ruled.reason == "out of the shadows"
