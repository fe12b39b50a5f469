"""The table view in a real browser: two people in two windows, and a server that dies between them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from affray.events import Restored, Rewound
from tests.page.duels import DUEL, begin, moved_on, sit_down
from tests.page.served import Served
from tests.page.window import Windows, declare, position, stays_within, there, up_to_date, wait_for_answer

FIGHTS = ("whole", "refused", "ruled", "taken", "watched", "typed")


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for the tests that do it no harm, with a duel for each."""
    with Served(tmp_path_factory.mktemp("duels")) as running:
        for name in FIGHTS:
            running.begin(name, DUEL, first="ilse")
        running.start(*FIGHTS)
        yield running


@pytest.fixture
def server(server: Served) -> Served:
    """A separate server, with a duel."""
    server.begin("duel", DUEL)
    server.start("duel")
    return server


def one_click_on(gm: Page, ilse: Page) -> Page:
    """Do the next thing: in Ilse's window what she may do, everything else in the game master's."""
    at = max(position(gm), position(ilse))
    up_to_date(gm, ilse, at=at)
    for page in (ilse, gm):
        for wanted in (".card [data-pass]", ".card [data-choice=no]", ".card :is(.main, .answer)"):
            found = there(page, wanted)
            if found is not None:
                found.click()
                return page
        for kind in ("begin", "attack", "end_turn"):
            if there(page, f".kinds [data-kind={kind}]") is not None:
                declare(page, kind)
                return page
    raise AssertionError(f"nobody can do anything at {at}: {gm.locator('.standing').inner_text()}")


def whole_and_once(server: Served, gm: Page, ilse: Page, fight: str = "duel") -> None:
    """Both windows show the stored record, without repeated commands."""
    recorded = server.recorded(fight)
    assert [one.position for one in recorded] == list(range(1, len(recorded) + 1))
    causes = [cause for cause, _ in groupby(one.cause for one in recorded)]
    assert len(causes) == len(set(causes))
    up_to_date(gm, ilse, at=len(recorded))


def test_a_whole_fight_is_clicked_through_in_two_windows(several: Served, windows: Windows) -> None:
    """Each sees the other's doing at once."""
    gm, ilse = sit_down(several, windows, "whole")
    used = set()
    for _ in range(150):
        before = position(gm)
        used.add(one_click_on(gm, ilse))
        moved_on(gm, ilse, after=before)
        if "is over" in gm.locator(".standing").inner_text():
            break
    for page in (gm, ilse):
        expect(page.locator(".standing")).to_contain_text("The fight is over")
        stays_within(page)
    assert used == {gm, ilse}
    whole_and_once(several, gm, ilse, "whole")
    gm.get_by_role("link", name="Replay").click()
    expect(gm.locator(".proof")).to_have_attribute("data-proof", "whole")
    gm.get_by_role("button", name="Audit").click()
    expect(gm.locator(".findings .good")).to_contain_text("clean: “A duel”")
    expect(gm.locator(".toast")).to_have_count(0)


def test_a_server_killed_in_the_middle_of_a_command_loses_and_doubles_nothing(server: Served, windows: Windows) -> None:
    """The command is on disk, its answer never came: the page sends it again under its id and goes on."""
    gm, ilse = sit_down(server, windows)
    begin(gm, ilse)
    sent: list[Route] = []

    def cut_off(route: Route) -> None:
        sent.append(route)
        if len(sent) > 1:
            route.continue_()
            return
        route.fetch()
        server.kill()
        server.start("duel")
        route.abort("connectionreset")

    for page in (gm, ilse):
        page.route("**/commands", cut_off)
    for _ in range(3):
        before = position(gm)
        clicked = one_click_on(gm, ilse)
        moved_on(gm, ilse, after=before)
        if len(sent) == 1:  # the feed was faster than the second try
            clicked.wait_for_event("requestfinished", lambda request: request.url.endswith("/commands"))
    bodies = [msgspec.json.decode(route.request.post_data or "")["id"] for route in sent]
    assert bodies[0] == bodies[1]
    assert len(set(bodies)) == 3
    whole_and_once(server, gm, ilse)
    for page in (gm, ilse):
        expect(page.locator("#link-state")).to_have_text("")
    assert {*windows.wrong} <= {"Failed to fetch"}  # what a window was asking for when the server was killed
    windows.wrong.clear()


