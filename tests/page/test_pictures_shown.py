"""Pictures on the page, behind the map and of people: who sees which when; none of a concealed one is fetched."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, expect

from tests.page.reach import within_reach
from tests.page.served import Served
from tests.page.test_maps import HEXES, rule_by_form
from tests.page.test_stage import middle
from tests.page.window import Windows, position, up_to_date

LIES = "one => one.getAttribute('transform')"
NUMBERS = "one => one.getAttribute('transform').match(/-?[0-9.]+/g)"


def make_coloured_png(width: int, height: int, colour: bytes) -> bytes:
    """A picture of one colour."""
    rows = (b"\0" + colour * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    chunks = (struct.pack(">I", len(of)) + name + of + struct.pack(">I", zlib.crc32(name + of)) for name, of in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a fight on hexes, with a hidden combatant."""
    with Served(tmp_path_factory.mktemp("pictures")) as running:
        running.begin("heath", HEXES)
        running.start("heath")
        yield running


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A map and two portraits on disk."""
    found = {}
    for name, (size, colour) in {"map": ((400, 200), b"\x40\x60\x30"), "face": ((90, 120), b"\xc0\x80\x60")}.items():
        found[name] = tmp_path / f"{name}.png"
        found[name].write_bytes(make_coloured_png(*size, colour))
    found["text"] = tmp_path / "notes.png"
    found["text"].write_text("no picture")
    return found


def gives_portrait(gm: Page, who: str, file: Path) -> None:
    """Set a combatant's portrait, by a right click on it."""
    gm.locator(f".person[data-who={who}]").click(button="right")
    gm.set_input_files("#face-file", file)
    expect(gm.locator(".pick-face[aria-pressed=true]")).to_have_count(1)
    gm.keyboard.press("Escape")


def test_a_picture_is_put_behind_the_map_and_everybody_sees_it_at_once(
    server: Served, windows: Windows, files: dict[str, Path]
) -> None:
    """Dragged, turned larger, moved by keys and by numbers; what is no picture is refused where it was chosen."""
    gm = windows.open(server.links["heath"]["game master"])
    holt = windows.open(server.links["heath"]["Holt"], size=(390, 844), colours="dark")
    up_to_date(gm, holt, at=position(gm))
    gm.get_by_role("button", name="Map background").click()
    gm.set_input_files("#map-picture", files["text"])
    expect(gm.locator(".hanging .warning")).to_have_text("Must be a PNG, JPEG or WebP picture")
    gm.set_input_files("#map-picture", files["map"])
    backdrop = gm.locator(".backdrop")
    expect(backdrop).to_have_count(1)
    within_reach(gm)

    gm.get_by_label("Pixels per hex").fill("50")
    gm.keyboard.press("Tab")
    gm.get_by_label("From the left").fill("0")
    gm.keyboard.press("Tab")
    gm.get_by_label("From the top").fill("0")
    gm.keyboard.press("Tab")
    expect(backdrop).to_have_attribute("transform", "translate(0 0) scale(0.02)")
    gm.locator(".over").focus()
    gm.keyboard.press("Shift+ArrowLeft")
    gm.keyboard.press("ArrowDown")
    expect(backdrop).to_have_attribute("transform", "translate(-1 0.05) scale(0.02)")
    x, y = middle(gm, ".board")
    gm.mouse.move(x, y - 100)
    gm.mouse.down()
    gm.mouse.move(x + 60, y - 100, steps=3)
    gm.mouse.up()
    moved = str(backdrop.evaluate(LIES))
    assert float(moved.partition("(")[2].partition(" ")[0]) > -1
    gm.mouse.wheel(0, -300)
    expect(backdrop).not_to_have_attribute("transform", moved)
    expect(holt.locator(".backdrop")).to_have_count(0)
    gm.get_by_role("button", name="Save").click()
    expect(gm.locator(".hanging")).to_have_count(0)
    expect(holt.locator(".backdrop")).to_have_count(1)
    there = [[float(one) for one in page.locator(".backdrop").evaluate(NUMBERS)] for page in (gm, holt)]
    assert there[0] == pytest.approx(there[1])
    expect(holt.get_by_role("button", name="Map background")).to_have_count(0)


