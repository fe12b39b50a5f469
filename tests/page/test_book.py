"""The book of a system in a browser: links, reading, search, and citations that lead to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.examples import THOROUGH
from tests.page.duels import DUEL, begin, sit_down
from tests.page.reach import AXE, FOUND, MEASURED, SCREENS, SIZES, screens
from tests.page.served import Served
from tests.page.window import Windows
from tests.rulesets.systems import PRESENT

BOOK_MS = 30_000
"""How long a book may take to stand at its clause: it is a megabyte, and the machine may be busy."""


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server without any fight."""
    with Served(tmp_path_factory.mktemp("books")) as running:
        running.start()
        yield running


@pytest.mark.parametrize("system", PRESENT)
def test_it_can_be_read_on_every_screen(books: Served, windows: Windows, system: str) -> None:
    """No script or style is refused, all letters stand out, and only tables may be wider than the screen.

    Colours come from one style sheet: both are looked at in one book, and the others where the screen is narrow.
    """
    page = windows.open(f"{books.address}/rules/{system}")
    page.evaluate("for (const one of document.querySelectorAll('.clause details')) one.open = true")
    on_bars = ("text.ona", "text.onb", "text.onc", "text.ond", "text.one", "text.onf")
    for _ in screens(page, *(SCREENS if THOROUGH or system == PRESENT[0] else SCREENS[-1:])):
        found = page.evaluate(MEASURED)
        assert [one for one in found["dull"] if not one.startswith(on_bars)] == []
        assert [one for one in found["wide"] if not one.startswith("div.scroll")] == []
    if system == "vestige":  # all are made from one template, and this is the shortest
        page.evaluate(AXE)
        assert page.evaluate(FOUND, ["color-contrast"]) == []  # measured above, which is faster on so long a page


def test_a_search_leaves_what_it_finds_and_enter_goes_there(books: Served, windows: Windows) -> None:
    page = windows.open(f"{books.address}/rules/wyrd")
    page.keyboard.press("/")
    page.keyboard.type("nimble dodge")
    expect(page.locator("#count")).to_contain_text(" of ")
    assert 0 < page.locator("article.clause:visible").count() < 20
    page.keyboard.press("Enter")
    expect(page.locator("article.clause:target")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.locator("#count")).to_be_empty()
    expect(page.locator("#WYR-001")).to_be_visible()


def test_a_clause_is_found_by_its_number_however_it_is_written(books: Served, windows: Windows) -> None:
    page = windows.open(f"{books.address}/rules/vestige")
    for written in ("ves33", "VES-33", "ves-033"):
        page.locator("#find").fill(written)
        expect(page.locator("#VES-033")).to_be_visible()
    page.locator("#find").press("Enter")
    expect(page.locator("#VES-033")).to_be_in_viewport()
    page.locator("#find").fill("no such words")
    expect(page.locator("#count")).to_have_text("nothing found")


def test_a_link_to_what_a_search_hides_shows_it(books: Served, windows: Windows) -> None:
    page = windows.open(f"{books.address}/rules/wyrd")
    page.locator("#find").fill("no such words")
    expect(page.locator("#WYR-014")).to_be_hidden()
    page.evaluate("location.hash = 'WYR-014'")
    expect(page.locator("#WYR-014")).to_be_in_viewport()


def test_a_function_opens_where_it_stands(books: Served, windows: Windows) -> None:
    page = windows.open(f"{books.address}/rules/wyrd#WYR-020")
    page.locator("#WYR-020 .decided a").first.click()
    expect(page.locator(".code div:target pre")).to_be_in_viewport()


def test_contents_open_and_close_on_a_phone(books: Served, windows: Windows) -> None:
    page = windows.open(f"{books.address}/rules/wyrd", size=SIZES["narrow"])
    expect(page.locator("#contents")).to_be_hidden()
    page.get_by_role("button", name="Contents").click()
    page.locator("#contents a[href='#WYR-055']").click()
    expect(page.locator("#contents")).to_be_hidden()
    expect(page.locator("#WYR-055")).to_be_in_viewport()


def test_a_refusal_leads_to_its_clause(server: Served, windows: Windows) -> None:
    server.begin("refused", DUEL, first="ilse")
    server.start("refused")
    gm, ilse = sit_down(server, windows, "refused")
    begin(gm, ilse)
    gm.locator(".saying summary").click()
    gm.get_by_label("Command, as on the command line").fill("bram move 2")
    gm.get_by_role("button", name="Send", exact=True).click()
    with gm.expect_popup() as opened:
        gm.locator(".refusal a.clause").click()
    opened.value.wait_for_load_state()
    expect(opened.value.locator("article.clause:target")).to_be_in_viewport(timeout=BOOK_MS)
