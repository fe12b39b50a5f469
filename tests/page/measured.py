"""Page speed: ``python -m tests.page.measured``. A crowd of 100, 5,000 story events; five against 25 on two screens.

Everything is measured in the browser, from the tap to the frame that shows what came of it. Beside other work the best
of several runs says what the page takes; the others say what the machine was busy with.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from affray.engine import open_fight
from affray.tools.lab.bench.brawl import sensibly
from tests.page.conftest import QUIETLY, chromium
from tests.page.served import Served
from tests.page.test_large import SIZES, crowd, play_to_foes

PEOPLE, EVENTS, TAPS = 100, 5_000, 30
CROWD = 'system = "vestige"\nname = "A crowd"\n[board]\nblocked = ["5,5"]\n'
ONE = """
[[combatant]]
name = "{side} {nth}"
side = "{side}"
block = "minion"
at = "{x},{y}"
weapons = ["axe"]
"""

SETTLED = """() => document.querySelector('.kinds button')
  && document.body.dataset.legal === document.body.dataset.position"""

FIRST_VIEW = """() => {
  const entries = performance.getEntriesByType("resource");
  const sum = (what) => entries.reduce((all, one) => all + one[what], 0);
  return [performance.now(), sum("transferSize"), entries.length];
}"""
"""How long ago the page was asked for, what it took on the wire, and how many files."""

TAP = """async ([selector, nth, shown]) => {
  const one = [...document.querySelectorAll(selector)][nth];
  const gone = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const began = performance.now();
  one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  while (!document.querySelector(shown) && performance.now() - began < 5000) await gone();
  await gone();
  return performance.now() - began;
}"""
"""From a click on one of some elements to the frame in which something is shown."""

CHOSEN = """async (nth) => {
  const one = document.querySelectorAll(".actors button")[nth];
  const began = performance.now();
  one.click();
  while (!(one.getAttribute("aria-pressed") === "true" && document.querySelector(".kinds [data-kind]")
    && document.querySelector(`.token.up[data-who="${one.dataset.key.slice(6)}"]`)) && performance.now() - began < 5000)
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - began;
}"""
"""From a click on a combatant of many that act to its ring and its actions."""

PANNED = """async () => {
  const board = document.querySelector(".board");
  const { left, top, width } = board.getBoundingClientRect();
  const [clientX, clientY] = [left + width / 3, top + 30];
  const mouse = (type, to, x, y, buttons) => to.dispatchEvent(
    new MouseEvent(type, { bubbles: true, view: window, clientX: clientX + x, clientY: clientY + y, buttons }));
  const frame = () => new Promise(requestAnimationFrame);
  mouse("mousedown", board, 0, 0, 1);
  const times = [await frame()];
  for (let nth = 1; nth <= 120; nth += 1) {
    mouse("mousemove", window, nth, nth / 2, 1);
    times.push(await frame());
  }
  mouse("mouseup", window, 120, 60, 0);
  return times.slice(1).map((time, nth) => time - times[nth]);
}"""
"""How long each frame took while the map was dragged."""


def leave_crowded_fight(server: Served, name: str, events: int) -> None:
    """Store a crowded fight with a long story, in the middle of a turn."""
    sides = ("red", "blue")
    people = (ONE.format(side=sides[nth % 2], nth=nth, x=nth % 20, y=nth // 20 * 2) for nth in range(PEOPLE))
    server.begin(name, CROWD + "".join(people))
    fight = open_fight(name, server.store)
    for _ in sensibly(fight, Random(1)):
        now = fight.state
        if fight.head >= events and now.acting and now.window is None and now.question is None:
            return


def opened(browser: Browser, link: str, size: tuple[int, int] = (1280, 800)) -> tuple[Page, float]:
    """Open a fight in a window that has never seen the page; return how long its own thread worked, too."""
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.set_default_timeout(120_000)
    thread: Any = page.context.new_cdp_session(page)
    thread.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(link, wait_until="commit")
    page.wait_for_function(SETTLED, polling="raf")
    told = {one["name"]: one["value"] for one in thread.send("Performance.getMetrics")["metrics"]}
    return page, float(told["TaskDuration"]) * 1000


def taps(page: Page) -> Iterator[tuple[str, list[float]]]:
    """Yield what was tapped, and how many milliseconds each tap took."""
    foes: list[float] = []
    for nth in range(TAPS):
        foes.append(page.evaluate(TAP, [".token:not(.up)", nth, ".foe ul button, .foe .dim + .dim"]))
        page.locator(".foe header button").click()
    yield "tap on somebody, until the server has said what can be done to them", foes
    sheets = []
    for nth in range(TAPS // 3):
        sheets.append(page.evaluate(TAP, [".entry .roll", nth, "dialog .receipt"]))
        page.keyboard.press("Escape")
    yield "tap on a number of the story, until its receipt is there", sheets


def large(browser: Browser, server: Served) -> Iterator[str]:
    """Yield the lines of five against 25, on a wide screen and on a phone."""
    for size in SIZES:
        page, worked = opened(browser, server.links["wall"]["game master"], size)
        yield first_view(page, worked, f"five against 25, {size[0]} wide")
        foes = []
        for nth in range(TAPS):
            foes.append(page.evaluate(TAP, [".token:not(.up)", nth % 20, ".foe ul button, .foe .dim + .dim"]))
            page.locator(".foe header button").first.click()
        yield row(f"tap on a combatant, five against 25, {size[0]} wide", foes)
        chosen = [page.evaluate(CHOSEN, nth) for nth in range(1, TAPS // 3)]
        yield row(f"tap on another of the 25 that act, {size[0]} wide", chosen)


def walks(page: Page) -> tuple[str, list[float]]:
    """Return how long it takes to see where one may go: it was asked for before one taps."""
    page.wait_for_selector(".token.up[data-drag]")
    found = []
    for _ in range(TAPS):
        found.append(page.evaluate(TAP, [".token.up", 0, ".cell"]))
        page.evaluate(TAP, [".token.up", 0, ".board:not(:has(.cell))"])
    return "tap on whoever is up, until it is shown where they may go", found


def measured(folder: Path, events: int, program: str) -> Iterator[str]:
    """Yield the lines of a run."""
    with Served(folder) as server, sync_playwright() as playwright:
        leave_crowded_fight(server, "crowd", events)
        leave_crowded_fight(server, "fresh", 1)
        server.begin("wall", crowd())
        play_to_foes(open_fight("wall", server.store))
        browser = playwright.chromium.launch(executable_path=program, args=[*QUIETLY])
        server.start("crowd", "fresh", "wall")
        yield from large(browser, server)
        link = server.links["crowd"]["game master"]
        page, worked = opened(browser, link)
        yield first_view(page, worked, "from a cold server")
        page, worked = opened(browser, link)
        yield first_view(page, worked, "again, by somebody else")
        for what, times in taps(page):
            yield row(what, times)
        yield row(*walks(opened(browser, server.links["fresh"]["game master"])[0]))
        yield row("a frame while the map is dragged, 100 tokens on it", page.evaluate(PANNED))
        browser.close()


def first_view(page: Page, worked: float, by: str) -> str:
    """Return a line: when all of a fight was there, and what that took."""
    took, wire, files = page.evaluate(FIRST_VIEW)
    what = f"first view of the whole story, {by}"
    return f"{what:<72}{took:8,.0f} ms, the page at work for {worked:,.0f}; {wire / 1000:,.0f} kB, {files} files"


def row(what: str, times: Sequence[float]) -> str:
    """Return a line: the best, the middle, the 95th percentile and the worst of some times."""
    cuts = quantiles(times, n=100, method="inclusive")
    return f"{what:<72}{min(times):8.1f} to {max(times):.1f} ms, in the middle {cuts[49]:.1f}, 95 % {cuts[94]:.1f}"


def main(words: Sequence[str]) -> int:
    """Measure, and print what was found."""
    options = ArgumentParser(
        prog="python -m tests.page.measured", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    options.add_argument("--events", type=int, default=EVENTS)
    options.add_argument("--runs", type=int, default=1, help="how often to do all of it")
    given: Any = options.parse_args(words)
    program = chromium(whole=True) or chromium()
    if program is None:
        print("there is no Chromium here (apt-get install chromium)", file=sys.stderr)
        return 2
    for _ in range(given.runs):
        with TemporaryDirectory() as folder:
            for line in measured(Path(folder), given.events, program):
                print(line, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
