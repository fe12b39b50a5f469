"""The usual duel for tests of the table: Ilse, whose player has a window, and her opponent."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.page.served import Served
from tests.page.window import Windows, declare, position, up_to_date

DUEL = """\
system = "vestige"
name = "A duel"

[[combatant]]
name = "Ilse"
side = "red"
block = "hero"
weapons = ["sword"]

[[combatant]]
name = "Bram"
side = "blue"
agility = 9
might = 3
health = 5
weapons = ["sword"]

[[distance]]
between = ["ilse", "bram"]
metres = 1
"""


def sit_down(server: Served, windows: Windows, fight: str = "duel") -> tuple[Page, Page]:
    """Return the game master's window at a duel, and Ilse's, on a phone."""
    gm = windows.open(server.links[fight]["game master"])
    ilse = windows.open(server.links[fight]["Ilse"], size=(390, 844), colours="dark")
    expect(gm.locator(".kinds [data-kind=begin]")).to_be_visible()
    expect(ilse.locator(".now")).to_contain_text("Waiting for your turn")
    return gm, ilse


def moved_on(*pages: Page, after: int) -> None:
    """Wait until all windows show something newer, and the same."""
    first, *_ = pages
    first.wait_for_function("after => Number(document.body.dataset.position) > after", arg=after)
    up_to_date(*pages, at=position(first))


def begin(gm: Page, *others: Page) -> None:
    """Begin the fight at the game master's window, and wait until all windows show it."""
    before = position(gm)
    declare(gm, "begin")
    moved_on(gm, *others, after=before)


def first_turn(gm: Page, *others: Page) -> None:
    """Begin the fight, roll initiative where needed, and wait for an active combatant."""
    begin(gm, *others)
    gm.wait_for_function("() => document.querySelector('.person.up, [data-key=together]')")
    if not gm.locator(".person.up").count():
        gm.locator("[data-key=together]").click()
        gm.wait_for_function("() => document.querySelector('.person.up')")
    up_to_date(gm, *others, at=position(gm))


__all__ = ["DUEL", "begin", "first_turn", "moved_on", "sit_down"]
