"""A player runs into a concealed combatant: the player waits, the game master reads the reason and decides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

from tests.page.duels import moved_on
from tests.page.served import Served
from tests.page.window import Windows, position
from tests.serve.test_attempts_served import MOVE, ROOM

FIGHTS = ("fails", "again", "reveal")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a fight for each test, and a concealed combatant two cells from Ilse."""
    with Served(tmp_path_factory.mktemp("attempts")) as running:
        for name in FIGHTS:
            running.begin(name, ROOM.format("3,1"), dice="entered")
        running.start(*FIGHTS)
        for name in FIGHTS:
            for words in ("gm begin", "roll 15", "roll 3", "roll 2"):
                send_intent(running, name, "game master", {"type": "Said", "words": words})
        yield running


def let_ilse_attempt(server: Served, windows: Windows, fight: str) -> tuple[Page, Page]:
    """Let Ilse's player attempt the move; return the game master's window and the player's."""
    gm, ilse = (windows.open(server.links[fight][who]) for who in ("game master", "Ilse"))
    expect(ilse.locator(".kinds")).to_be_visible()
    before = position(ilse)
    send_intent(server, fight, "Ilse", MOVE)
    moved_on(gm, ilse, after=before)
    expect(ilse.locator(".standing").first).to_contain_text("Waiting for the game master")
    expect(ilse.locator(".card.question")).to_have_count(0)
    return gm, ilse


def send_intent(server: Served, fight: str, who: str, intent: dict[str, Any]) -> None:
    """Send an intent with the link of a participant."""
    token = server.links[fight][who].partition("&token=")[2]
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    body = json.dumps({"id": json.dumps(intent), "intent": intent}).encode()
    with urlopen(Request(f"{server.address}/api/fights/{fight}/commands", body, headers)) as answer:
        assert answer.status == 200


def test_the_game_master_reads_why_and_lets_it_fail(server: Served, windows: Windows) -> None:
    gm, ilse = let_ilse_attempt(server, windows, "fails")
    card = gm.locator(".card.question")
    expect(card).to_contain_text("What comes of the attempt?")
    expect(card).to_contain_text("Ilse tries to move to 3,1")
    expect(card).to_contain_text("because of Lurker")
    expect(card.locator(".clause")).to_contain_text("VES-031")
    card.locator("[data-choice=fails]").click()
    expect(ilse.locator(".story")).to_contain_text("Ilse cannot move to 3,1 (the attempt failed)")
    expect(ilse.locator("body")).not_to_contain_text("Lurker")


def test_the_game_master_lets_the_player_choose_again(server: Served, windows: Windows) -> None:
    gm, ilse = let_ilse_attempt(server, windows, "again")
    gm.locator(".card.question [data-choice=again]").click()
    expect(ilse.locator(".kinds")).to_be_visible()


def test_the_page_lets_the_game_master_reveal_the_obstacle(server: Served, windows: Windows) -> None:
    gm, ilse = let_ilse_attempt(server, windows, "reveal")
    gm.get_by_role("button", name="Reveal Lurker").click()
    expect(ilse.locator(".kinds")).to_be_visible()
    expect(ilse.locator("body")).to_contain_text("Lurker")