def test_of_a_concealed_one_no_picture_is_fetched_until_they_are_revealed(
    server: Served, windows: Windows, files: dict[str, Path]
) -> None:
    """On the map and among the people; the game master sees them half transparent meanwhile."""
    gm = windows.open(server.links["heath"]["game master"])
    holt = windows.open(server.links["heath"]["Holt"])
    up_to_date(gm, holt, at=position(gm))
    fetched: list[str] = []
    holt.on("request", lambda request: fetched.append(request.url))
    gives_portrait(gm, "lurker", files["face"])
    gives_portrait(gm, "grole", files["face"])
    expect(holt.locator(".token[data-who=grole] .portrait")).to_have_count(1)
    expect(holt.locator(".person[data-who=grole] .face")).to_have_count(1)
    expect(gm.locator(".token[data-who=lurker] .portrait")).to_have_css("opacity", "0.5")
    scene = msgspec.json.decode(gm.evaluate(SCENE))
    secret = scene["portraits"]["lurker"]
    assert secret not in "".join(fetched)
    assert secret not in holt.evaluate("document.documentElement.outerHTML")
    before = position(gm)
    rule_by_form(gm, "reveal", who="lurker")
    expect(holt.locator(".token[data-who=lurker] .portrait")).to_have_count(1)
    up_to_date(gm, holt, at=before + 1)
    assert any(secret in one for one in fetched)


SCENE = """async () => JSON.stringify(await (await fetch('/api/fights/heath/scene',
  { headers: { Authorization: `Bearer ${sessionStorage.getItem('affray-token:heath')}` } })).json())"""


def test_one_measures_without_moving_by_taps_and_by_keys(server: Served, windows: Windows) -> None:
    """In the fight's unit, as its server counts it; spectators may measure, too."""
    page = windows.open(server.links["heath"]["spectators"])
    expect(page.locator(".token").first).to_be_visible()
    before = len(server.recorded("heath"))
    page.get_by_role("button", name="Measure").click()
    for who in ("holt", "grole"):
        page.mouse.click(*middle(page, f".token[data-who={who}] .ring"))
    expect(page.locator(".measured text")).to_have_text("15 feet")
    expect(page.locator("#spoken")).to_have_text("0,0 to 3,0: 15 feet")
    for key in ("Enter", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".measured text")).to_have_text("5 feet")
    page.keyboard.press("Escape")
    expect(page.locator(".measured")).to_have_count(0)
    assert len(server.recorded("heath")) == before


def test_a_finger_that_stays_on_somebody_opens_what_one_rules(server: Served, windows: Windows) -> None:
    """As a right click does, where no such click is made of it; a finger that moves on opens nothing."""
    gm = windows.open(server.links["heath"]["game master"])
    expect(gm.locator(".token").first).to_be_visible()
    gm.clock.install()
    gm.clock.pause_at(datetime.now() + timedelta(minutes=1))  # however busy the machine is, a touch is short
    token = gm.locator(".token[data-who=grole]")
    for moves, opened in ((30, 0), (2, 1)):
        token.evaluate(TOUCHES, ["touchstart", 100])
        token.evaluate(TOUCHES, ["touchmove", 100 + moves])
        gm.clock.run_for(700)
        expect(gm.locator("dialog .hand")).to_have_count(opened)


TOUCHES = """(one, [kind, x]) => {
  const touch = new Touch({ identifier: 1, target: one, clientX: x, clientY: 100 });
  one.dispatchEvent(new TouchEvent(kind, { touches: [touch], bubbles: true, cancelable: true }));
}"""
