"""The sheet of a combatant: one tap for a player, with what each number, condition and thing is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Raw
from playwright.sync_api import expect

from affray.engine import open_fight
from affray.events import Ruled
from tests.engine.fights import submit_accepted
from tests.page.served import Served
from tests.page.set_fights import PHONE
from tests.page.window import Windows, stays_within

SHIPPED = Path(__file__).parents[2] / "encounters"

SHEETS = {
    "hexblade": ("barrow", "Isen", ("Attributes", "Strength", "long sword", "d8")),
    "verdigris": ("gatehouse", "Hild", ("Defences", "Dodge", "kite shield", "rating 2")),
    "vestige": ("bridge", "Ilse", ("Energy", "3 of 5", "Lunge", "takes the initiative")),
    "wwn": ("cellar", "Hild", ("16 of 16", "short sword", "1d6 damage", "Shock 2, up to AC 15")),
    "wyrd": ("mill", "Grog", ("Ability", "Power", "greatsword", "d10")),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a shipped encounter of each system; in one of them a hero is prone."""
    with Served(tmp_path_factory.mktemp("sheets")) as running:
        for system, (name, _, _) in SHEETS.items():
            running.begin(system, (SHIPPED / system / f"{name}.toml").read_text("utf-8"))
        fight = open_fight("wwn", running.store)
        prone = Raw(b'{"who":"hild","condition":"prone"}')
        submit_accepted(fight, Ruled(kind="condition", params=prone, reason="a wet floor"))
        running.start(*SHEETS)
        yield running


@pytest.mark.parametrize("system", SHEETS)
def test_a_player_opens_the_own_sheet_with_one_tap(server: Served, windows: Windows, system: str) -> None:
    """On a phone, in each system, with numbers, gear and what it does; no word is a name of the program."""
    _, player, texts = SHEETS[system]
    page = windows.open(server.links[system][player], size=PHONE)
    page.locator(".own-sheets").click()
    sheet = page.locator("dialog.character")
    expect(sheet.get_by_role("heading", name=player)).to_be_visible()
    for text in texts:
        expect(sheet).to_contain_text(text)
    assert "_" not in sheet.inner_text()
    assert "“" not in sheet.inner_text()
    stays_within(page)
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_have_count(0)


def test_a_condition_tells_what_brought_it(server: Served, windows: Windows) -> None:
    """A tap opens the receipt of the event, with its cause."""
    page = windows.open(server.links["wwn"]["Hild"])
    page.locator(".own-sheets").click()
    page.locator("dialog.character .chip [role=button]", has_text="prone").click()
    expect(page.locator("dialog .receipt")).to_contain_text("a wet floor")


def test_the_game_master_opens_any_sheet_and_others_only_their_own(server: Served, windows: Windows) -> None:
    """From the sheet beside a combatant, or from the rulings on it."""
    gm = windows.open(server.links["vestige"]["game master"])
    expect(gm.locator(".own-sheets")).to_have_count(0)
    gm.locator(".token[data-who=captain]").click(button="right")
    gm.locator("dialog.sheet").get_by_role("button", name="Sheet", exact=True).click()
    expect(gm.locator("dialog.character").get_by_role("heading", name="Captain")).to_be_visible()
    ilse = windows.open(server.links["vestige"]["Ilse"])
    ilse.locator(".token[data-who=captain]").click()
    expect(ilse.locator(".foe")).to_be_visible()
    expect(ilse.locator(".foe").get_by_role("button", name="Sheet", exact=True)).to_have_count(0)
    watcher = windows.open(server.links["vestige"]["spectators"])
    expect(watcher.locator(".token").first).to_be_visible()
    expect(watcher.locator(".own-sheets")).to_have_count(0)
