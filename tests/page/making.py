"""An encounter made by clicking, from an empty server: its rules, who fights, where they stand, who is invited to play.

What is clicked is what the page declares: a system, a side, a line of the library, a field. Nothing is known of any
rule but the names that are picked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page

from tests.page.hand import Hand
from tests.page.window import expect

Tap = Callable[[Locator], None]


@dataclass(frozen=True)
class Making:
    """An encounter to make.

    Attributes:
        name: What the encounter is called.
        sides: The lines of the library that are picked for each side; one without a line is somebody of their own.
        zones: Places to describe, each leading to the one before.
        own: What is written in the sheet of whoever is of their own: words, a number, a line to pick, or several.
        pc: Whom to mark as a player's character.
        apart: How far apart some begin, by the label of their field.
        copies: Of whom another one is wanted.
        plays: Whom the player plays that is invited.
    """

    name: str
    sides: dict[str, tuple[str, ...]]
    plays: str
    zones: tuple[str, ...] = ()
    own: dict[str, int | str | tuple[str, ...]] = field(default_factory=dict)
    pc: tuple[str, ...] = ()
    apart: dict[str, int] = field(default_factory=dict)
    copies: tuple[str, ...] = ()


MADE = {
    "vestige": Making("The gate at night", {"party": ("hero", "hero"), "foes": ("minion", "minion", "leader")}, "Hero"),
    "hexblade": Making("On the stair", {"party": ("fighter", "archer"), "foes": ("bandit", "bandit")}, "Fighter"),
    "verdigris": Making(
        "The yard", {"party": ("bandit", "orc"), "enemies": ("goblin", "goblin")}, "Orc",
        zones=("yard", "gate"), pc=("Bandit", "Orc"),
    ),
    "wyrd": Making(
        "Seven paces", {"party": ("grog", "mira"), "foes": ("orc", "orc")}, "Grog",
        pc=("Grog", "Mira"), apart={"Grog and Orc": 7, "Grog and Orc 2": 9, "Mira and Orc": 12, "Mira and Orc 2": 12},
    ),
    "wwn": Making(
        "The empty mill", {"party": ("",), "foes": ("raider", "raider")}, "Osric",
        own={"name": "Osric", "class": "warrior", "level": 2, "hp": 15, "weapons": ("mace",), "armor": "cuirass"},
        pc=("Osric",), copies=("Osric",),
    ),
}  # fmt: skip
"""One encounter of each system, small enough to be fought to its end."""


def make(hand: Hand, system: str, plan: Making) -> dict[str, str]:
    """Make it, open it, and invite players and spectators; return their links."""
    page, tap = hand.page, hand.tap
    begin_empty(page, system, plan.name, tap)
    describe(hand, plan.zones)
    for side, lines in plan.sides.items():
        add_from_library(page, side, *lines, tap=tap)
        if "" in lines:
            fill_sheet(hand, plan.own)
    for name in plan.pc:
        tap(card(page, name).get_by_role("button", name="Edit"))
        hand.tap(page.get_by_label("Player character"), says=f"{name} is a player's character")
        tap(card(page, name).get_by_role("button", name="Done"))
    for name in plan.copies:
        tap(page.get_by_role("button", name=f"Duplicate {name}"))
    for pair, number in plan.apart.items():
        box = page.locator(f"input[aria-label^='{pair},']")
        if not box.is_visible():
            tap(page.locator("details", has=box).locator("summary"))
        box.fill(str(number))
        hand.counted(f"{pair}: {number}")
    ready(page)
    tap(page.get_by_role("button", name="Save", exact=True))
    fight_it(page, tap)
    return invite(hand, plan.plays)


def begin_empty(page: Page, system: str, name: str, tap: Tap = Locator.click) -> None:
    """Begin an encounter without combatants."""
    tap(page.locator(".wordmark"))
    tap(page.get_by_role("link", name="New encounter"))
    tap(page.locator(f"[data-system={system}]").get_by_role("button", name="Start empty"))
    page.get_by_label("Name of the encounter").fill(name)
    state = page.locator(".editor-head .state")
    expect(state).to_have_text("Add a combatant to each side")  # nothing is wrong before anybody did anything
    expect(state).not_to_have_class("state warning")


def add_from_library(page: Page, side: str, *lines: str, tap: Tap = Locator.click) -> None:
    """Add a combatant from the library to a side, by name; an empty line is a blank one."""
    tap(page.locator(f"[data-side={side}]").get_by_role("button", name="Add to"))
    for line in lines:
        if not line:
            tap(page.locator(".picker").get_by_role("button", name="Custom combatant"))
            return
        page.get_by_role("searchbox").fill(line)
        tap(page.locator(f".picker [data-line={line}]"))
    tap(page.locator(".picker").get_by_role("button", name="Done"))


def describe(hand: Hand, zones: tuple[str, ...]) -> None:
    """Describe places, each with an exit to the one before."""
    for nth, zone in enumerate(zones):
        hand.tap(hand.page.get_by_role("button", name="Add: zone"))
        hand.page.locator(f"[data-field='zone[{nth}].name'] input").fill(zone)
        if nth:
            hand.tap(hand.page.locator(f"[data-field='zone[{nth}].exits']").get_by_label(zones[nth - 1]))


def fill_sheet(hand: Hand, fields: dict[str, int | str | tuple[str, ...]]) -> None:
    """Write in the sheet that is open: words and numbers into boxes, lines out of the library."""
    page = hand.page
    for name, value in fields.items():
        place = page.locator(f".sheet-of [data-field$='.{name}']").first
        box = place.locator("input")
        if box.count():
            box.fill(str(value))
            hand.counted(f"{name}: {value}")
            continue
        assert not isinstance(value, int), f"there is no box for {name}"
        hand.tap(place.locator("button[aria-haspopup]"))
        for line in (value,) if isinstance(value, str) else value:
            hand.tap(page.locator(f".picker [data-line={line}]"))
        if not isinstance(value, str):
            hand.tap(page.locator(".picker").get_by_role("button", name="Done"))
    hand.tap(page.locator(".fighter").get_by_role("button", name="Done"))


def card(page: Page, name: str) -> Locator:
    """Return a combatant's card."""
    return page.locator(".fighter").filter(has=page.get_by_role("heading", name=name, exact=True))


