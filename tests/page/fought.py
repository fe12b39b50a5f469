"""A whole fight at a table, by tapping alone: a game master's laptop, a player's phone, a spectator's window.

    python -m tests.page.fought vestige encounters/vestige/alley.toml -o pictures

Whoever is up attacks the nearest foe, goes there if they cannot, and else ends their turn; a question gets its first
answer. Nothing is known of any rule but which words mean a blow.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Locator, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from tests.page.conftest import QUIETLY
from tests.page.hand import PLACES, Hand, Log, all_see
from tests.page.served import Served
from tests.page.window import Windows, expect, position

FIRST = ("begin", "roll_initiative", "begin_turn")
BLOWS = ("attack", "shoot", "fire", "engage", "enter_melee")
"""What one does to a foe, whatever the rules call it."""

WAITED = (
    ".card.question .option button.main", ".card.question button[type=submit]", ".card.window button.main",
    ".card.window [data-pass]", "[data-key=together]",
)  # fmt: skip
"""What answers a question, lets a window pass, or is done for everybody at once."""


@dataclass
class Turn:
    """What somebody may still try in a turn: nobody goes on once they have struck, or twice."""

    left: int
    may_strike: bool = True
    may_go: bool = True


class Table:
    """A table at which hands play a fight."""

    engine = False
    """Whether the game master leaves the foes' turns to the engine, one by one."""

    def __init__(self, hands: list[Hand], log: Log, *, forms: bool = False, deeds: int = 1) -> None:
        self.hands, self.log, self.forms, self.deeds = hands, log, forms, deeds
        self.turns: dict[tuple[str, int], Turn] = {}

    @property
    def over(self) -> bool:
        """Whether the fight is."""
        return "is over" in self.hands[0].page.locator(".standing").first.inner_text()

    def play(self, most: int = 400, rounds: int = 99) -> int:
        """Play to the end, or for so many commands or rounds; returns how many commands it took."""
        for nth in range(most):
            if self.over or self.hands[0].round > rounds:
                return nth
            before = position(self.hands[0].page)
            round_then = self.hands[0].round
            hand = next((one for one in [*self.hands[1:], self.hands[0]] if self.acts(one)), None)
            if hand is None:
                raise AssertionError(
                    f"nobody can do anything: {self.hands[0].page.locator('.standing').first.inner_text()}"
                )
            if all_see(self.hands, before):
                self.log.deeds[round_then] += 1
            self.log.write()
        return most

    def acts(self, hand: Hand) -> bool:
        """Do the next thing at a window; false if there is nothing to do there."""
        for selector in WAITED:
            found = hand.there(selector)
            if found is not None:
                self.nears(hand)
                hand.tap(hand.there(".card.question .option:first-of-type [data-always]") or found)
                return True
        for kind in FIRST:
            if hand.there(f".kinds [data-kind={kind}]") is not None and self.must_be_tapped(hand, kind):
                self.chooses(hand, hand.page.locator(f".kinds [data-kind={kind}]").first)
                return True
        if hand.there(".kinds") is None:
            return False
        who = hand.actor()
        if hand.name == "player" and not any(one["up"] and one["who"] == who for one in hand.people()):
            return False
        return (who is not None and self.turn(hand, who)) or self.ends(hand)

    def must_be_tapped(self, hand: Hand, kind: str) -> bool:
        """Wait whether something goes without saying; true if it does not."""
        if kind == "begin":
            return True
        try:
            hand.page.locator(f".kinds [data-kind={kind}]").first.wait_for(state="detached", timeout=1_500)
        except TooLate:
            return True
        return False

    def turn(self, hand: Hand, who: str) -> bool:
        """Strike, or go and then strike; false if neither can be done any more."""
        foe = next(one["side"] for one in hand.people() if one["who"] == who) != "1"
        played = hand.there("[data-key=one-turn]") if self.engine and foe else None
        if played is not None:
            hand.tap(played)
            with suppress(TooLate):
                hand.page.locator(f".person.up[data-who='{who}']").wait_for(state="detached", timeout=8_000)
            return True
        turn = self.turns.setdefault((who, hand.round), Turn(self.deeds))
        if turn.may_strike:
            turn.may_strike = self.strikes(hand, who)
            turn.may_go = turn.may_go and not turn.may_strike
        if not turn.may_strike and turn.may_go:
            turn.may_go = False
            turn.left -= 1
            turn.may_strike = self.goes(hand, who)
        return turn.may_strike

    def nears(self, hand: Hand) -> None:
        """Where it is asked how far apart people are now, say that whoever moved has come to their nearest foe."""
        who = next((one["who"] for one in hand.people() if one["up"]), None)
        for foe in self.foes(hand, who)[:1] if who else []:
            box = hand.there(f".card.question input[data-field='{foe['who']}']")
            if box is not None:
                hand.counted(f"near {foe['who']}")
                box.fill(str(max(1, int(box.get_attribute("min") or 0))))

    def foes(self, hand: Hand, who: str) -> list[dict[str, Any]]:
        """Return the foes of somebody who still stand, the nearest on the screen first."""
        people = hand.people()
        me = next((one for one in people if one["who"] == who), None)
        if me is None:
            return []
        foes = [one for one in people if one["side"] != me["side"] and not one["out"]]
        return sorted(foes, key=lambda one: apart(hand, me, one))

    def strikes(self, hand: Hand, who: str) -> bool:
        """Strike the nearest foe that can be struck, with the end of the turn where it is the last thing."""
        if not any(hand.there(f".kinds [data-kind={kind}]") for kind in BLOWS):
            return False
        if self.forms:
            return self.by_form(hand, who, BLOWS)
        turn = self.turns[who, hand.round]
        turn.left -= 1
        with suppress(TooLate):  # it comes a moment later than the rest
            hand.page.locator("[data-likely]").wait_for(timeout=700)
        likely = (hand.there("[data-likely-ends]") if turn.left < 1 else None) or hand.there("[data-likely]")
        if likely is not None:
            hand.tap(likely)
            return True
        return False

    def goes(self, hand: Hand, who: str) -> bool:
        """Go nearer to the nearest foe; where there is no map, as the rules' own words say."""
        foes = self.foes(hand, who)
        if not foes:
            return False
        move = hand.there(".kinds [data-kind=move]")
        if not foes[0]["map"]:
            return move is not None and self.by_form(hand, who, ("move",))
        if self.forms and move is None:
            return False
        if self.forms and move is not None:
            hand.tap(move)
        else:
            self.touch(hand, who)
        cells: list[dict[str, Any]] = hand.page.evaluate(PLACES)
        me = next(one for one in hand.people() if one["who"] == who)
        foe = next(one for one in hand.people() if one["who"] == foes[0]["who"])
        nearer = [one for one in cells if far(one, foe) < far(me, foe) - 4 and not one["risky"]]
        if not nearer:
            if hand.there(".declare") is not None:
                hand.tap(
                    hand.page.get_by_role("button", name="Never mind").or_(hand.page.locator(".kinds .chosen")).first
                )
            elif cells:
                self.touch(hand, who)
            elif hand.there(".foe") is not None:
                hand.tap(hand.page.locator(".foe").get_by_role("button", name="Close"))
            return False
        hand.point(min(nearer, key=lambda one: far(one, foe)))
        if hand.there(".declare:not([disabled])") is not None:
            hand.tap(hand.page.locator(".declare").first)
        return True

    def by_form(self, hand: Hand, who: str, kinds: tuple[str, ...]) -> bool:
        """Choose an action on the bar, and in its form whom or where."""
        kind = next(one for one in kinds if hand.there(f".kinds [data-kind={one}]") is not None)
        self.chooses(hand, hand.page.locator(f".kinds [data-kind={kind}]").first, self.foes(hand, who))
        return True

    def touch(self, hand: Hand, who: str) -> None:
        """Tap somebody on the map, or in the list where there is no map, or what stands there lies over them."""
        token = hand.there(f".token[data-who='{who}'] .body")
        if token is not None:
            hand.tap(token, says=f"on the map, {who}")
            return
        tab = hand.page.locator(".tabs").get_by_role("button", name="People")
        if tab.count() and tab.is_visible() and tab.get_attribute("aria-pressed") != "true":
            hand.tap(tab)
        hand.tap(hand.page.locator(f".person[data-who='{who}'] .name"))

    def ends(self, hand: Hand) -> bool:
        """End the turn, or whatever else there is to do."""
        for selector in (".kinds [data-kind=end_turn]", ".kinds .apart [data-kind]", ".kinds [data-kind]"):
            found = hand.there(selector)
            if found is not None:
                self.chooses(hand, found)
                return True
        return False

    def chooses(self, hand: Hand, what: Locator, wanted: list[dict[str, Any]] | None = None) -> None:
        """Tap an action; of what it still asks, whom is wanted or the first, then its last word."""
        before = position(hand.page)
        hand.tap(what)
        for _ in range(8):
            if position(hand.page) != before or hand.there(".declare") is None:
                return
            if hand.there(".declare:not([disabled])") is not None:
                hand.tap(hand.page.locator(".declare").first)
                return
            self.fills(hand, wanted or [])

    def fills(self, hand: Hand, wanted: list[dict[str, Any]]) -> None:
        """Choose the next thing that a form asks for."""
        for foe in wanted:
            found = hand.there(f"fieldset:not(:has([aria-pressed=true])) [data-key*='\"{foe['who']}\"']")
            if found is not None:
                hand.tap(found)
                return
        found = hand.there("fieldset:not(:has([aria-pressed=true])) .values button")
        if found is not None:
            hand.tap(found)
            return
        listed = hand.page.locator(".details-of select").first
        self.log.taps[hand.round] += 2
        listed.select_option(index=listed.locator("option").count() - 1)
        hand.seen()


