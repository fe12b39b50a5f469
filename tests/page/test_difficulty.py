"""The difficulty of an encounter, in the browser, while it is edited."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.examples import THOROUGH
from tests.page.making import add_from_library, begin_empty, card
from tests.page.served import Served
from tests.page.window import Windows


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all of them; it is empty at first."""
    with Served(tmp_path_factory.mktemp("difficulty")) as running:
        running.start()
        yield running


@pytest.fixture
def host(served: Served, windows: Windows) -> Page:
    """The host's window."""
    return windows.open(served.host)


def chances(page: Page) -> dict[str, int]:
    """Return the finished chance to win of each side, in percent."""
    expect(page.locator(".difficulty[data-stage=done]")).to_be_visible(timeout=180_000)
    found = [re.match(r"(\d+) % (\w+)", one) for one in page.locator(".chance-of li").all_inner_texts()]
    return {one[2]: int(one[1]) for one in found if one}


def test_a_new_foe_lowers_the_chance_and_the_suggestion_to_remove_it_tells_the_old_one(host: Page) -> None:
    begin_empty(host, "vestige", "The gate")
    add_from_library(host, "party", "hero", "hero")
    expect(host.locator(".difficulty")).to_have_count(0)  # nobody to fight yet
    add_from_library(host, "foes", "leader", "minion")
    before = chances(host)
    assert 99 <= sum(before.values()) <= 101
    add_from_library(host, "foes", "minion", "minion", "minion")
    after = chances(host)
    assert after["Party"] < before["Party"]
    fewer = host.locator(".difficulty .suggestions button").filter(has_text="Fewer (without Minion 4)")
    told = re.search(r": (\d+) %", fewer.inner_text(timeout=180_000))
    fewer.click()
    expect(card(host, "Minion 4")).to_have_count(0)
    assert told
    assert chances(host)["Party"] == int(told[1])  # the same fights, with the same dice


@pytest.mark.parametrize("system", ["hexblade", "verdigris", "wyrd", "wwn"] if THOROUGH else ["hexblade", "wwn"])
def test_the_suggestion_of_one_more_can_be_fought(host: Page, system: str) -> None:
    host.get_by_role("link", name="New encounter").click()
    host.locator(f"[data-system={system}]").get_by_role("button", name="From an example").click()
    chances(host)
    more = host.locator(".difficulty .suggestions button").filter(has_text="More (")
    more.click(timeout=180_000)
    expect(host.locator(".editor-head .state[data-checked=true]")).to_have_text("Ready to fight")


def test_a_sheet_with_an_error_shows_no_difficulty(host: Page) -> None:
    begin_empty(host, "vestige", "The gate")
    add_from_library(host, "party", "hero")
    add_from_library(host, "foes", "minion")
    chances(host)
    card(host, "Minion").get_by_role("button", name="Edit").click()
    host.locator(".sheet-of [data-field$='.count'] input").fill("-1")
    expect(host.locator(".difficulty")).to_have_count(0)
