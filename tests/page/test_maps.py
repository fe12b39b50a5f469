"""The map in a real browser: positions, moves by click, and hidden combatants."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import sqrt

import pytest
from playwright.sync_api import Page, expect

from affray.engine import open_fight
from affray.engine.core.coordinates import cell_label
from affray.engine.core.state import State
from affray.events import Declared, Moved
from tests.page.duels import begin, first_turn, moved_on
from tests.page.served import Served
from tests.page.window import Windows, position, stays_within, up_to_date, wait_for_answer

HEXES = """\
system = "hexblade"
name = "On the heath"

[board]
difficult = ["2,0"]

[[combatant]]
name = "Holt"
side = "village"
block = "fighter"
hp = 14
at = "0,0"

[[combatant]]
name = "Grole"
side = "raiders"
block = "brute"
hp = 17
veiled = ["hp"]
at = "3,0"

[[combatant]]
name = "Lurker"
side = "raiders"
block = "bandit"
hp = 13
concealed = true
at = "4,-2"
"""

SQUARES = """\
system = "vestige"
name = "In the yard"

[board]
blocked = ["2,2"]

[[combatant]]
name = "Ilse"
side = "watch"
block = "hero"
at = "0,0"
weapons = ["sword"]

[[combatant]]
name = "Bram"
side = "thieves"
block = "minion"
at = "4,1"
weapons = ["axe"]
"""

ZONES = """\
system = "verdigris"
name = "The old mill"

[[zone]]
name = "mill yard"
exits = ["mill"]

[[zone]]
name = "mill"
exits = ["loft"]
traits = ["indoors"]

[[zone]]
name = "loft"
exits = ["roof"]

[[zone]]
name = "roof"

[[combatant]]
name = "Hild"
side = "party"
pc = true
at = "mill"
strength = 4
agility = 2
dodge = 2
withstand = 3
panic = 3
hp = 6
weapons = ["broad-sword"]

