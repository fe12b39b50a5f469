"""Arrivals: the links of a fight, the present participants, new links and revoked ones."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.page.duels import DUEL, sit_down
from tests.page.reach import within_reach
from tests.page.served import Served
from tests.page.window import Windows, look, stays_within


def who_is_here(page: Page) -> None:
    """Open the sheet of participants, by its button on this screen."""
    look(page, "More")
    page.locator(".here:visible").click()
    expect(page.locator("dialog.coming h2")).to_be_visible()


def test_a_player_sits_down_by_a_link_that_the_game_master_made_and_is_shown_out(
    server: Served, windows: Windows
) -> None:
    """At the table with no tap at all; who comes and goes is seen at once; a link that was taken back is no good."""
    server.begin("duel", DUEL)
    server.start("duel")
    gm, ilse = sit_down(server, windows)
    expect(gm.locator(".hint")).to_have_attribute("data-hint", "invite")
    ilse.locator(".hint").get_by_role("button", name="Dismiss").click()
    for _ in range(2):  # and it is remembered
        expect(ilse.locator(".idle")).to_be_visible()
        expect(ilse.locator(".hint")).to_have_count(0)
        ilse.reload()
    who_is_here(gm)
    expect(gm.locator(".hint")).to_have_count(0)
    seat = gm.locator("[data-seat=Ilse]")
    expect(seat).to_contain_text("online")
    seat.get_by_role("button", name="A link for Ilse").click()
    link = seat.get_by_label("The link of Ilse", exact=True).input_value()
    assert link.startswith(f"{server.address}/#fight=duel&token=")
    expect(seat.get_by_role("img", name="QR code")).to_be_visible()
    gm.get_by_text("Invite another person").click()
    within_reach(gm)
    ilse.context.close()
    expect(seat).to_contain_text("offline")

    ilse = windows.open(link, size=(390, 844), colours="dark")
    expect(ilse.locator(".stage, .ranks").first).to_be_visible()
    expect(seat).to_contain_text("online")
    stays_within(ilse)
    who_is_here(ilse)
    expect(ilse.locator("dialog.coming")).to_contain_text("Game master")
    expect(ilse.locator("dialog.coming").get_by_role("button")).to_have_text(["Done"])

    gm.get_by_label("Name", exact=True).fill("Sanna")
    gm.get_by_role("checkbox", name="Bram").check()
    gm.get_by_role("button", name="Make a link").click()
    expect(gm.locator("[data-seat=Sanna]")).to_contain_text("plays Bram")

    seat.get_by_role("button", name="Revoke").click()
    expect(seat).to_contain_text("Ilse is online. Revoke the link?")
    seat.get_by_role("button", name="Revoke").click()
    expect(seat).to_contain_text("no link")
    lost = ilse.locator(".now [role=alert]")
    expect(lost).to_contain_text("This link no longer works: it was revoked")
    expect(lost).to_contain_text("Ask the game master for a new link.")
    expect(ilse.locator(".now button, .taking button, .tools button")).to_have_count(0)
    within_reach(ilse)
    stays_within(ilse)
    ilse.reload()
    expect(ilse.locator(".start .refusal")).to_contain_text("Ask the game master for a new link.")


def test_the_host_sets_the_public_address_and_links_begin_with_it_at_once(server: Served, windows: Windows) -> None:
    """The page says whether the address leads to the server; a game master who is not the host is offered no change."""
    server.begin("duel", DUEL)
    server.start("duel")
    public = server.address.replace("127.0.0.1", "localhost")
    host = windows.open(server.host.replace("#token", "#fight=duel&token"))
    who_is_here(host)
    sheet, link = host.locator("dialog.coming"), host.get_by_label("The link of Ilse", exact=True)
    expect(sheet).to_contain_text("These links work on this computer alone.")
    sheet.get_by_role("button", name="A link for Ilse").click()
    expect(link).to_have_value(re.compile(f"^{server.address}/#fight=duel&token="))
    sheet.locator("summary", has_text="Public address").click()
    sheet.get_by_label("Address", exact=True).fill(public)
    within_reach(host)
    sheet.get_by_role("button", name="Use this address").click()
    expect(sheet.get_by_role("status")).to_have_text(f"{public} leads to this server.")
    expect(link).to_have_value(re.compile(f"^{public}/#fight=duel&token="))
    within_reach(host)

    gm = windows.open(server.links["duel"]["game master"], size=(390, 844))
    expect(gm.locator(".stage, .ranks").first).to_be_visible()
    who_is_here(gm)
    expect(gm.locator("dialog.coming .seats")).to_be_visible()
    expect(gm.locator("summary", has_text="Public address")).to_have_count(0)
    expect(gm.get_by_label("Server address")).to_have_count(0)

    sheet.get_by_role("button", name="Remove").click()
    expect(link).to_have_value(re.compile(f"^{server.address}/#fight=duel&token="))


def test_a_page_that_was_reached_by_another_name_makes_links_with_it(server: Served, windows: Windows) -> None:
    """As through a tunnel of which the server knows nothing; a browser finds each name below localhost itself."""
    server.begin("duel", DUEL)
    server.start("duel")
    there = server.address.replace("127.0.0.1", "table.localhost")
    gm = windows.open(server.links["duel"]["game master"].replace(server.address, there))
    expect(gm.locator(".stage, .ranks").first).to_be_visible()
    who_is_here(gm)
    gm.get_by_role("button", name="A link for Ilse").click()
    expect(gm.get_by_label("The link of Ilse", exact=True)).to_have_value(re.compile(f"^{there}/#fight=duel&token="))
    expect(gm.locator("dialog.coming")).not_to_contain_text("work on this computer alone")
