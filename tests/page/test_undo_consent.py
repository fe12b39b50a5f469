"""A player's undo of fallen dice at the table: the player waits, the game master allows or declines it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from affray.events import Rewound, Rolled, UndoDeclined, UndoRequested
from tests.page.duels import DUEL, begin, moved_on, sit_down
from tests.page.served import Served
from tests.page.window import Windows, declare, position

SOLO = DUEL.replace("health = 5", "health = 40")
"""The duel, with somebody who outlives a blow."""


def open_undo_windows(server: Served, windows: Windows) -> tuple[Page, Page]:
    """Return both windows behind Ilse's blow and her wish to take it back."""
    server.begin("duel", SOLO)
    server.start("duel")
    gm, ilse = sit_down(server, windows)
    begin(gm, ilse)
    while not ilse.locator(".kinds [data-kind=attack]").count():
        before = position(gm)
        declare(gm, "end_turn")
        moved_on(gm, ilse, after=before)
    before = position(gm)
    declare(ilse, "attack")
    moved_on(gm, ilse, after=before)
    assert any(isinstance(one.event, Rolled) for one in server.recorded("duel")[before:])
    before = position(gm)
    ilse.get_by_role("button", name="Undo").click()
    moved_on(gm, ilse, after=before)
    return gm, ilse


def read_last_event(server: Served) -> object:
    return server.recorded("duel")[-1].event


def test_the_player_waits_and_the_game_master_allows_it(server: Served, windows: Windows) -> None:
    gm, ilse = open_undo_windows(server, windows)
    assert isinstance(read_last_event(server), UndoRequested)
    expect(ilse.locator(".undo-request")).to_have_text("Undo requested. Waiting for the game master.")
    expect(ilse.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    card = gm.locator(".undo-request")
    expect(card.get_by_role("heading")).to_have_text("Ilse asks for an undo")
    expect(card).to_contain_text("Ilse attacks Bram")
    before = position(gm)
    card.get_by_role("button", name="Allow").click()
    moved_on(gm, ilse, after=before)
    assert isinstance(read_last_event(server), Rewound)
    for page in (gm, ilse):
        expect(page.locator(".undo-request")).to_have_count(0)
    expect(ilse.locator(".kinds [data-kind=attack]")).to_be_visible()


def test_declined_it_counts_and_may_be_asked_for_again(server: Served, windows: Windows) -> None:
    gm, ilse = open_undo_windows(server, windows)
    before = position(gm)
    gm.locator(".undo-request").get_by_role("button", name="Decline").click()
    moved_on(gm, ilse, after=before)
    assert isinstance(read_last_event(server), UndoDeclined)
    for page in (gm, ilse):
        expect(page.locator(".undo-request")).to_have_count(0)
    undo = ilse.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "false")
    before = position(gm)
    undo.click()
    moved_on(gm, ilse, after=before)
    expect(gm.locator(".undo-request")).to_be_visible()
