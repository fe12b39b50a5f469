"""Before the fight, in the browser: home, encounters made by clicking, what is wrong at its field, files in and out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.page.making import add_from_library, begin_empty, card, fight_it, ready
from tests.page.reach import within_reach
from tests.page.served import Served
from tests.page.window import Windows
from tests.tools.program import affray

FORD = (Path(__file__).parents[2] / "encounters" / "vestige" / "ford.toml").read_text("utf-8")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all of them; it is empty at first."""
    with Served(tmp_path_factory.mktemp("home")) as running:
        running.start()
        yield running


@pytest.fixture
def host(served: Served, windows: Windows) -> Page:
    """The host's window."""
    page = windows.open(served.host)
    expect(page.get_by_role("heading", name="Example fights")).to_be_visible()
    return page


def test_the_first_fight_is_one_click_away(host: Page) -> None:
    """On an empty server; then home tells how it stands, and one goes on with it."""
    expect(host.get_by_role("heading", name="Welcome")).to_be_visible()
    within_reach(host)
    host.get_by_role("button", name="Play it now").click()
    host.locator(".kinds [data-kind=begin]").click()
    host.locator(".wordmark").click()
    row = host.locator("[data-fight=at-the-ford]")
    expect(row).to_contain_text("You begin the fight")
    row.get_by_role("link", name="Join").click()
    expect(host.locator(".kinds [data-kind=begin]")).to_be_visible()


def test_of_two_views_the_one_that_was_asked_for_last_is_shown(host: Page) -> None:
    """The user goes to the editor and back while its files are loading; the home view stays."""
    held: list[Route] = []
    host.route("**/host/editor.js", lambda route: held.append(route))  # noqa: PLW0108 - a method of a list has no name to bind
    host.get_by_role("link", name="New encounter").click()
    expect(host).to_have_url(re.compile("#encounter="))
    host.locator(".wordmark").click()
    expect(host).not_to_have_url(re.compile("#encounter="))
    held[0].continue_()
    host.evaluate("(late) => import(late)", held[0].request.url)
    expect(host.get_by_role("heading", name="Example fights")).to_be_visible()
    expect(host.locator(".editor")).to_have_count(0)


def test_an_encounter_on_each_kind_of_map_is_made_by_clicking_and_fought(host: Page) -> None:
    """On squares and hexes two taps move a combatant; zones are described first; and without any map."""
    begin_empty(host, "vestige", "On squares")
    side = host.locator("[data-side=party] h2")
    before = side.inner_text().split()
    add_from_library(host, "party", "hero")
    expect(side.get_by_label("Name of this side")).to_have_value(before[0])
    add_from_library(host, "foes", "minion", "leader")
    ready(host)
    host.locator(".token", has_text="Minion").click()
    host.locator("[data-cell='6,3']").click()
    expect(card(host, "Minion")).to_contain_text("6,3")
    host.get_by_role("button", name="Difficult").click()
    host.locator("[data-cell='4,4']").click()
    expect(host.locator("path.ground")).to_have_count(1)
    ready(host)
    fight_it(host)
    expect(host.locator(".board.squares .token")).to_have_count(3)
    begin_empty(host, "hexblade", "On hexes")
    add_from_library(host, "party", "fighter")
    add_from_library(host, "foes", "bandit")
    host.locator(".token", has_text="Bandit").focus()
    host.keyboard.press("Enter")
    host.locator(".token", has_text="Bandit").press("ArrowLeft")
    lists_cells(host)
    ready(host)
    fight_it(host)
    expect(host.locator(".board.hexes .token")).to_have_count(2)
    begin_empty(host, "verdigris", "In zones")
    for nth, zone in enumerate(("yard", "gate")):
        host.get_by_role("button", name="Add: zone").click()
        host.locator(f"[data-field='zone[{nth}].name'] input").fill(zone)
    host.locator("[data-field='zone[0].exits']").get_by_label("gate").check()
    add_from_library(host, "party", "bandit")
    add_from_library(host, "enemies", "orc")
    card(host, "Bandit").get_by_role("button", name="Edit").click()
    host.get_by_label("Player character").check()
    ready(host)
    fight_it(host)
    expect(host.locator(".board.zones .token")).to_have_count(2)
    begin_empty(host, "wyrd", "Nowhere")
    add_from_library(host, "party", "grog")
    add_from_library(host, "foes", "orc")
    host.get_by_text("Distances, sight and melees").click()
    host.get_by_label("Grog and Orc, metres").fill("7")
    ready(host)
    fight_it(host)
    expect(host.locator("table.apart")).to_contain_text("7")
    host.locator(".wordmark").click()
    for name in ("on-squares", "on-hexes", "in-zones", "nowhere"):
        expect(host.locator(f"[data-fight={name}]")).to_be_visible()


def test_it_is_ready_when_each_side_has_a_combatant(host: Page) -> None:
    begin_empty(host, "vestige", "Halfway")
    state = host.locator(".editor-head .state[data-checked=true]")
    add_from_library(host, "foes", "minion")
    expect(state).to_have_text("Add a combatant to each side")
    add_from_library(host, "party", "hero")
    expect(state).to_have_text("Ready to fight")


def lists_cells(host: Page) -> None:
    """Type where the ground is difficult, one cell by its numbers and one as people say it."""
    host.get_by_text("Edges of the map").click()
    listed = host.locator("[data-field='board.difficult'] input")
    listed.fill("4,-4 w1,2")
    listed.press("Tab")
    expect(listed).to_have_value("4,N4; W1,2")
    expect(host.locator("path.ground")).to_have_count(2)


