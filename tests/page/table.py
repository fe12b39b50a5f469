"""A table at which hands play a fight, guided only by what the page shows."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from math import hypot
from typing import Any

from playwright.sync_api import Locator
from playwright.sync_api import TimeoutError as TooLate

from tests.page.hand import PLACES, Hand, Log, all_see
from tests.page.window import position

FIRST = ("begin", "roll_initiative", "begin_turn")
BLOWS = ("attack", "shoot", "fire", "engage", "enter_melee")
"""What one does to a foe, whatever the rules call it."""

WAITED = (
    ".card.question .option button.answer", ".card.question button[type=submit]", ".card.window button.main",
    ".card.window [data-pass]", "[data-key=together]",
)  # fmt: skip
"""What answers a question, lets a window pass, or is done for everybody at once."""


@dataclass
class Turn:
    """The actions left to try in a turn: a combatant stops after a strike, and tries none twice."""

    left: int
    steps: int = 6
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
        """Tell whether the fight is over."""
        return "is over" in self.hands[0].page.locator(".standing").first.inner_text()

    def play(self, most: int = 400, rounds: int = 99) -> int:
        """Play to the end, or for so many commands or rounds; returns how many commands it took."""
        for nth in range(most):
            if self.over or self.hands[0].round > rounds:
                return nth
            before = position(self.hands[0].page)
            round_then = self.hands[0].round
            hands = [*self.hands[1:], self.hands[0]]
            if not any(self.answers(one) for one in hands) and not any(self.acts(one) for one in hands):
                raise AssertionError(
                    f"nobody can do anything: {self.hands[0].page.locator('.standing').first.inner_text()}"
                )
            if all_see(self.hands, before):
                self.log.deeds[round_then] += 1
            self.log.write()
        return most

    def answers(self, hand: Hand) -> bool:
        """Answer a pending question; return false if there is none."""
        for selector in WAITED:
            found = hand.there(selector)
            if found is not None:
                self.tells(hand)
                hand.tap(hand.there(".card.question .option [data-always]") or found)
                return True
        return False

    def acts(self, hand: Hand) -> bool:
        """Make the next input of a combatant; return false if there is none."""
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
            self.leaves(hand, played)
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

    def leaves(self, hand: Hand, played: Locator) -> None:
        """Leave a turn to the engine, and wait while it plays: until something is asked, or the turn is over."""
        if played.inner_text() != "Stop":
            hand.tap(played)
        with suppress(TooLate):
            hand.page.wait_for_function(
                """waited => document.querySelector("[data-key=one-turn]")?.innerText !== "Stop" ||
                   document.querySelector(waited)?.checkVisibility()""",
                arg=", ".join(WAITED), timeout=8_000,
            )  # fmt: skip

    def tells(self, hand: Hand) -> None:
        """Where words are required, enter that there is no effect."""
        for box in hand.page.locator(".card.question input[type=text][required]").all():
            box.fill("nothing comes of it")

    def foes(self, hand: Hand, who: str) -> list[dict[str, Any]]:
        """List a combatant's standing foes, or else the fallen ones, nearest on the screen first."""
        people = hand.people()
        me = next((one for one in people if one["who"] == who), None)
        if me is None:
            return []
        foes = [one for one in people if one["side"] != me["side"] and not one["out"]]
        standing = [one for one in foes if not one["down"]]
        return sorted(standing or foes, key=lambda one: measure_distance(hand, me, one))

    def strikes(self, hand: Hand, who: str) -> bool:
        """Strike the nearest foe that can be struck, with the end of the turn where it is the last thing."""
        if not any(hand.there(f".kinds [data-kind={kind}]") for kind in BLOWS):
            return False
        if self.forms:
            return self.by_form(hand, who, BLOWS)
        turn = self.turns[who, hand.round]
        with suppress(TooLate):  # it comes a moment later than the rest
            hand.page.locator("[data-likely]").wait_for(timeout=700)
        likely = hand.there("[data-likely]")
        if likely is None or turn.steps < 1:
            return False
        turn.steps -= 1
        if likely.get_attribute("data-likely") in BLOWS:
            turn.left -= 1
            likely = (hand.there("[data-likely-ends]") if turn.left < 1 else None) or likely
        hand.tap(likely)
        return True

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
        people = {one["who"]: one for one in hand.people()}
        still = [people[one["who"]] for one in foes]
        least = min(far(people[who], foe) for foe in still) - 4
        nearer = [one for one in cells if not one["risky"] and min(far(one, foe) for foe in still) < least]
        if not nearer:
            if hand.there(".declare") is not None:
                hand.tap(hand.page.get_by_role("button", name="Cancel").or_(hand.page.locator(".kinds .chosen")).first)
            elif cells:
                self.touch(hand, who)
            elif hand.there(".foe") is not None:
                hand.tap(hand.page.locator(".foe").get_by_role("button", name="Close"))
            return False
        hand.point(min(nearer, key=lambda one: min(far(one, foe) for foe in still)))
        if hand.there(".declare:not([disabled])") is not None:
            hand.tap(hand.page.locator(".declare").first)
        return True

    def by_form(self, hand: Hand, who: str, kinds: tuple[str, ...]) -> bool:
        """Choose an action on the bar, and its target or place in the form."""
        kind = next(one for one in kinds if hand.there(f".kinds [data-kind={one}]") is not None)
        self.chooses(hand, hand.page.locator(f".kinds [data-kind={kind}]").first, self.foes(hand, who))
        return True

    def touch(self, hand: Hand, who: str) -> None:
        """Tap a combatant on the map, or in the list without a map or if it is covered."""
        token = hand.there(f".token[data-who='{who}'] .body")
        if token is not None:
            hand.tap(token, says=f"on the map, {who}")
            return
        tab = hand.page.locator(".tabs").get_by_role("button", name="People")
        if tab.count() and tab.is_visible() and tab.get_attribute("aria-pressed") != "true":
            hand.tap(tab)
        hand.tap(hand.page.locator(f".person[data-who='{who}'] .name"))

    def ends(self, hand: Hand) -> bool:
        """End the turn, or tap the other button that ends it."""
        for selector in (".kinds [data-kind=end_turn]", ".kinds .apart [data-kind]", ".kinds [data-kind]"):
            found = hand.there(selector)
            if found is not None:
                self.chooses(hand, found)
                return True
        return False

    def chooses(self, hand: Hand, what: Locator, wanted: list[dict[str, Any]] | None = None) -> None:
        """Tap an action; choose the wanted target or the first one, then confirm."""
        before = position(hand.page)
        hand.tap(what)
        for _ in range(8):
            if position(hand.page) != before or hand.there(".declare") is None:
                return
            if self.picks(hand, wanted or []):
                continue
            if hand.there(".declare:not([disabled])") is not None:
                hand.tap(hand.page.locator(".declare").first)
                return
            self.fills(hand)

    def picks(self, hand: Hand, wanted: list[dict[str, Any]]) -> bool:
        """Choose a wanted combatant in a form; return false if none is asked for or it is chosen."""
        keys = [f"[data-key*='\"{one['who']}\"']" for one in wanted]
        if not keys or hand.there(f"fieldset :is({', '.join(keys)})[aria-pressed=true]") is not None:
            return False
        found = next(filter(None, (hand.there(f"fieldset {key}") for key in keys)), None)
        if found is not None:
            hand.tap(found)
        return found is not None

    def fills(self, hand: Hand) -> None:
        """Choose the next thing that a form asks for."""
        values = hand.page.locator("fieldset:not(:has([aria-pressed=true]))").first.locator(".values button")
        if values.count():
            hand.tap(values.last if values.last.inner_text().isdecimal() else values.first)  # as far as one can
            return
        listed = hand.page.locator(".details-of select").first
        self.log.taps[hand.round] += 2
        listed.select_option(index=listed.locator("option").count() - 1)
        hand.seen()


def far(one: dict[str, Any], other: dict[str, Any]) -> float:
    """Return how far apart two things are on the screen."""
    return hypot(one["x"] - other["x"], one["y"] - other["y"])


def measure_distance(hand: Hand, one: dict[str, Any], other: dict[str, Any]) -> float:
    """Return how far apart two people are: on the map, or as the table of distances says."""
    return far(one, other) if one["map"] else hand.distances().get(frozenset((one["who"], other["who"])), 0)
