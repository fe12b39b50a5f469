"""The page for people who read it by ear, steer it by keyboard, see little contrast, or have large fingers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.examples import THOROUGH
from tests.page.duels import DUEL, begin, first_turn, moved_on, sit_down
from tests.page.reach import SIZES, within_reach
from tests.page.served import Served
from tests.page.test_maps import HEXES, SQUARES, ZONES
from tests.page.window import Windows, look, position, wait_for_answer

REPLAYS = Path(__file__).parents[2] / "replays"
MAPS = ("hexes", "zones", "squares") if THOROUGH else ("hexes", "zones")
FIGHTS = {
    "hexes": HEXES,
    "squares": SQUARES,
    "zones": ZONES,
    "real": DUEL,
    "heard": DUEL,
    "typed": DUEL,
    "ruled": DUEL,
}
RECORDED = [
    "hexblade/closed-common-room",
    "verdigris/pikes-told-by-name",
    "vestige/hidden-archer",
    "wwn/format-4",
    "wyrd/a-shot-into-the-melee",
]
"""The shortest records of each system; the page is the same in long ones, and takes longer to look at."""
if THOROUGH:
    RECORDED += [
        "hexblade/the-barrow-at-dusk",
        "verdigris/the-gatehouse",
        "vestige/undo-and-redo",
        "wwn/riders-at-the-ford",
        "wyrd/the-king-under-grey-howe",
    ]
ON_BOTH = pytest.mark.parametrize("size", ["wide", "narrow"] if THOROUGH else ["narrow"])
"""On how large a screen one clicks; what comes of it is measured on each."""

FOCUSED = """() => {
  const one = document.activeElement;
  if (one === document.body) return ["body", false];
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const thick = (part) => parseFloat(getComputedStyle(part).strokeWidth) >= 0.1;
  const drawn = [...one.querySelectorAll("path, rect, circle")].some(thick);
  const ring = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  return [one.outerHTML.slice(0, 120), ring || (one instanceof SVGElement && drawn) || one.id === "view"];
}"""
"""Where the focus is, and whether one sees that."""

GOES_ON = """sheet => {
  sheet.addEventListener("close", () => document.querySelector("#views a:last-child").focus(), { capture: true });
  sheet.close();
}"""
"""Close a sheet, and be elsewhere before the page has taken it away."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with fights of several kinds."""
    with Served(tmp_path_factory.mktemp("access")) as running:
        for name, encounter in FIGHTS.items():
            running.begin(name, encounter, dice="entered" if name == "real" else "engine")
        running.start(*FIGHTS)
        yield running


@ON_BOTH
def test_the_table_is_within_reach(server: Served, windows: Windows, size: str) -> None:
    """Maps of several kinds, an action that is being chosen, every sheet, and real dice with a wrong number."""
    for fight in MAPS:
        gm = windows.open(server.links[fight]["game master"], size=SIZES[size])
        expect(gm.locator(".kinds button").first).to_be_visible()
        if fight == "hexes":
            within_reach(gm)
        first_turn(gm)
        if gm.locator(".kinds [data-kind=move]").count():
            gm.locator(".kinds [data-kind=move]").first.click()
            wait_for_answer(gm)
        within_reach(gm)
        if fight == "hexes" or THOROUGH:
            parts_and_sheets(gm)
    gm = windows.open(server.links["real"]["game master"], size=SIZES[size])
    expect(gm.locator(".kinds button, .faces").first).to_be_visible()
    if gm.locator(".kinds [data-kind=begin]").count():
        begin(gm)
    gm.locator(".faces input").fill("21")
    gm.keyboard.press("Enter")
    expect(gm.locator(".faces .wrong")).to_be_visible()
    within_reach(gm)


def parts_and_sheets(gm: Page) -> None:
    """The single parts of a small screen, its live texts, and the sheets: they do not depend on the map."""
    for part in ("People", "Story", "More"):
        look(gm, part)
        within_reach(gm, wide=THOROUGH)
    gm.locator(".saying summary").click()
    within_reach(gm)
    for opener in ("Rule …", "Record …"):
        gm.get_by_role("button", name=opener).click()
        expect(gm.locator("dialog h2")).to_be_visible()
        for summary in gm.locator("dialog summary").all():
            summary.click()
        within_reach(gm)
        gm.keyboard.press("Escape")


@ON_BOTH
def test_beginning_and_replay_are_within_reach(server: Served, windows: Windows, size: str) -> None:
    """A recorded fight of every system in its middle: a receipt of each, and all else where it is on a map."""
    page = windows.open(f"{server.address}/", size=SIZES[size])
    within_reach(page)
    for name in RECORDED:
        page.goto(f"{server.address}/")
        page.set_input_files("#log-file", REPLAYS / f"{name}.jsonl")
        expect(page.locator(".proof")).to_have_attribute("data-proof", "whole")
        for key in ("Home", "PageDown", "PageDown"):
            page.locator(".scrubber").press(key)
        if name in RECORDED[:2] or THOROUGH:
            within_reach(page)
        page.locator(".roll").last.click()
        expect(page.locator("dialog .receipt")).to_be_visible()
        within_reach(page, wide=THOROUGH or name == RECORDED[0])


