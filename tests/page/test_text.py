"""User text on the page stays text in every place: it never becomes markup, and never runs."""

from __future__ import annotations

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tests.page.duels import first_turn, moved_on
from tests.page.served import Served
from tests.page.window import Windows, position, up_to_date

EVIL = "<img src=x onerror=alert(1)>"
SCRIPT = "<script>alert(2)</script>"

ENCOUNTER = f"""\
system = "verdigris"
name = "{EVIL} and {SCRIPT}"

[[zone]]
name = "{EVIL}"
exits = ["yard"]

[[zone]]
name = "yard"

[[combatant]]
name = "{EVIL}"
side = "party"
pc = true
player = "{EVIL}"
at = "yard"
strength = 4
agility = 2
dodge = 2
withstand = 3
panic = 3
hp = 6
weapons = ["broad-sword"]
items = [{{ name = "{SCRIPT}", kind = "potion", where = "belt" }}]

[[combatant]]
name = "{SCRIPT}"
side = "enemies"
block = "orc"
at = "yard"
"""


@pytest.fixture
def seats(server: Served, windows: Windows) -> tuple[Page, Page]:
    """The windows of game master and player, in a fight with such names everywhere."""
    server.begin("evil", ENCOUNTER)
    server.start("evil")
    gm = windows.open(server.links["evil"]["game master"])
    player = windows.open(server.links["evil"][EVIL], size=(390, 844))
    up_to_date(gm, player, at=len(server.recorded("evil")))
    return gm, player


def test_names_and_words_at_the_table_stay_text(seats: tuple[Page, Page]) -> None:
    """Names of the fight, people, things, places and players, words for the dice, a note, a reason, a command."""
    gm, player = seats
    expect(gm.locator("h1")).to_have_text(f"{EVIL} and {SCRIPT}")
    expect(gm.locator(".board .label")).to_have_count(2)
    expect(player.locator(".tag.me")).to_contain_text(EVIL)
    before = position(gm)
    gm.get_by_text("Add words to the dice seed").click()
    gm.get_by_label("Any words").fill(EVIL)
    gm.get_by_role("button", name="Add", exact=True).click()
    moved_on(gm, player, after=before)
    notes(gm, player)
    for page in seats:
        expect(page.locator(".story")).to_contain_text(f"Note: “{SCRIPT}”")
        expect(page.locator("#spoken")).to_contain_text(SCRIPT)
    gm.locator(".saying summary").click()
    gm.get_by_label("Command, as on the command line").fill(f"{EVIL} attack {SCRIPT}")
    gm.get_by_role("button", name="Send", exact=True).click()
    expect(gm.locator(".refusal[role=alert]")).not_to_be_empty()
    markup(*seats)


def test_names_and_reasons_in_every_sheet_stay_text(seats: tuple[Page, Page], windows: Windows) -> None:
    """A receipt, an amendment, the links of a what-if and its story, the replay and what an audit says."""
    gm, player = seats
    notes(gm, player)
    first_turn(gm, player)
    gm.locator(".roll").first.click()
    expect(gm.locator("dialog .receipt")).to_be_visible()
    markup(gm, player)
    gm.keyboard.press("Escape")
    gm.locator(".entry", has_text="The game master rules").locator("button.at").click()
    expect(gm.locator("form.amend")).to_be_visible()
    markup(gm, player)
    gm.keyboard.press("Escape")
    gm.get_by_role("button", name="Record …").click()
    gm.locator("dialog .deed summary", has_text="what-if").click()
    gm.locator("#fork-reason").fill(EVIL)
    gm.get_by_role("button", name="Start the what-if").click()
    expect(gm.locator(".begun a", has_text=EVIL)).to_have_count(1)
    markup(gm, player)
    other = windows.open(str(gm.locator(".begun a").first.get_attribute("href")))
    expect(other.locator(".story")).to_contain_text(f"– “{EVIL}”")
    markup(other)
    gm.keyboard.press("Escape")
    gm.get_by_role("link", name="Replay").click()
    expect(gm.locator(".proof")).to_have_attribute("data-proof", "whole")
    gm.locator(".scrubber").press("End")
    expect(gm.locator(".person .name").first).to_have_text(EVIL)
    gm.get_by_role("button", name="Audit this fight").click()
    expect(gm.locator(".findings .good")).to_contain_text(SCRIPT)
    markup(gm)


def notes(gm: Page, player: Page) -> None:
    """Rule that something be written down, for a reason."""
    before = position(gm)
    gm.get_by_role("button", name="Rule …").click()
    form = gm.locator("form.ruling")
    form.locator("#ruling-kind").select_option("note")
    form.get_by_label("Text").fill(SCRIPT)
    form.get_by_label("Reason").fill(EVIL)
    markup(gm, player)
    form.get_by_role("button", name="Rule").click()
    moved_on(gm, player, after=before)


def test_a_log_file_that_somebody_forged_stays_text(server: Served, windows: Windows) -> None:
    """Its file name, its fields and its lines, even if no program of ours could have written them."""
    server.begin("evil", ENCOUNTER)
    server.start("evil")
    lines = [msgspec.json.decode(line) for line in server.store.read("evil")]
    for line in lines:
        line["who"] = EVIL
        event = line["event"]
        for name in ("place", "fight", "system", "kind", "name", "side"):
            if name in event:
                event[name] = EVIL
    lines[-1]["more"] = 0
    page = windows.open(f"{server.address}/")
    for name, content in {
        f"{EVIL.replace('/', '')}.jsonl": b"".join(msgspec.json.encode(line) + b"\n" for line in lines),
        f"{EVIL}.txt": f'{{"position":"{EVIL}"}}'.encode(),
    }.items():
        page.set_input_files("#log-file", {"name": name, "mimeType": "application/jsonl", "buffer": content})
        expect(page.locator(".proof[data-proof=broken], .toast.bad").last).to_be_visible()
        markup(page)
        page.evaluate("location.hash = ''")
        page.goto(f"{server.address}/")


def markup(*pages: Page) -> None:
    """Check that no user text became an element or ran; a run would open a dialog or fail."""
    for page in pages:
        assert page.locator("img, script:not([src], [type=importmap])").count() == 0
        assert page.locator("[onerror], [onload], [href^='javascript:']").count() == 0