def test_what_is_wrong_is_shown_at_its_field_and_nothing_is_lost(host: Page, tmp_path: Path) -> None:
    """A file with mistakes: they are told as on the command line, each leads to its field, and is put right there."""
    wrong = FORD.replace("agility = 13", "agility = 130").replace('["bow", "knife"]', '["bwo", "knife"]')
    file = tmp_path / "wrong.toml"
    file.write_text(wrong, "utf-8")
    said = affray(tmp_path, "new", "wrong.toml").err
    host.set_input_files("#encounter-file", file)
    expect(host.locator(".editor-head .state")).to_have_text("Errors: 2")
    expect(host.get_by_role("button", name="Start fight")).to_be_disabled()
    host.locator(".faults button", has_text="must be at most 30").click()
    agility = host.locator("[data-field='combatant[2].agility'] input")
    expect(agility).to_be_focused()
    expect(agility).to_have_value("130")
    shown = host.locator("[data-field='combatant[2].agility'] .wrong").inner_text()
    assert shown.lower() in said.lower()
    within_reach(host)
    agility.fill("13")
    expect(host.locator(".editor-head .state")).to_have_text("Errors: 1")
    weapons = host.locator("[data-field='combatant[2].weapons']")
    expect(weapons).to_contain_text("did you mean bow?")
    weapons.get_by_role("button", name="Remove Bwo").click()
    weapons.get_by_role("button", name="Add to Weapons").click()
    host.get_by_role("searchbox").fill("bow")
    within_reach(host)
    host.locator(".picker [data-line=bow]").click()
    host.locator(".picker").get_by_role("button", name="Done").click()
    ready(host)
    host.get_by_role("button", name="Undo the last change").click()
    expect(weapons.locator(".piece")).to_have_text(["Knife"])
    host.reload()
    host.get_by_role("button", name="Continue").click()
    expect(card(host, "Tomas")).to_contain_text("13")


ODD = """\
system = "verdigris"
name = 7
zone = ["yard", {name = 3, exits = 4, traits = "dark"}]
melee = 5
weapon = "none"
combatant = [1, {name = 2, side = 3, at = 4, weapons = 5, skills = 6, count = "many", items = [7], mount = [8]}]
"""


def test_whatever_a_file_says_is_shown_with_what_is_wrong(host: Page, tmp_path: Path) -> None:
    """Also values of a wrong type throughout; unreadable files are refused with the line."""
    file = tmp_path / "odd.toml"
    file.write_text(ODD, "utf-8")
    host.set_input_files("#encounter-file", file)
    expect(host.locator(".faults summary")).to_contain_text("Errors to fix")
    host.locator(".fighter").last.get_by_role("button", name="Edit").click()
    expect(host.locator(".sheet-of .wrong").first).to_be_visible()
    host.get_by_role("button", name="Save", exact=True).click()
    expect(host).to_have_url(re.compile("#encounter=7$"))
    host.locator(".wordmark").click()
    file.write_text("combatant = [", "utf-8")
    host.set_input_files("#encounter-file", file)
    expect(host.get_by_role("alert")).to_contain_text("odd.toml: ")


def test_a_file_comes_in_is_changed_and_goes_out_as_people_wrote_it(host: Page, tmp_path: Path) -> None:
    """Its comments stay, the command line opens it; meanwhile it is saved, copied, and the copy deleted."""
    file = tmp_path / "ford.toml"
    file.write_text(FORD, "utf-8")
    host.set_input_files("#encounter-file", file)
    card(host, "Captain").get_by_role("button", name="Edit").click()
    host.locator("[data-field='combatant[3].morale'] input").fill("3")
    ready(host)
    host.get_by_role("button", name="Save", exact=True).click()
    expect(host).to_have_url(re.compile("#encounter=at-the-ford$"))
    host.get_by_label("More", exact=True).click()
    with host.expect_download() as coming:
        host.get_by_role("button", name="Download the file").click()
    got = Path(coming.value.path()).read_text("utf-8")
    before, after = FORD.split('name = "Captain"')
    assert got == f'{before}name = "Captain"{after.replace("morale = 2", "morale = 3", 1)}'
    assert tomllib.loads(got)["combatant"][3]["morale"] == 3
    (tmp_path / "got.toml").write_text(got, "utf-8")
    assert affray(tmp_path, "new", "got.toml").code == 0
    host.get_by_label("More", exact=True).click()
    host.get_by_role("button", name="Save a copy").click()
    expect(host).to_have_url(re.compile("#encounter=at-the-ford-copy$"))
    host.locator(".wordmark").click()
    expect(host.locator("[data-encounter=at-the-ford]")).to_be_visible()
    within_reach(host)
    copy = host.locator("[data-encounter=at-the-ford-copy]")
    copy.get_by_role("button", name="Delete").click()
    copy.get_by_role("button", name="Delete it?").click()
    expect(copy).to_have_count(0)


def test_who_saves_second_overwrites_nothing_unasked(host: Page, served: Served, windows: Windows) -> None:
    """The second text is kept, and the user is asked."""
    begin_empty(host, "vestige", "Two of us")
    add_from_library(host, "party", "hero")
    host.keyboard.press("Control+s")
    expect(host.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    other = windows.open(served.host)
    other.locator("[data-encounter=two-of-us]").get_by_role("link", name="Edit").click()
    for page, name in ((host, "Mine"), (other, "Theirs")):
        page.get_by_label("Name of the encounter").fill(name)
    host.get_by_role("button", name="Save", exact=True).click()
    expect(host.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    other.get_by_role("button", name="Save", exact=True).click()
    expect(other.get_by_role("alert").first).to_contain_text("This encounter was changed in another window")
    expect(other.get_by_label("Name of the encounter")).to_have_value("Theirs")
    other.get_by_role("button", name="Overwrite with mine").click()
    expect(other.get_by_role("button", name="Save", exact=True)).to_be_disabled()
