"""A hand at the table: it taps what is on the screen, counts its taps, and keeps a picture of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as TooLate

from tests.page.window import expect, position, up_to_date

PEOPLE = """() => {
  const tokens = [...document.querySelectorAll(".token[data-who]")].filter((one) => !one.closest(".dragged"));
  const all = tokens.length ? tokens : [...document.querySelectorAll(".person[data-who]")];
  return all.map((one) => {
    const { left, top, width, height } = (one.querySelector(".body") ?? one).getBoundingClientRect();
    return { who: one.dataset.who, side: one.dataset.hue, up: one.classList.contains("up"),
      out: one.classList.contains("out"), down: one.classList.contains("down"),
      x: left + width / 2, y: top + height / 2, map: tokens.length > 0 };
  });
}"""
"""Whom one sees: where, on which side, who is up, who lies there, and who is out."""

APART = """() => {
  const people = [...document.querySelectorAll(".person[data-who]")];
  const who = new Map(people.map((one) => [one.querySelector(".name").textContent, one.dataset.who]));
  const table = document.querySelector("table.apart");
  const columns = [...(table?.querySelectorAll("thead th") ?? [])].map((one) => who.get(one.textContent));
  return [...(table?.querySelectorAll("tbody tr") ?? [])].flatMap((row) => [...row.querySelectorAll("td")]
    .map((cell, nth) => [who.get(row.querySelector("th").textContent), columns[nth], cell.textContent]));
}"""
"""How far apart people are, in a fight without a map."""

PLACES = """() => {
  const frame = document.querySelector(".board")?.getBoundingClientRect();
  const shares = [0.5, 0.2, 0.8, 0.1, 0.9];
  const free = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return shares.flatMap((down) => shares.map((along) => ({ x: left + along * width, y: top + down * height })))
      .find(({ x, y }) => x > frame.left && x < frame.right && y > frame.top && y < frame.bottom
        && document.elementFromPoint(x, y)?.closest(".cell") === one);
  };
  return [...document.querySelectorAll(".board .cell")].flatMap((one) => {
    const at = free(one);
    return at ? [{ to: one.dataset.cell, risky: one.classList.contains("risky"), ...at }] : [];
  });
}"""
"""Where one can go, and where a tap on it hits nobody who is there."""

SAID = (
    ".standing, .card h2, .card h3, .card .option, .card .dim, .foe h2, .foe li, .details-of, .promises, .refusal p, "
    ".result .says, .result .total, .result .dim, .kinds .not li"
)
"""What the table says to whoever looks at it."""


@dataclass
class Log:
    """The inputs and messages at a table.

    Attributes:
        folder: Where the pictures go; nothing is kept without it.
        taps: How many taps each round took; 0 is what came before the first.
        lines: What was tapped, by whom.
        said: Every different text that was shown.
        headlines: Those of them that said where the fight stands.
    """

    folder: Path | None = None
    taps: Counter[int] = field(default_factory=Counter)
    deeds: Counter[int] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    headlines: set[str] = field(default_factory=set)

    def write(self) -> None:
        """Leave the lines and the texts beside the pictures."""
        if self.folder is not None:
            (self.folder / "taps.txt").write_text("".join(f"{one}\n" for one in self.lines), encoding="utf-8")
            (self.folder / "said.txt").write_text(
                "".join(f"{who}: {text}\n" for text, who in self.said.items()), encoding="utf-8"
            )


class Hand:
    """A person at a window."""

    def __init__(self, name: str, page: Page, log: Log) -> None:
        self.name, self.page, self.log = name, page, log

    @property
    def round(self) -> int:
        """The round that the window shows."""
        text = " ".join(self.page.locator(".facts").all_text_contents())
        _, _, after = text.partition("Round ")
        digits = after[: len(after) - len(after.lstrip("0123456789"))]
        return int(digits or 0)

    def there(self, selector: str) -> Locator | None:
        """Return the first of some elements that is on the screen."""
        for one in self.page.locator(selector).all():
            if one.is_visible():
                return one
        return None

    def tap(self, what: Locator, *, says: str = "") -> None:
        """Tap something, where nothing may lie over it."""
        text = says or (what.get_attribute("aria-label") or what.inner_text()).strip().replace("\n", " ")
        self.counted(text)
        what.click(timeout=4_000)
        self.seen()

    def point(self, place: dict[str, Any]) -> None:
        """Tap a place on the map; a combatant lying there gets the tap."""
        self.counted(f"to {place['to']}")
        self.page.mouse.click(place["x"], place["y"])
        self.seen()

    def counted(self, text: str) -> None:
        """Count a tap."""
        self.log.taps[self.round] += 1
        self.log.lines.append(f"{len(self.log.lines) + 1:03} {self.name}, round {self.round}: {text}")

    def seen(self) -> None:
        """Look at what came of a tap."""
        expect(self.page.locator(".now-list[aria-busy=true]")).to_have_count(0)
        self.look(self.name)

    def look(self, name: str) -> None:
        """Keep a picture, and what was said."""
        self.log.headlines.update(self.page.locator(".standing").all_inner_texts()[:1])
        for text in self.page.locator(SAID).all_inner_texts():
            self.log.said.setdefault(" / ".join(text.split("\n")), self.name)
        if self.log.folder is not None:
            self.page.screenshot(path=self.log.folder / f"{len(self.log.lines):03}-{name}.png")

    def people(self) -> list[dict[str, Any]]:
        """List the visible combatants."""
        found: list[dict[str, Any]] = self.page.evaluate(PEOPLE)
        return found

    def distances(self) -> dict[frozenset[str], float]:
        """Return the stated distances of combatants, without a map."""
        pairs: list[tuple[str, str, str]] = self.page.evaluate(APART)
        return {frozenset((one, other)): float(text) for one, other, text in pairs if text.isdecimal()}

    def actor(self) -> str | None:
        """Return the combatant that the window acts for."""
        chosen = self.page.locator(".actors [aria-pressed=true]")
        if chosen.count():
            return str(chosen.first.get_attribute("data-key")).removeprefix("actor-")
        label = str(self.page.locator(".kinds").first.get_attribute("aria-label") or "")
        name = label.removeprefix("Actions of ")
        for one in self.page.locator(".person[data-who]").all():
            if (one.locator(".name").text_content() or "").lower() == name.lower():
                return one.get_attribute("data-who")
        return None


def all_see(hands: list[Hand], after: int) -> bool:
    """Wait until every window shows what one of them has done; false if nothing was done."""
    try:
        hands[0].page.wait_for_function(
            "after => Number(document.body.dataset.position) > after", arg=after, timeout=3_000
        )
    except TooLate:
        return False
    up_to_date(*(one.page for one in hands), at=max(position(one.page) for one in hands))
    for one in hands:
        one.look(one.name)
    return True


__all__ = ["PLACES", "Hand", "Log", "all_see"]
