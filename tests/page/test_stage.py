"""The table as a place to play: the map, the actions against a target, and visible dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from affray.events import Moved, Rolled, Ruled
from affray.tools.present.story.entries import entries
from tests.page.duels import DUEL, begin, first_turn, moved_on, sit_down
from tests.page.served import Served
from tests.page.test_maps import HEXES, SQUARES, ZONES
from tests.page.window import Windows, declare, look, position, stays_within, up_to_date

FIGHTS = {
    "yard": SQUARES,
    "heath": HEXES,
    "moor": HEXES,
    "mill": ZONES.replace('block = "orc"', 'block = "ogre"'),
    "fray": ZONES.replace('at = "loft"', 'at = "mill"'),
    "duel": DUEL,
    "hand": DUEL,
    "clock": DUEL,
    "keys": SQUARES,
    "finger": SQUARES,
}
PHONE = (390, 844)

SCALE = "document.querySelector('.board > g').transform.baseVal.consolidate().matrix.a"
"""How many pixels a cell has."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a fight on each kind of map, and without one."""
    with Served(tmp_path_factory.mktemp("stage")) as running:
        for name, encounter in FIGHTS.items():
            running.begin(name, encounter, first="orc" if name == "fray" else "")
        running.start(*FIGHTS)
        yield running


STILL = """() => new Promise((done) => {
  let [was, frames] = ["", 0];
  const look = () => {
    const now = document.querySelector(".board > g")?.getAttribute("transform");
    frames = now === was ? frames + 1 : 0;
    was = now;
    if (frames > 8) done();
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Waits until the map has stayed where it is for some frames."""


def open_stage(server: Served, windows: Windows, fight: str, size: tuple[int, int] = (1280, 800)) -> Page:
    """Return the game master's window at a fight with an active combatant."""
    page = windows.open(server.links[fight]["game master"], size=size)
    expect(page.locator(".kinds [data-kind]").first).to_be_visible()
    first_turn(page)
    expect(page.locator("[data-likely]")).to_be_visible()  # the last that is asked for
    page.evaluate(STILL)  # and the map is fitted to what that leaves of its frame
    return page


