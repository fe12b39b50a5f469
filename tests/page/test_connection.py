"""A server that is away or started again: commands wait for it, the host's link stays good, a lost link says so."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from affray.events import Declared
from tests.page.duels import DUEL, begin, moved_on, sit_down
from tests.page.reach import within_reach
from tests.page.served import Served
from tests.page.window import Windows, declare, position

NOT_SENT = "Your command has not been sent yet"


@pytest.fixture
def duel(server: Served) -> Served:
    """The server with a duel."""
    server.begin("duel", DUEL)
    server.start("duel")
    return server


def say_end_of_turn(gm: Page) -> None:
    """Type the end of the turn of the active combatant, and send it."""
    who = gm.locator(".person.up").get_attribute("data-who")
    gm.locator(".saying summary").click()
    gm.locator("#words").fill(f"{who} end_turn")
    gm.get_by_role("button", name="Send", exact=True).click()


def forgive(windows: Windows) -> None:
    """Forget what failed because the server was killed."""
    windows.wrong[:] = [text for text in windows.wrong if text != "Failed to fetch"]


def test_a_command_waits_for_the_server_and_is_carried_out_once(duel: Served, windows: Windows) -> None:
    """The page says so meanwhile."""
    gm, ilse = sit_down(duel, windows)
    begin(gm, ilse)
    before, known = position(gm), len(duel.recorded("duel"))
    duel.kill()
    say_end_of_turn(gm)
    expect(gm.locator(".unsent")).to_contain_text(NOT_SENT)
    duel.start("duel")
    moved_on(gm, ilse, after=before)
    expect(gm.locator(".unsent")).to_be_empty()
    expect(gm.locator(".now .refusal[role=alert]")).to_be_empty()
    later = [one.event for one in duel.recorded("duel")][known:]
    assert sum(isinstance(one, Declared) and one.kind == "end_turn" for one in later) == 1
    forgive(windows)


def test_a_waiting_command_outlasts_a_reload(duel: Served, windows: Windows) -> None:
    """The window keeps it, with its id, so that it is carried out once."""
    gm, ilse = sit_down(duel, windows)
    begin(gm, ilse)
    before, known = position(gm), len(duel.recorded("duel"))
    gm.route("**/commands", lambda sent: sent.abort())
    say_end_of_turn(gm)
    expect(gm.locator(".unsent")).to_contain_text(NOT_SENT)
    gm.reload()
    expect(gm.locator(".unsent")).to_contain_text(NOT_SENT)
    gm.unroute("**/commands")
    moved_on(gm, ilse, after=before)
    expect(gm.locator(".unsent")).to_be_empty()
    later = [one.event for one in duel.recorded("duel")][known:]
    assert sum(isinstance(one, Declared) and one.kind == "end_turn" for one in later) == 1
    assert gm.evaluate("Object.keys(sessionStorage).filter((key) => key.includes('unsent'))") == []
    forgive(windows)


def test_what_cannot_be_asked_or_sent_is_said_to_be_lost(duel: Served, windows: Windows) -> None:
    """An action is refused if its choices cannot be read; a waiting command is lost when its table is left."""
    gm, ilse = sit_down(duel, windows)
    begin(gm, ilse)
    duel.kill()
    gm.locator(".kinds [data-kind=end_turn]").click()
    refusal = gm.locator(".now .refusal[role=alert]")
    expect(refusal).to_contain_text("No connection to the server. Nothing was changed.")
    duel.start("duel")
    expect(gm.locator("#link-state")).to_have_text("", timeout=20_000)
    expect(refusal).to_be_empty()
    duel.kill()
    say_end_of_turn(gm)
    expect(gm.locator(".unsent")).to_contain_text(NOT_SENT)
    gm.get_by_role("link", name="Replay").click()
    expect(gm.locator(".toast")).to_contain_text("Your last command was not sent.")
    forgive(windows)


def test_the_host_plays_on_after_a_restart_until_the_link_is_revoked(duel: Served, windows: Windows) -> None:
    """The window says what happened and what to do. It has no button that would be refused."""
    gm = windows.open(duel.host)
    gm.goto(f"{duel.address}/#fight=duel")
    expect(gm.locator(".kinds [data-kind=begin]")).to_be_visible()
    duel.kill()
    duel.start("duel")
    expect(gm.locator("#link-state")).to_have_text("", timeout=20_000)
    declare(gm, "begin")
    expect(gm.locator(".person.up")).to_have_count(1)
    duel.kill()
    duel.start("duel", "--new-host-link")
    lost = gm.locator(".now [role=alert]")
    expect(lost).to_contain_text(
        "The host's link no longer works. Open the one that affray serve printed last", timeout=20_000
    )
    expect(gm.locator(".now button, .taking button, .tools button, .stage button")).to_have_count(0)
    within_reach(gm)
    gm.reload()
    expect(gm.locator(".start .refusal")).to_contain_text("The host's link no longer works.")
    gm.goto(duel.host)
    expect(gm.locator(".home")).to_be_visible()
    forgive(windows)
