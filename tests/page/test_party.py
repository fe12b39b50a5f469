"""A party on the page: made, corrected, taken back, and begun with in the places of another side."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.page.duels import DUEL
from tests.page.reach import within_reach
from tests.page.served import Served
from tests.page.test_over import Host
from tests.page.window import Windows


def correct_member(ilse: Locator, *, health: str, lost: bool) -> None:
    """Correct her health, and whether she lost the only thing that she can lose."""
    ilse.get_by_role("button", name="Correct Ilse").click()
    ilse.get_by_label("Health").fill(health)
    ilse.get_by_role("group", name="Lost").get_by_role("checkbox").set_checked(lost)
    within_reach(ilse.page)
    ilse.get_by_role("button", name="Set").click()


def test_a_party_is_looked_after_by_clicking_alone(server: Served, windows: Windows) -> None:
    """Its members and their state come from the server; the costs of its fights stay with it."""
    server.start()
    host = Host(server)
    host.does("PUT", "/encounters/duel", {"toml": DUEL})
    host.does("PUT", "/encounters/yard", {"toml": DUEL.replace("A duel", "The yard").replace("Ilse", "Cato")
                                          .replace("ilse", "cato").replace('"red"', '"guards"')})  # fmt: skip
    page = windows.open(server.host)
    page.get_by_role("link", name="New party").click()
    page.get_by_label("Name").fill("The brave")
    page.get_by_label("Encounter").select_option(label="A duel")
    page.get_by_label("Side").select_option("red")
    within_reach(page)
    page.get_by_role("button", name="Create").click()
    ilse = page.locator("[data-member=ilse]")
    expect(ilse.get_by_role("meter")).to_have_attribute("aria-valuetext", "10 of 10")

    correct_member(ilse, health="6", lost=True)
    expect(ilse).to_contain_text("sword: lost")
    page.get_by_role("button", name="Undo").click()
    expect(ilse).not_to_contain_text("sword: lost")
    expect(ilse.get_by_role("meter")).to_have_attribute("aria-valuetext", "10 of 10")
    correct_member(ilse, health="6", lost=False)
    expect(ilse.get_by_role("meter")).to_have_attribute("aria-valuetext", "6 of 10")

    kept = host.does("GET", "/parties/the-brave")
    host.does("PUT", "/parties/the-brave", {"toml": f"# ours\n{kept['toml']}", "version": kept["version"]})
    page.reload()
    page.get_by_role("button", name="Members").click()
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("[data-line=hero]").click()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Edit Hero").click()
    page.get_by_label("Name", exact=True).fill("Dora")
    within_reach(page)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-member=dora]")).to_be_visible()
    assert host.does("GET", "/parties/the-brave")["toml"].startswith("# ours\n")

    page.get_by_label("Encounter").select_option(label="The yard")
    page.get_by_label("In place of").select_option("guards")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("[data-who=ilse] .number")).to_contain_text("6/10")
    host.says("the-yard", "rule pool ilse health by=-2", "rule end guards")
    page.locator(".over").get_by_role("button", name="Apply the cost to The brave").click()
    page.locator(".over").get_by_role("link", name="Manage The brave").click()
    expect(page.locator(".kept-row")).to_contain_text("Ilse: health 6 → 4")
    page.get_by_text("As a file").click()
    within_reach(page)
    page.get_by_role("button", name="Delete the party").click()
    page.get_by_role("button", name="Delete it for good").click()
    expect(page.get_by_role("heading", name="Parties")).to_be_visible()
    assert host.does("GET", "/parties")["saved"] == []