def middle(page: Page, selector: str) -> tuple[float, float]:
    """Return where something is on the screen."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_an_ordinary_attack_is_two_taps_to_the_result(server: Served, windows: Windows) -> None:
    """Tap the target, tap the action; dice and result are visible on a phone, without scrolling."""
    gm, ilse = sit_down(server, windows, "duel")
    begin(gm, ilse)
    while not ilse.locator(".kinds [data-kind=attack]").count():
        before = position(gm)
        declare(gm, "end_turn")
        moved_on(gm, ilse, after=before)
    expect(ilse.locator(".headline")).to_contain_text("Your turn")
    assert ilse.title().startswith("● Your turn")
    look(ilse, "People")
    before = position(ilse)
    ilse.locator(".person[data-who=bram] .name").click()
    expect(ilse.locator(".foe .promises").first).to_contain_text("to succeed")
    ilse.locator(".foe [data-do=attack]").click()
    moved_on(ilse, after=before)
    expect(ilse.locator(".result .die").first).to_be_in_viewport(ratio=1)
    expect(ilse.locator(".result .says")).to_be_in_viewport(ratio=1)
    came = [one for one in entries(server.recorded("duel")) if one.position > before and one.gist]
    expect(ilse.locator(".result .says")).to_have_text(max(came, key=lambda one: one.grave).gist)
    assert any(isinstance(one.event, Rolled) for one in server.recorded("duel")[before:])
    ilse.locator(".result .rolled").first.click()
    expect(ilse.locator("dialog .receipt .total")).to_be_visible()
    stays_within(ilse)


def test_one_drags_oneself_along_a_way_and_the_map_keeps_its_scale(server: Served, windows: Windows) -> None:
    """The way and what it costs are shown while one drags, also to where the map did not reach at first."""
    page = open_stage(server, windows, "yard")
    expect(page.locator(".likely-there")).to_have_count(1)  # nobody is near: the first button leads to a cell
    up_to_date(page, at=position(page))
    before, scale = position(page), page.evaluate(SCALE)
    who = str(page.locator(".token.up").get_attribute("data-who"))
    x, y = middle(page, ".token.up")
    page.wait_for_function("scale => document.querySelectorAll('.token[data-drag]').length > 0", arg=scale)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + scale if who == "bram" else x - scale, y, steps=3)
    expect(page.locator(".way-there text")).to_have_text("1 m")
    page.mouse.up()
    moved_on(page, after=before)
    (moved,) = [one.event for one in server.recorded("yard")[before:] if isinstance(one.event, Moved)]
    assert moved.who == who
    assert page.evaluate(SCALE) == scale


def test_one_goes_and_aims_by_keyboard_alone(server: Served, windows: Windows) -> None:
    """The focus stays on the map, and returns to the combatant that had it."""
    page = open_stage(server, windows, "keys")
    foe = page.locator(".token:not(.up)").first
    foe.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".foe button:focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(foe).to_be_focused()
    before = position(page)
    page.wait_for_function("() => document.querySelectorAll('.token.up[data-drag]').length > 0")
    page.locator(".token.up").focus()
    page.keyboard.press("Enter")
    page.locator(".board .cell").first.focus()
    page.keyboard.press("Enter")
    moved_on(page, after=before)
    assert any(isinstance(one.event, Moved) for one in server.recorded("keys")[before:])
    assert page.evaluate("document.activeElement.closest('.board') !== null")


def test_the_chosen_place_is_marked_and_nothing_covers_the_map(server: Served, windows: Windows) -> None:
    """No shape is filled for being in the focus, no cell is named with a minus; a wheel and keys zoom, one fits it."""
    page = open_stage(server, windows, "heath")
    page.locator(".kinds [data-kind=move]").click()
    cell = page.locator(".board .cell").nth(5)
    cell.hover()
    expect(page.locator(".cell.chosen")).to_have_count(1)
    chosen, other = (float(one.evaluate(EDGE)) for one in (cell, page.locator(".board .cell:not(.chosen)").first))
    assert chosen > other  # marked although it is not in the focus
    cell.focus()
    expect(page.locator(".cell.chosen")).to_have_count(1)
    outline, shade = cell.evaluate(
        "one => [getComputedStyle(one).outlineStyle, Number(getComputedStyle(one.firstElementChild).fillOpacity)]"
    )
    assert outline == "none"
    assert shade < 0.5
    for called in (page.locator(".board .name").all_text_contents(), page.locator(".board .cell").evaluate_all(LABELS)):
        assert called
        assert not re.search("[-−]", "".join(called))
    scale = page.evaluate(SCALE)
    page.locator(".board").focus()
    page.keyboard.press("+")
    page.wait_for_function(f"scale => {SCALE} > scale", arg=scale)
    page.mouse.move(*middle(page, ".board"))
    page.mouse.wheel(0, 400)
    page.get_by_role("button", name="Fit the map").click()
    page.wait_for_function(f"scale => Math.abs({SCALE} - scale) < scale / 4", arg=scale)


LABELS = "all => all.map((one) => one.ariaLabel)"
EDGE = "one => getComputedStyle(one.firstElementChild).strokeOpacity"


def test_whom_nobody_knows_of_is_told_from_the_others(server: Served, windows: Windows) -> None:
    page = open_stage(server, windows, "moor")
    expect(page.locator(".token.concealed[data-who=lurker] .unknown")).to_have_count(1)
    assert page.locator(".token.concealed").count() == 1
    fills = [
        page.locator(f"[data-who={one}] .body").evaluate("one => getComputedStyle(one).fill")
        for one in ("grole", "lurker")
    ]
    assert fills[0] != fills[1]


def test_sides_are_told_apart_by_shape_and_whoever_is_large_is_drawn_so(server: Served, windows: Windows) -> None:
    page = open_stage(server, windows, "mill", size=PHONE)
    shapes = page.locator(".token .body").evaluate_all("all => all.map((one) => one.getAttribute('d').includes('a'))")
    assert sorted(shapes) == [False, True]
    hild, orc = (float(page.locator(f"[data-who={one}] .ring").get_attribute("r") or 0) for one in ("hild", "orc"))
    assert orc > 1.2 * hild
    stays_within(page)


def test_the_map_of_a_phone_stays_as_it_is_whatever_is_done_below_it(server: Served, windows: Windows) -> None:
    """Frame and scale stay through turns, forms, questions and results, and zone names stay visible."""
    gm = windows.open(server.links["fray"]["game master"], size=PHONE)
    expect(gm.locator(".kinds [data-kind]").first).to_be_visible()
    first_turn(gm)
    frames = {measure_frame(gm)}
    for _ in ("open", "closed"):
        gm.locator(".more-kinds").click()
        frames.add(measure_frame(gm))
    for _ in range(7):  # blows, questions about them, and the ends of turns
        before = position(gm)
        gm.locator(".option .answer, .kinds .main, .kinds [data-kind=end_turn]").first.click()
        moved_on(gm, after=before)
        frames.add(measure_frame(gm))
    assert len(frames) == 1
    over = "all => all.filter((one) => document.elementFromPoint(...MIDDLE)?.closest('.token')).length".replace(
        "MIDDLE", "((box) => [box.left + box.width / 2, box.top + box.height / 2])(one.getBoundingClientRect())"
    )
    assert gm.locator(".board .label").evaluate_all(over) == 0
    look(gm, "People")
    expect(gm.locator(".person[data-who=hild] .details")).to_contain_text("in melee with Orc")
    expect(gm.locator(".person[data-who=orc] .details")).to_contain_text("in melee with Hild")


def measure_frame(page: Page) -> str:
    """Return how high the map's frame is, and how it is shown in it."""
    page.evaluate(STILL)
    shown: str = page.locator(".board").evaluate(
        "one => `${one.clientHeight} ${one.querySelector('g').getAttribute('transform')}`"
    )
    return shown