BROKEN = """one => {
  const range = document.createRange();
  const text = one.firstChild;
  return [...text.data.matchAll(/\\w+/g)].filter(({ index, 0: word }) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word);
}"""
"""Which words of a text are broken over two lines."""


def test_while_the_server_is_away_the_page_says_so(server: Served, windows: Windows) -> None:
    gm, ilse = sit_down(server, windows)
    server.kill()
    for page in (gm, ilse):
        expect(page.locator("#link-state")).to_contain_text("Connection lost")
        assert page.locator("#link-state").evaluate(BROKEN) == []
        expect(page.locator("symbol#icon-close")).to_have_count(1)  # what is drawn anew needs no server for its icon
    server.start("duel")
    expect(gm.locator("#link-state")).to_have_text("", timeout=20_000)
    begin(gm, ilse)
    whole_and_once(server, gm, ilse)


def test_a_refusal_comes_with_the_text_of_its_clause(several: Served, windows: Windows) -> None:
    gm, ilse = sit_down(several, windows, "refused")
    begin(gm, ilse)
    before = position(gm)
    gm.locator(".saying summary").click()
    gm.get_by_label("Command, as on the command line").fill("bram move 2")
    gm.get_by_role("button", name="Send", exact=True).click()
    expect(gm.locator(".refusal .clause")).to_be_visible()
    expect(gm.locator(".refusal blockquote")).to_be_visible()
    assert position(gm) == before


def test_a_ruling_is_given_taken_back_and_an_earlier_line_amended(several: Served, windows: Windows) -> None:
    gm, ilse = sit_down(several, windows, "ruled")
    begin(gm, ilse)
    before = position(gm)
    gm.get_by_role("button", name="Rule …").click()
    form = gm.locator("form.ruling")
    form.locator("#ruling-kind").select_option("pool")
    form.locator("#field-who").select_option("ilse")
    form.get_by_label("Which counter").select_option("health")
    form.get_by_label("Or changed by", exact=True).fill("-2")
    form.get_by_label("Reason").fill("she fell")
    form.get_by_role("button", name="Rule").click()
    moved_on(gm, ilse, after=before)
    hers = ilse.locator("[data-who=ilse] [role=meter]")
    most = int(hers.get_attribute("aria-valuemax") or 0)
    expect(hers).to_have_attribute("aria-valuenow", str(most - 2))

    ruled = gm.locator(".entry", has_text="The game master rules").last
    ruled.locator("button.at").click()
    form = gm.locator("form.amend")
    form.get_by_label("Or changed by", exact=True).fill("-3")
    form.get_by_label("Reason").fill("it was deeper")
    form.get_by_role("button", name="Preview").click()
    expect(form.locator(".changes")).to_contain_text(f"{most - 2} → {most - 3}")
    before = position(gm)
    form.get_by_role("button", name="Accept").click()
    moved_on(gm, ilse, after=before)
    expect(hers).to_have_attribute("aria-valuenow", str(most - 3))
    expect(gm.locator(".entry.undone", has_text="The game master rules")).to_have_count(1)

    before = position(gm)
    gm.get_by_role("button", name="Undo").click()
    moved_on(gm, ilse, after=before)
    expect(hers).to_have_attribute("aria-valuenow", str(most - 2))  # what the amendment replaced counts again
    whole_and_once(several, gm, ilse, "ruled")