def far(one: dict[str, Any], other: dict[str, Any]) -> float:
    """Return how far apart two things are on the screen."""
    return hypot(one["x"] - other["x"], one["y"] - other["y"])


def apart(hand: Hand, one: dict[str, Any], other: dict[str, Any]) -> float:
    """Return how far apart two people are: on the map, or as the table of distances says."""
    return far(one, other) if one["map"] else hand.distances().get(frozenset((one["who"], other["who"])), 0)


def sit(
    server: Served,
    windows: Windows,
    fight: str,
    log: Log,
    *,
    colours: tuple[str, str, str] = ("light", "dark", "light"),
) -> list[Hand]:
    """Return the hands at a fight: the game master's on a laptop, a player's on a phone, a spectator's."""
    links = server.links[fight]
    players = [one for one in links if one not in ("game master", "spectators")]
    seats = [("gm", links["game master"], (1280, 800)), ("spectator", links["spectators"], (1920, 1080))]
    if players:
        seats.insert(1, ("player", links[players[0]], (390, 844)))
    shades = dict(zip(("gm", "player", "spectator"), colours, strict=True))
    hands = [Hand(name, windows.open(link, size=size, colours=shades[name]), log) for name, link, size in seats]  # type: ignore[arg-type]
    expect(hands[0].page.locator(".kinds [data-kind]").first).to_be_visible()
    for one in hands:
        expect(one.page.locator(".standing").first).not_to_be_empty()
        one.look(one.name)
    return hands