def test_a_window_with_a_clock_counts_down(server: Served, windows: Windows) -> None:
    gm, ilse = sit_down(server, windows, "clock")
    begin(gm, ilse)
    gm.get_by_text("Pauses for reactions").click()
    gm.get_by_label("Pause").select_option("always")
    gm.get_by_label("Time limit").fill("500")
    before = position(gm)
    gm.get_by_role("button", name="Set", exact=True).click()
    moved_on(gm, ilse, after=before)
    while not ilse.locator(".kinds [data-kind=ready]").count():
        before = position(gm)
        declare(gm, "end_turn")
        moved_on(gm, ilse, after=before)
    before = position(ilse)
    declare(ilse, "ready")
    moved_on(gm, ilse, after=before)
    counting = ilse.get_by_role("timer")
    expect(counting).to_have_text(re.compile(r"^(500|4\d\d) s left\. Then every open answer passes\.$"))
    shown = counting.inner_text()
    ilse.wait_for_function("shown => document.querySelector('.counting').textContent !== shown", arg=shown)


def test_a_finger_that_stays_on_a_token_opens_the_hand(server: Served, windows: Windows) -> None:
    """Its end is no tap; one that leaves opens nothing, nor does a player's; a short one says what can be done."""
    gm = open_stage(server, windows, "finger", size=PHONE)
    player = windows.open(server.links["finger"]["Ilse"], size=PHONE)
    up_to_date(gm, player, at=position(gm))
    foe = ".token:not(.up)"
    touch, hand = finger(gm), gm.locator("dialog .hand")
    touch("touchStart", *middle(gm, f"{foe} .body"))
    expect(hand).to_be_visible()
    touch("touchEnd")
    expect(hand.get_by_role("heading").first).to_have_text(gm.locator(foe).first.locator("title").text_content() or "")
    gm.keyboard.press("Escape")
    expect(hand).to_have_count(0)
    expect(gm.locator(".foe")).to_have_count(0)
    for page in (gm, player):
        page.clock.install()
        page.clock.pause_at(datetime.now() + timedelta(minutes=1))  # however busy the machine is, a touch is short
    touch("touchStart", *middle(gm, f"{foe} .body"))
    touch("touchEnd")
    gm.clock.run_for(100)
    expect(gm.locator(".foe")).to_be_visible()
    for page, on, leaves in ((gm, touch, True), (player, finger(player), False)):
        x, y = middle(page, f"{foe} .body")
        on("touchStart", x, y)
        if leaves:
            on("touchMove", x + 40, y + 5)
        page.clock.run_for(2_000)
        on("touchEnd")
        expect(page.locator("dialog")).to_have_count(0)


def finger(page: Page) -> Callable[..., None]:
    """Return what puts a finger down on a page, moves it, or takes it away."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(what: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        session.send("Input.dispatchTouchEvent", {"type": what, "touchPoints": points})

    return touch


def test_the_game_master_writes_minus_five_on_a_counter(server: Served, windows: Windows) -> None:
    """By a right click on the combatant; the reason is filled in."""
    gm, ilse = sit_down(server, windows, "hand")
    before = position(gm)
    gm.locator(".person[data-who=bram]").click(button="right")
    hand = gm.locator("dialog .hand")
    hand.get_by_label("Health").fill("-2")
    hand.get_by_role("button", name="Change").first.click()
    moved_on(gm, ilse, after=before)
    expect(gm.locator("[data-who=bram] [role=meter]")).to_have_attribute("aria-valuenow", "3")
    (ruled,) = [one.event for one in server.recorded("hand") if isinstance(one.event, Ruled)]
    assert (ruled.kind, ruled.reason) == ("pool", "health -2")