def ready(page: Page) -> None:
    """Wait until it is checked, and nothing is wrong."""
    expect(page.locator(".editor-head .state[data-checked=true]")).to_have_text("Ready to fight")


def fight_it(page: Page, tap: Tap = Locator.click) -> None:
    """Open the table, where the game master can begin."""
    tap(page.get_by_role("button", name="Start fight"))
    tap(page.get_by_role("button", name="Open the table"))
    expect(page.locator(".kinds [data-kind=begin]")).to_be_visible()


def invite(hand: Hand, plays: str) -> dict[str, str]:
    """Make a link for a player, and one for those who look on."""
    page = hand.page
    hand.tap(page.get_by_role("button", name="Players and links").first)
    expect(page.locator(".seat").first).to_be_visible()
    links = {}
    for who, seat in ((plays, plays), ("spectators", "spectator")):
        found = page.locator(f".seat[data-seat='{seat}']")
        if not found.count():
            lets_in(hand, seat, plays)
        else:
            hand.tap(found.get_by_role("button", name="A link for"))
        links[who] = found.get_by_role("textbox").input_value()
    hand.tap(page.locator(".coming").get_by_role("button", name="Done"))
    return links


def lets_in(hand: Hand, name: str, plays: str) -> None:
    """Add a link for a combatant without one."""
    page = hand.page
    hand.tap(page.get_by_text("Invite another person"))
    page.get_by_label("Name", exact=True).fill(name)
    hand.tap(page.locator("[name=owns]").and_(page.get_by_label(plays, exact=True)))
    hand.tap(page.get_by_role("button", name="Make a link"))