def fight(arguments: Namespace) -> int:
    """Play it, and say what it took."""
    folder: Path = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    log = Log(folder)
    with sync_playwright() as playwright, TemporaryDirectory() as place:
        browser = playwright.chromium.launch(executable_path=arguments.browser, args=[*QUIETLY])
        windows = Windows(browser)
        with Served(Path(place)) as server:
            text = Path(arguments.encounter).read_text(encoding="utf-8")
            server.begin("fight", text)
            server.start("fight")
            hands = sit(
                server,
                windows,
                "fight",
                log,
                colours=("dark", "light", "dark") if arguments.dark else ("light", "dark", "light"),
            )
            table = Table(hands, log, forms=arguments.forms, deeds=2 if 'system = "vestige"' in text else 1)
            table.engine = arguments.engine
            try:
                took = table.play(arguments.most, arguments.rounds)
            finally:
                print(*windows.wrong, sep="\n")
                log.write()
                (folder / "story.txt").write_text(
                    hands[0].page.locator("ol.story").first.inner_text(), encoding="utf-8"
                )
            how = "over" if table.over else "not over"
            print(f"{arguments.encounter}: {how} after {took} steps, {sum(log.taps.values())} taps")
            print(hands[0].page.locator(".standing").first.inner_text())
            for nth, taps in sorted(log.taps.items()):
                print(f"  round {nth}: {taps} taps, {log.deeds[nth]} commands")
            if windows.wrong:
                print("wrong:", *windows.wrong, sep="\n  ")
            over = table.over
        browser.close()
    return 0 if over and not windows.wrong else 1


def main() -> int:
    """Read what is wanted."""
    parser = ArgumentParser(prog="python -m tests.page.fought", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("encounter", help="an encounter file")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a folder for the pictures")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    parser.add_argument(
        "--forms", action="store_true", help="act by the bar and its forms alone, as one does without a map"
    )
    parser.add_argument("--engine", action="store_true", help="let the engine play the turns of foes, one by one")
    parser.add_argument("--dark", action="store_true", help="the game master in the dark, the player in the light")
    parser.add_argument("--most", type=int, default=400, help="stop after so many steps")
    parser.add_argument("--rounds", type=int, default=99, help="stop after so many rounds")
    return fight(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
