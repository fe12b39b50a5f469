"""A small fight in each rule system, and how a player's turn is reached in it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.page.duels import DUEL, first_turn, moved_on
from tests.page.served import Served
from tests.page.test_dice import POOLS
from tests.page.test_maps import HEXES
from tests.page.window import Windows, declare, position, up_to_date

PHONE = (390, 844)

WWN = """\
system = "wwn"
name = "At the well"

[[combatant]]
name = "Osric"
side = "party"
pc = true
class = "warrior"
level = 2
hp = 15
skills = { stab = 1 }
weapons = ["mace"]

[[combatant]]
name = "Thug"
count = 2
side = "thieves"
ac = 12
hp = 11
attack = 1
morale = 12
weapons = ["dagger"]

[[distance]]
between = ["osric", "thug-a"]
feet = 5

[[distance]]
between = ["osric", "thug-b"]
feet = 5
"""

WYRD = """\
system = "wyrd"
name = "In the yard"

[[place]]
name = "yard"

[[combatant]]
name = "Grog"
side = "party"
pc = true
block = "grog"
at = "yard"

[[combatant]]
name = "Orc"
count = 3
side = "foes"
block = "orc"
at = "yard"

[[melee]]
members = ["grog", "orc-a"]
"""

FIGHTS = {
    "vestige": DUEL,
    "hexblade": HEXES.replace('at = "3,0"', 'at = "1,0"'),
    "verdigris": POOLS,
    "wwn": WWN,
    "wyrd": WYRD,
}


def player_of(server: Served, fight: str) -> str:
    """Return the link of the first player."""
    return next(link for who, link in server.links[fight].items() if who not in ("game master", "spectators"))


def players_turn(server: Served, windows: Windows, fight: str) -> tuple[Page, Page]:
    """Return the game master's window and a player's phone, in the player's turn."""
    gm = windows.open(server.links[fight]["game master"], size=(1280, 800))
    phone = windows.open(player_of(server, fight), size=PHONE)
    expect(gm.locator(".kinds [data-kind=begin]")).to_be_visible()
    first_turn(gm, phone)
    others_end(gm, phone)
    return gm, phone


def others_end(gm: Page, phone: Page) -> None:
    """Let all other combatants end their turns until the player's."""
    for _ in range(12):
        if phone.locator(".headline.mine").count() and phone.locator("[data-kind=end_turn]").count():
            break
        before = position(gm)
        declare(gm, "end_turn")
        moved_on(gm, phone, after=before)
        gm.wait_for_function("() => document.querySelector('.kinds [data-kind=end_turn], [data-key=together]')")
        if gm.locator("[data-key=together]").count():
            gm.locator("[data-key=together]").click()
            gm.wait_for_function("() => document.querySelector('.kinds [data-kind=end_turn]')")
        up_to_date(gm, phone, at=position(gm))
