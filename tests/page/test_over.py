"""After a fight: its costs, and the same party in several sessions."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import expect

from tests.page.duels import DUEL
from tests.page.reach import within_reach
from tests.page.served import Served
from tests.page.window import Windows, stays_within


class Host:
    """A server's host, over its routes."""

    def __init__(self, server: Served) -> None:
        self.address = f"{server.address}/api"
        self.headers = {"Authorization": f"Bearer {server.host.partition('token=')[2]}"}

    def does(self, method: str, path: str, body: Any = None) -> Any:
        """Ask for something, and return the answer."""
        answer = httpx.request(method, self.address + path, headers=self.headers, json=body, timeout=30)
        assert answer.is_success, answer.text
        return answer.json()

    def says(self, fight: str, *all_words: str) -> None:
        """Carry out commands in a fight."""
        for words in all_words:
            intent = {"type": "Said", "words": words, "reason": ""}
            self.does("POST", f"/fights/{fight}/commands", {"id": words, "intent": intent})


OVER = "The fight is over, won by the red: so the game master ruled"


def test_a_party_goes_from_a_fight_that_is_over_to_the_next(server: Served, windows: Windows) -> None:
    """Kept from the table, it bears what the fight cost; the next one begins from there by one click."""
    server.start()
    host = Host(server)
    host.does("PUT", "/encounters/alley", {"toml": DUEL.replace("A duel", "The alley")})
    links = host.does("POST", "/fights", {"id": "duel", "toml": DUEL})["links"]
    host.says("duel", "rule pool ilse health by=-4", "rule end red")

    ilse = windows.open(links["players"]["Ilse"], size=(390, 844), colours="dark")
    over = ilse.locator(".over")
    expect(over.get_by_role("heading", name=OVER, exact=True)).to_be_visible()
    expect(over).to_contain_text("Ilse: health 10 → 6")
    expect(over.get_by_text("Report as a web page")).to_be_visible()
    expect(over).not_to_contain_text("What next?")
    expect(ilse.locator(".tabs button")).to_have_text(["Over", "People", "Story", "More"])  # it has no map
    stays_within(ilse)
    over.get_by_role("button", name="Back to the table").click()
    expect(over).to_have_count(0)
    ilse.get_by_role("button", name="How it ended").click()
    expect(over).to_be_visible()

    gm = windows.open(server.host)
    gm.goto(f"{server.address}/#fight=duel")
    over = gm.locator(".over")
    over.get_by_label("Name").fill("The brave")
    over.get_by_role("button", name="Save").click()
    expect(over).to_contain_text("The cost is applied to The brave")
    within_reach(gm)
    over.get_by_role("button", name="Start").click()
    expect(gm.locator("h1")).to_have_text("The alley")
    expect(gm.locator("[data-who=ilse] .number")).to_contain_text("6/10")
    assert host.does("GET", "/fights/the-alley/origin")["party"] == "the-brave"