def test_new_events_are_read_out_once_and_nothing_else_is(server: Served, windows: Windows) -> None:
    """At first only the headline; with each command its new sentences and the new headline."""
    gm, ilse = sit_down(server, windows, "heard")
    expect(ilse.locator("#spoken")).to_contain_text("The fight has not begun")
    inside = "one => one.closest('[aria-live]:not([aria-live=off]), [role=log], [role=status], [role=alert]') === null"
    assert ilse.locator(".story").evaluate(inside)
    ilse.evaluate(
        "() => { window.heard = []; const spoken = document.getElementById('spoken');"
        " new MutationObserver(() => heard.push(spoken.textContent)).observe(spoken, { childList: true }); }"
    )
    begin(gm, ilse)
    heard = ilse.evaluate("heard")
    assert len(heard) == 1
    assert "Turn order" in heard[0]
    assert heard[0].endswith(f". {ilse.locator('.standing').inner_text()}")
    assert "joins" not in heard[0]


def test_the_focus_is_seen_and_stays_where_one_works(server: Served, windows: Windows) -> None:
    """By Tab through the whole table and the whole replay, through a command, and out of a sheet."""
    gm, ilse = sit_down(server, windows, "typed")
    for _ in range(40):
        gm.keyboard.press("Tab")
        where, shown = gm.evaluate(FOCUSED)
        assert shown or where == "body", where
    before = position(gm)
    gm.locator(".kinds [data-kind=begin]").focus()
    gm.keyboard.press("Enter")
    wait_for_answer(gm)
    expect(gm.locator(".kinds [data-kind=begin]")).to_be_focused()
    gm.locator(".declare").focus()
    gm.keyboard.press("Enter")
    moved_on(gm, ilse, after=before)
    where, shown = gm.evaluate(FOCUSED)
    assert where != "body"
    assert gm.evaluate("document.activeElement.closest('.now') !== null")
    gm.get_by_role("button", name="Record …").focus()
    gm.keyboard.press("Enter")
    expect(gm.locator("dialog h2")).to_be_visible()
    gm.keyboard.press("Escape")
    expect(gm.get_by_role("button", name="Record …")).to_be_focused()
    gm.get_by_role("button", name="Record …").click()
    expect(gm.locator("dialog h2")).to_be_visible()
    gm.locator("dialog").evaluate(GOES_ON)
    expect(gm.locator("dialog")).to_have_count(0)
    expect(gm.get_by_role("link", name="Replay")).to_be_focused()
    gm.keyboard.press("Enter")
    expect(gm.locator(".proof")).to_have_attribute("data-proof", "whole")
    for _ in range(40):
        gm.keyboard.press("Tab")
        where, shown = gm.evaluate(FOCUSED)
        assert shown or where == "body", where


def test_ruling_and_correcting_by_keyboard_are_within_reach(server: Served, windows: Windows) -> None:
    """From a combatant's name to the game master's tools; from a story line to its correction."""
    gm, ilse = sit_down(server, windows, "ruled")
    begin(gm, ilse)
    gm.locator(".person[data-who=bram] button.name").focus()
    gm.keyboard.press("Enter")
    tabbed_to(gm, gm.locator(".foe").get_by_role("button", name="Make a ruling"))
    gm.keyboard.press("Enter")
    expect(gm.locator("dialog .hand h2")).to_have_text("Bram")
    within_reach(gm)
    tabbed_to(gm, gm.locator(".hand").get_by_label("Health"))
    before = position(gm)
    gm.keyboard.type("-5")
    gm.keyboard.press("Enter")
    moved_on(gm, ilse, after=before)
    expect(gm.locator("dialog")).to_have_count(0)
    gm.wait_for_function("document.activeElement !== document.body")

    gm.locator(".entry", has_text="The game master rules").last.locator("button.at").focus()
    gm.keyboard.press("Enter")
    tabbed_to(gm, gm.locator("form.amend").get_by_label("Or changed by", exact=True))
    gm.keyboard.press("ControlOrMeta+a")
    gm.keyboard.type("-3")
    tabbed_to(gm, gm.locator("form.amend").get_by_label("Reason, for the record"))
    gm.keyboard.type("it was shallower")
    gm.keyboard.press("Enter")
    expect(gm.locator("form.amend .changes")).to_contain_text("0 → 2")
    expect(gm.get_by_role("button", name="Accept")).to_be_focused()
    within_reach(gm)
    before = position(gm)
    gm.keyboard.press("Enter")
    moved_on(gm, ilse, after=before)
    expect(gm.locator("[data-who=bram] [role=meter]")).to_have_attribute("aria-valuenow", "2")
    expect(gm.locator("dialog")).to_have_count(0)
    gm.wait_for_function("document.activeElement !== document.body")


def tabbed_to(page: Page, wanted: Locator) -> None:
    """Press Tab until something has the focus, which everything on the way shows."""
    for _ in range(40):
        if wanted.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
        where, shown = page.evaluate(FOCUSED)
        assert shown or where == "body", where
    raise AssertionError(f"it is not reached by Tab: {wanted}")
