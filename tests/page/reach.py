"""Accessibility of a view: by axe-core, by further checks, and with text twice as large."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.examples import THOROUGH
from tests.page.window import Colours

HERE = Path(__file__).parent
STEADY = """async (measure, argument) => {
  const moves = () => document.getAnimations().some((one) => one.playState === "running");
  const busy = () => document.querySelector("[aria-busy=true]") || moves();
  for (let found, changed = true; ; ) {
    while (busy()) await new Promise(requestAnimationFrame);
    changed = false;
    const watch = new MutationObserver(() => { changed = true; });
    watch.observe(document.body, { subtree: true, attributeFilter: ["aria-busy"] });
    found = await measure(argument);
    watch.disconnect();
    if (!changed) return found;
  }
}"""
"""Measures a page while nothing is asked for anew; what is asked for anew is pale until it is there."""


def steadily(measure: str) -> str:
    """JavaScript that measures while the page is at rest, and again if it was not."""
    return f"(argument) => ({STEADY})({measure}, argument)"


MEASURED = steadily((HERE / "access.js").read_text("utf-8").partition("\n")[2].strip().removesuffix(";"))
"""See there: contrast of text, size of what is pressed, what is cut off, whether anything is wider than the window."""

AXE = (HERE / "lib" / "axe.js").read_text("utf-8")
FOUND = steadily("""async (but) => (await axe.run(document.querySelector("dialog:modal") ?? document, {
    resultTypes: ["violations"], rules: Object.fromEntries(but.map((rule) => [rule, { enabled: false }])) })).violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`)""")
"""What axe-core finds, but for some of its rules; where a sheet is open nothing else can be reached."""

MEASURED_HERE = [] if THOROUGH else ["color-contrast"]
"""What takes axe-core half its time and is measured here as well; it is asked about it once for each view."""

NAMELESS = re.compile(
    r"^\s*- (?:button|link|textbox|searchbox|combobox|listbox|slider|checkbox|radio|spinbutton|meter|dialog|region|img)"
    r"(?! \")",
    re.MULTILINE,
)
SIZES = {"wide": (1280, 860), "narrow": (360, 740), "phone": (390, 844)}
SCREENS: tuple[tuple[Colours, str], ...] = (("light", "wide"), ("dark", "narrow"))
"""What hangs on the colours and what hangs on the size has nothing to do with each other."""
if THOROUGH:
    SCREENS += ("dark", "wide"), ("light", "narrow")

LARGE: tuple[tuple[Colours, str], ...] = (("light", "wide"), ("light", "phone"))
"""Where text is made larger."""

USUAL_TEXT, LARGE_TEXT = 16, 32
"""How large text is in pixels, as people set it in their browser."""

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def within_reach(page: Page, *, wide: bool = True) -> None:
    """Everything has a name, can be read and can be hit, with large text too; axe-core finds nothing serious.

    Args:
        wide: Whether it is looked at in a wide window, too; false where that shows all that it showed before.
    """
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    snapshot = page.locator("body").aria_snapshot()
    short = {"nameless": [line.strip() for line in snapshot.splitlines() if NAMELESS.match(line)]}
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    for nth, (colours, size) in enumerate(screens(page, *(one for one in SCREENS if wide or one[1] != "wide"))):
        measured = page.evaluate(MEASURED)
        short |= {f"{what}, {colours}, {size}": measured[what] for what in ("dull", "small", "wide")}
        short[f"axe, {colours}, {size}"] = page.evaluate(FOUND, MEASURED_HERE if nth else [])
    with large_text(page):
        for _, size in screens(page, *(one for one in LARGE if wide or one[1] != "wide")):
            measured = page.evaluate(MEASURED)
            short |= {f"{what}, large, {size}": measured[what] for what in ("wide", "cut")}
    found = {what: these for what, these in short.items() if these}
    assert not found, found


def screens(page: Page, *these: tuple[Colours, str]) -> Iterator[tuple[Colours, str]]:
    """Show a page on one screen after the other, and leave it as it was."""
    before = page.viewport_size
    assert before is not None
    for colours, size in these:
        width, height = SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        page.evaluate(DRAWN)
        yield colours, size
    page.set_viewport_size(before)
    page.emulate_media(color_scheme="light")


@contextmanager
def large_text(page: Page) -> Iterator[None]:
    """Make text twice as large as usual, as a browser setting does."""
    browser: Any = page.context.new_cdp_session(page)
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": LARGE_TEXT}})
    try:
        yield
    finally:
        browser.send("Page.setFontSizes", {"fontSizes": {"standard": USUAL_TEXT}})
        browser.detach()


__all__ = ["AXE", "FOUND", "MEASURED", "SCREENS", "SIZES", "large_text", "screens", "within_reach"]
