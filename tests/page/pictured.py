"""Take the pictures that the documents show, from fights that always go alike.

python -m tests.page.pictured docs/images
"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from random import Random
from shutil import copy
from tempfile import TemporaryDirectory

import msgspec
from playwright.sync_api import sync_playwright

from affray.engine import Store, begin_fight
from affray.engine.fight import Fight
from affray.tools.lab.bench.brawl import sensibly
from tests.page.conftest import QUIETLY, chromium
from tests.page.making import MADE, add_from_library, begin_empty, ready
from tests.page.served import Served
from tests.page.window import Windows, expect
from tests.tools.program import THEN

ROOT = Path(__file__).parents[2]
BRIDGE = (ROOT / "encounters/vestige/bridge.toml").read_text("utf-8")
CELLAR = (ROOT / "encounters/wwn/cellar.toml").read_text("utf-8")
DISPUTED = ROOT / "replays/vestige/nested-interrupts.jsonl"
WOUND = 114
PLAYED = 12
"""After so many commands the bridge is in the midst of its fight."""


def played(store: Store, name: str, encounter: str, *, dice: int, up: str = "") -> Fight:
    """Return a stored fight: finished, or in the turn of a combatant that is about to act."""
    seed = bytes(range(dice, dice + 32))
    fight = begin_fight(name, msgspec.toml.decode(encounter), who="gm", seed=seed, store=store, clock=lambda: THEN)
    for nth, _ in enumerate(sensibly(fight, Random(1))):
        if up and nth > PLAYED and fight.state.acting == (up,) and not fight.state.stack and not fight.state.window:
            break
    return fight


def table(server: Served, windows: Windows, folder: Path) -> None:
    """The game master's view during a move; the actions against a foe on a player's phone."""
    gm = windows.open(server.links["bridge"]["game master"], size=(1280, 800))
    expect(gm.locator("[data-likely]")).to_be_visible()
    expect(gm.locator(".result .die").first).to_be_visible()
    gm.locator(".token.up").click()
    way = gm.locator(".board .cell:not(.risky)").last
    way.hover()
    expect(gm.locator(".way-there")).to_be_visible()
    gm.screenshot(path=folder / "table-light.png")
    phone = windows.open(server.links["bridge"]["Ilse"], size=(390, 844), colours="dark")
    phone.locator(".token[data-who=captain]").click()
    expect(phone.locator(".foe .promises").first).to_be_visible()
    phone.screenshot(path=folder / "table-phone.png")


def replay(server: Served, windows: Windows, folder: Path) -> None:
    """A recorded fight in its second round; the chances over another one; why a number is what it is."""
    page = windows.open(f"{server.links['bridge']['game master']}&view=replay&at=150", size=(1280, 800))
    expect(page.locator(".proof")).to_have_attribute("data-proof", "whole")
    page.screenshot(path=folder / "replay-light.png")
    dark = windows.open(f"{server.links['bridge']['game master']}&view=replay&at=150", size=(1280, 800), colours="dark")
    expect(dark.locator(".proof")).to_have_attribute("data-proof", "whole")
    dark.locator(".roll").last.click()
    expect(dark.locator("dialog .receipt .total")).to_be_visible()
    dark.screenshot(path=folder / "receipt-dark.png")
    luck = windows.open(f"{server.links['cellar']['game master']}&view=replay&at=480", size=(1280, 900))
    luck.get_by_role("button", name="Draw the curve").click()
    expect(luck.locator(".sums")).to_be_visible(timeout=600_000)
    luck.evaluate("scrollTo(0, 0)")
    luck.screenshot(path=folder / "replay-luck.png")


def editor(empty: Served, windows: Windows, folder: Path) -> None:
    """An encounter that is being made."""
    page = windows.open(empty.host, size=(1440, 960))
    plan = MADE["vestige"]
    begin_empty(page, "vestige", plan.name)
    for side, lines in plan.sides.items():
        add_from_library(page, side, *lines)
    ready(page)
    expect(page.locator(".difficulty .suggestions button")).to_have_count(2, timeout=60_000)
    page.screenshot(path=folder / "editor-light.png")


def receipt(windows: Windows, folder: Path) -> None:
    """The receipt of a wound, as a separate page."""
    with TemporaryDirectory() as place:
        log = Path(place) / "bridge.jsonl"
        copy(DISPUTED, log)
        page = Path(place) / "receipt.html"
        program = Path(sys.executable).with_name("affray")
        subprocess.run([program, "explain", log, str(WOUND), "--html", page], check=True)
        shown = windows.open(page.as_uri(), size=(1280, 800))
        shown.screenshot(path=folder / "receipt-light.png")


def main() -> None:
    """Take them all."""
    parser = ArgumentParser(prog="python -m tests.page.pictured", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where they go")
    folder: Path = parser.parse_args().folder
    with sync_playwright() as playwright, TemporaryDirectory() as place, TemporaryDirectory() as other:
        windows = Windows(playwright.chromium.launch(executable_path=chromium(whole=True), args=[*QUIETLY]))
        receipt(windows, folder)
        with Served(Path(place)) as server:
            played(server.store, "bridge", BRIDGE, dice=12, up="ilse")
            played(server.store, "cellar", CELLAR, dice=22)
            server.start("bridge", "cellar")
            table(server, windows, folder)
            replay(server, windows, folder)
        with Served(Path(other)) as empty:
            empty.start()
            editor(empty, windows, folder)
        if windows.wrong:
            raise SystemExit("\n".join(windows.wrong))


if __name__ == "__main__":
    main()