def test_only_what_can_be_taken_back_or_brought_again_is_offered(several: Served, windows: Windows) -> None:
    """The game master may take back anything, a player what they did last; at first there is nothing to bring again."""
    gm, ilse = sit_down(several, windows, "taken")
    redo, undo = gm.get_by_role("button", name="Redo"), ilse.get_by_role("button", name="Undo")
    expect(redo).to_have_attribute("aria-disabled", "true")
    begin(gm, ilse)
    expect(undo).to_have_attribute("aria-disabled", "true")
    before = position(gm)
    declare(ilse, "end_turn")
    moved_on(gm, ilse, after=before)
    expect(undo).to_have_attribute("aria-disabled", "false")
    before = position(gm)
    undo.focus()
    ilse.keyboard.press("Enter")
    moved_on(gm, ilse, after=before)
    expect(undo).to_have_attribute("aria-disabled", "true")
    expect(undo).to_be_focused()
    assert isinstance(several.recorded("taken")[-1].event, Rewound)
    expect(redo).to_have_attribute("aria-disabled", "false")
    before = position(gm)
    undo.press("Enter")  # nothing is sent
    redo.click()
    moved_on(gm, ilse, after=before)
    assert isinstance(several.recorded("taken")[-1].event, Restored)
    whole_and_once(several, gm, ilse, "taken")


def test_a_link_that_does_not_let_one_in_says_why(several: Served, windows: Windows) -> None:
    page = windows.open(f"{several.address}/#fight=whole&token=not-a-token")
    expect(page.locator(".start .refusal")).to_contain_text("no longer works")
    page.goto(f"{several.address}/#fight=watched")
    page.reload()
    expect(page.locator(".start .refusal")).to_contain_text("its token is missing")


FAR = """
[[combatant]]
name = "Archer"
side = "blue"
agility = 9
might = 1
health = 5
weapons = ["bow"]

[[distance]]
between = ["ilse", "archer"]
metres = 9
"""


def test_what_is_not_possible_is_named_with_its_reason_and_its_clause(server: Served, windows: Windows) -> None:
    """Actions below the legal ones, values below the possible ones; none takes a button's place."""
    server.begin("far", f"{DUEL}{FAR}")
    server.kill()
    server.start("far")
    gm = windows.open(server.links["far"]["game master"])
    ilse = windows.open(server.links["far"]["Ilse"], size=(390, 844))
    expect(gm.locator(".kinds [data-kind=begin]")).to_be_visible()
    begin(gm, ilse)
    while not ilse.locator(".kinds [data-kind=attack]").count():
        before = position(gm)
        declare(gm, "end_turn")
        moved_on(gm, ilse, after=before)
    expect(ilse.locator("[data-kind=reload], [data-not=reload]")).to_have_count(0)  # they have nothing to load
    ilse.get_by_role("button", name="More", exact=True).first.click()
    ilse.locator("[data-key=not-now] summary").click()
    shown = ilse.locator("[data-key=not-now] li", has_text="Forfeit: Ilse is not at the brink")
    expect(shown.locator("a.clause", has_text="VES-056")).to_be_visible()
    ilse.locator(".kinds [data-kind=attack]").click()
    wait_for_answer(ilse)
    expect(ilse.locator(".values [data-field=target]")).to_have_text(["Bram"])
    expect(ilse.locator(".details-of .not")).to_contain_text("Archer: Archer is 9 m away, beyond 1 m VES-021")
    expect(ilse.locator(".declare")).to_have_text("Ilse attacks Bram")
    stays_within(ilse)


def test_a_spectator_looks_on(several: Served, windows: Windows) -> None:
    page = windows.open(several.links["watched"]["spectators"])
    expect(page.locator(".now")).to_contain_text("You are a spectator")
    assert page.locator(".kinds button, .tools button:not(.here), .taking button").count() == 0
    assert "token" not in page.url


def test_by_keyboard_alone(several: Served, windows: Windows) -> None:
    """The focus stays in place after every redraw."""
    gm, ilse = sit_down(several, windows, "typed")
    for _ in range(2):
        before = position(gm)
        page = gm if gm.locator(".kinds [data-kind]").count() else ilse
        page.locator(".kinds [data-kind]").first.focus()
        page.keyboard.press("Enter")
        wait_for_answer(page)
        if there(page, ".declare") is not None:
            for button in page.locator(".values button").all():
                if page.locator(".declare[disabled]").count() == 0:
                    break
                button.focus()
                page.keyboard.press("Space")
                wait_for_answer(page)
                expect(button).to_be_focused()
            page.locator(".declare").focus()
            page.keyboard.press("Enter")
        moved_on(gm, ilse, after=before)
        assert page.evaluate("document.activeElement.closest('.now') !== null")
    expect(ilse.locator("#spoken")).not_to_be_empty()