[[combatant]]
name = "Orc"
side = "enemies"
block = "orc"
at = "loft"
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a fight on each kind of map."""
    with Served(tmp_path_factory.mktemp("maps")) as running:
        for name, encounter in {"hexes": HEXES, "hidden": HEXES, "squares": SQUARES, "zones": ZONES}.items():
            running.begin(name, encounter, first="orc" if name == "zones" else "")
        running.start("hexes", "hidden", "squares", "zones")
        yield running


def state(server: Served, fight: str) -> State:
    """Return the state on disk."""
    return open_fight(fight, server.store).state


def locate_tokens(page: Page) -> dict[str, tuple[float, float]]:
    """Return the positions of all combatants on the map, in cells."""
    where: dict[str, tuple[float, float]] = page.locator(".token").evaluate_all(
        "all => Object.fromEntries(all.map((one) => { const at = one.querySelector('circle');"
        " return [one.dataset.who, [Number(at.getAttribute('cx')), Number(at.getAttribute('cy'))]]; }))"
    )
    return {who: (round(x, 6), round(y, 6)) for who, (x, y) in where.items()}


def centre(place: str, *, hexes: bool) -> tuple[float, float]:
    """Return where a cell of the grid has its centre."""
    x, y = map(int, place.split(","))
    return (round(x + y / 2, 6), round(y * sqrt(3) / 2, 6)) if hexes else (x, y)


def goes(server: Served, fight: str, page: Page) -> tuple[str, str]:
    """Choose a move, click the farthest place that can be reached on the map, and return who should be where."""
    first_turn(page)
    before = position(page)
    page.locator(".kinds [data-kind=move]").first.click()
    wait_for_answer(page)
    wanted = str(page.locator(".board .cell").last.get_attribute("data-cell"))
    page.locator(f".board [data-cell='{wanted}']").dispatch_event("click")
    moved_on(page, after=before)
    said = next(one.event for one in reversed(server.recorded(fight)) if isinstance(one.event, Declared))
    return said.actor, wanted


@pytest.mark.parametrize("fight", ["hexes", "squares"])
def test_a_grid_shows_who_stands_where_and_one_goes_where_one_clicks(
    server: Served, windows: Windows, fight: str
) -> None:
    gm = windows.open(server.links[fight]["game master"])
    expect(gm.locator(".kinds [data-kind=begin]")).to_be_visible()
    who, wanted = goes(server, fight, gm)
    people = state(server, fight).combatants
    assert people[who].place == wanted
    moved = next(one.event for one in server.recorded(fight) if isinstance(one.event, Moved))
    assert locate_tokens(gm) == {one.id: centre(one.place, hexes=fight == "hexes") for one in people.values()}
    stays_within(gm)
    names: list[str] = []
    for typed, place in (("W2,N1", "-2,-1"), ("-1,-1", "-1,-1")):
        names, before = gm.locator(".board .name").all_text_contents(), position(gm)
        rule_by_form(gm, "place", who=who, to=typed)
        moved_on(gm, after=before)
        assert state(server, fight).combatants[who].place == place
        expect(gm.locator(f".person[data-who={who}] .place")).to_have_text(cell_label(place))
        expect(gm.locator(f".token[data-who={who}]")).to_have_attribute(
            "aria-label", re.compile(f" at {cell_label(place)}$")
        )
    assert gm.locator(".board .name").all_text_contents() == names  # as long as nobody leaves what is drawn
    assert {re.sub(r"\d+", "", one) for one in names} >= {"W,N", ",N", "W,"}
    gm.locator(".entry", has_text="moves to").locator("button.at").click()
    expect(gm.locator("form.amend #param-path")).to_have_value("; ".join(map(cell_label, moved.path)))


def test_zones_show_who_stands_where_and_one_goes_where_one_clicks(server: Served, windows: Windows) -> None:
    gm = windows.open(server.links["zones"]["game master"], size=(390, 844))
    expect(gm.locator(".kinds [data-kind=begin]")).to_be_visible()
    expect(gm.locator(".board .label")).to_have_text(["Mill yard", "Mill", "Loft", "Roof"])
    who, wanted = goes(server, "zones", gm)
    people = state(server, "zones").combatants
    assert people[who].place == wanted
    boxes = gm.locator(".board .zone").evaluate_all(
        "all => all.map((one) => ['x', 'y', 'width', 'height'].map((name) => Number(one.getAttribute(name))))"
    )
    names = list(state(server, "zones").places)
    for one, (x, y) in locate_tokens(gm).items():
        inside = [left <= x <= left + wide and top <= y <= top + high for left, top, wide, high in boxes]
        assert inside == [name == people[one].place for name in names]
    expect(gm.locator(f".person[data-who={who}] .place")).to_have_text(wanted.replace("-", " "))
    stays_within(gm)


def test_hidden_numbers_are_a_band_and_a_hidden_combatant_is_nowhere_until_it_is_revealed(
    server: Served, windows: Windows
) -> None:
    gm = windows.open(server.links["hidden"]["game master"])
    holt = windows.open(server.links["hidden"]["Holt"], size=(390, 844))
    up_to_date(gm, holt, at=position(gm))
    expect(gm.locator("[data-who=grole] [role=meter]")).to_have_attribute("aria-valuenow", "17")
    expect(gm.locator(".person[data-who=grole] .vital")).to_contain_text("approximate")
    expect(gm.locator(".person[data-who=lurker]")).to_contain_text("hidden")
    expect(gm.locator(".token[data-who=lurker]")).to_have_count(1)

    expect(holt.locator(".person[data-who=grole] .band")).to_have_text("unhurt")
    expect(holt.locator(".person[data-who=grole] [role=meter]")).to_have_count(0)
    assert set(locate_tokens(holt)) == {"holt", "grole"}
    before = position(gm)
    rule_by_form(gm, "pool", who="grole", pool="hp", by="-4")
    moved_on(gm, holt, after=before)
    expect(gm.locator("[data-who=grole] [role=meter]")).to_have_attribute("aria-valuenow", "13")
    expect(holt.locator(".person[data-who=grole] .band")).to_have_text("hurt")

    begin(gm, holt)
    everything = holt.evaluate("document.documentElement.outerHTML").casefold()
    assert "lurker" not in everything
    assert not re.search(r"\b1[37]\b", holt.locator(".person[data-who=grole]").inner_text())
    holt.get_by_role("link", name="Replay").click()
    expect(holt.locator(".guess")).to_contain_text("Parts of this fight are hidden from you")
    expect(holt.locator(".proof")).to_have_attribute("data-proof", "whole")
    assert "lurker" not in holt.evaluate("document.documentElement.outerHTML").casefold()
    holt.get_by_role("link", name="Table").click()
    up_to_date(gm, holt, at=position(gm))

    before = position(gm)
    rule_by_form(gm, "reveal", who="lurker")
    moved_on(gm, holt, after=before)
    expect(holt.locator(".person[data-who=lurker] .name")).to_have_text("Lurker")
    assert (
        locate_tokens(holt)
        == locate_tokens(gm)
        == {one.id: centre(one.place, hexes=True) for one in state(server, "hidden").combatants.values()}
    )
    expect(gm.locator(".person[data-who=lurker]")).not_to_contain_text("hidden")


def rule_by_form(page: Page, kind: str, **fields: str) -> None:
    """Give a ruling by its form."""
    page.get_by_role("button", name="Rule …").click()
    form = page.locator("form.ruling")
    form.locator("#ruling-kind").select_option(kind)
    for name, value in fields.items():
        field = form.locator(f"#field-{name}")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    form.get_by_label("Reason").fill("so it is")
    form.get_by_role("button", name="Rule").click()
    expect(form).to_be_hidden()
