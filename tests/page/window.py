"""A browser window, as a participant uses it."""

from __future__ import annotations

from typing import Any, Literal

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

Colours = Literal["light", "dark"]

AT = """([position]) => {
  const shown = document.body.dataset;
  return Number(shown.position) >= position && shown.legal === shown.position;
}"""
"""Whether a window shows a position, or a later one, and what may be done there."""

expect.set_options(timeout=15_000)
"""A busy machine may take its time; how fast things are is a matter of benchmarks."""

EXPECTED = ("net::ERR_", "status of 4", "status of 5")
"""What a browser writes down that is no fault of the page: a server that is away, a command that was refused."""


class Windows:
    """Opens windows and remembers everything that went wrong in them."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.wrong: list[str] = []
        self._open: list[Page] = []

    def open(self, link: str, *, size: tuple[int, int] = (1280, 860), colours: Colours = "light") -> Page:
        """Open another participant's window, with separate storage."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=colours, reduced_motion="reduce"
        )
        context.set_default_timeout(10_000)
        page = context.new_page()
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("console", self._said)
        self._open.append(page)
        page.goto(link)
        return page

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(text in message.text for text in EXPECTED):
            self.wrong.append(message.text)

    def close(self) -> None:
        """Close them all."""
        for page in self._open:
            page.context.close()


def position(page: Page) -> int:
    """Return the position a table shows."""
    return int(page.evaluate("Number(document.body.dataset.position ?? 0)"))


def up_to_date(*pages: Page, at: int) -> None:
    """Wait until tables show a position, or a later one, and what may be done there."""
    for page in pages:
        page.wait_for_function(AT, arg=[at])


def declare(page: Page, kind: str, **picks: str) -> None:
    """Click an action, and in what it then asks the values that are named; each other one is the first there is."""
    page.locator(f".kinds [data-kind={kind}]").first.click()
    wait_for_answer(page)
    for name, text in picks.items():
        page.locator(f".values [data-field={name}]", has_text=text).first.click()
        wait_for_answer(page)
    choose_the_rest(page)
    if page.locator(".declare").count():
        page.locator(".declare").click()


def choose_the_rest(page: Page) -> None:
    """Click the first value of each field that is still to be chosen."""
    while page.locator(".declare[disabled]").count():
        page.locator("fieldset:not(:has([aria-pressed=true])) .values button").first.click()
        wait_for_answer(page)


def wait_for_answer(page: Page) -> None:
    """Wait until the server has answered what was asked last."""
    expect(page.locator(".now-list")).to_have_attribute("aria-busy", "false")


def there(page: Page, selector: str) -> Locator | None:
    """Return the first of some elements, if there are any just now."""
    found = page.locator(selector)
    return found.first if found.count() else None


def look(page: Page, part: str) -> None:
    """Show a part of the table where only one is shown at a time: on a phone."""
    tab = page.locator(".tabs").get_by_role("button", name=part)
    if tab.is_visible():
        tab.click()


def stays_within(page: Page) -> None:
    """Check that no content makes the page wider than its window."""
    wide: Any = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0


__all__ = [
    "Windows", "wait_for_answer", "choose_the_rest", "declare", "expect", "look", "position", "stays_within", "there",
    "up_to_date",
]  # fmt: skip
