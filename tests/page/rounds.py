"""Taps per round: the same declarations on any version of the page, with the fewest possible taps.

    python -m tests.page.rounds                           # round one of each system in rounds.toml
    python -m tests.page.rounds wwn -o pictures           # one of them, with a picture of every tap

What was declared is read from the record after every tap: nothing else may have been, and nothing is left out.
Dragging somebody is one tap, and so is whatever is typed into one field.
"""

from __future__ import annotations

import sys
import tomllib
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec import Raw
from playwright.sync_api import Locator, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from affray.engine import open_fight
from affray.engine.core.state import Question
from affray.engine.fight import Fight
from affray.events import Declared
from affray.tools.parse import intent_parser
from affray.tools.present.names import names_of_state
from affray.tools.present.story.actions import phrase
from affray.tools.present.story.sentences import action_said
from affray.tools.present.story.words import capital
from tests.page.conftest import QUIETLY, chromium
from tests.page.fought import sit
from tests.page.hand import Hand, Log, all_see
from tests.page.served import Served
from tests.page.window import Windows, position

PLANS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
BY_ITSELF = {"begin_turn"}
"""What nobody decides anything by; a page may do it unasked."""

USUAL = {"weapon", "mode"}
"""With what one strikes where that is not said: whatever goes without saying, on either page."""

PATIENCE_MS = 4_000
"""How long it may take until what a page does by itself is there."""


class Round:
    """Round one of a fight, as a list of lines says it."""

    def __init__(self, server: Served, hands: list[Hand], lines: list[str], answers: dict[str, str]) -> None:
        self.server, self.hands, self.answers = server, hands, answers
        self.meant = [
            one for one in (intent_parser.intent(self.fight, line) for line in lines) if isinstance(one, Declared)
        ]
        self.ending = False
        self.heard = self.fight.head
        self.always: set[tuple[str, tuple[str, ...]]] = set()

    @property
    def fight(self) -> Fight:
        """The fight as it is on disk."""
        return open_fight("fight", self.server.store)

    def play(self) -> None:
        """Enter every line, and answer all questions meanwhile."""
        while self.meant:
            fight = self.fight
            draft = fight.table.draft
            before = position(self.hands[0].page)
            if fight.head != before:
                all_see(self.hands, before)
            elif draft.question is not None:
                self.answers_it(draft.question)
            elif draft.window is not None:
                self.passes(draft.window.to)
            else:
                self.says(fight, self.meant[0])
            all_see(self.hands, before)
            self.hear()

    def hear(self) -> None:
        """Take from the lines what was declared since; nothing else may have been."""
        recorded = self.fight.history.recorded
        new, self.heard = recorded[self.heard :], len(recorded)
        for one in new:
            if not isinstance(one.event, Declared) or one.event.kind in BY_ITSELF:
                continue
            if not self.meant:  # the next round begins
                return
            meant = self.meant.pop(0)
            said, wanted = (told_short(each.params) for each in (one.event, meant))
            if "path" in said:
                said["to"] = said.pop("path")[-1]
            assert (one.event.actor, one.event.kind) == (meant.actor, meant.kind), f"{meant} and not {one.event}"
            asked = [(one, value) for one, value in wanted.items() if one in said or one not in USUAL]
            same = asked == [(one, said[one]) for one, _ in asked] and said.keys() <= wanted.keys() | USUAL
            assert same, f"{meant.actor} {meant.kind} {wanted} and not {said}"
            self.ending = self.ending and meant.kind != "end_turn"

    def hand_of(self, who: str) -> Hand:
        """Return the hand that plays a combatant: its player's if that can act now."""
        for one in self.hands:
            if one.name == "player" and one.there(".kinds") and who in (one.actor(), *self.actors(one)):
                return one
        return self.hands[0]

    def actors(self, hand: Hand) -> list[str]:
        """List the combatants that a hand may choose."""
        keys = hand.page.locator(".actors [data-key]").evaluate_all("all => all.map((one) => one.dataset.key)")
        return [str(one).removeprefix("actor-") for one in keys]

    def says(self, fight: Fight, meant: Declared) -> None:
        """Declare something, in the first way there is of those that take the fewest taps."""
        hand = self.hand_of(meant.actor)
        params = msgspec.json.decode(meant.params)
        if self.goes_by_itself(hand, meant):
            return
        together = self.hands[0].there("[data-key=together]")
        if together and len({one.kind for one in self.meant[:2]}) == 1:
            self.hands[0].tap(together)
            return
        begins = hand.there(".kinds [data-kind=begin_turn]")
        if begins and meant.kind != "begin_turn":
            hand.tap(begins)
            return
        chosen = hand.page.locator(".actors [aria-pressed=true]")
        if chosen.count() and chosen.first.get_attribute("data-key") != f"actor-{meant.actor}":
            hand.tap(hand.page.locator(f"[data-key='actor-{meant.actor}']"))
        ends = any((one.actor, one.kind) == (meant.actor, "end_turn") for one in self.meant[1:2])
        if self.likely(hand, fight, meant, ends=ends) or self.drags(hand, meant, params):
            return
        if not self.aims(hand, meant, params, ends=ends):
            self.by_form(hand, meant, params)

    def goes_by_itself(self, hand: Hand, meant: Declared) -> bool:
        """Wait whether what ends or begins a turn goes without saying."""
        begins = hand.there(".kinds [data-kind=begin_turn]")
        if not begins and not (self.ending and meant.kind == "end_turn"):
            return False
        before = position(hand.page)
        with suppress(TooLate):
            hand.page.wait_for_function(
                "after => Number(document.body.dataset.position) > after", arg=before, timeout=PATIENCE_MS
            )
            return True
        return False

    def likely(self, hand: Hand, fight: Fight, meant: Declared, *, ends: bool) -> bool:
        """Tap the suggested action, if it is the wanted one."""
        with suppress(TooLate):  # it comes a moment later than the rest
            hand.page.locator("[data-likely]").wait_for(timeout=PATIENCE_MS // 4)
        one = hand.there(f"[data-likely={meant.kind}]")
        if one is None or not self.is_meant(fight, meant, one.locator("span").first.inner_text()):
            return False
        both = hand.there(f"[data-likely-ends={meant.kind}]") if ends else None
        self.ending = both is not None
        hand.tap(both or one)
        return True

    def is_meant(self, fight: Fight, meant: Declared, says: str) -> bool:
        """Tell whether a button says what is meant, with the weapon or without one where that goes without saying."""
        params = msgspec.json.decode(meant.params)
        bare = {field: value for field, value in params.items() if value not in fight.state.items}
        names = names_of_state(fight.table.draft)
        phrases = (phrase(meant.kind, Raw(msgspec.json.encode(one)), names, meant.actor) for one in (params, bare))
        return says in [capital(action_said(meant.actor, one, meant.manner, names)) for one in phrases]

    def drags(self, hand: Hand, meant: Declared, params: dict[str, Any]) -> bool:
        """Drag a combatant to its destination, on a map."""
        token = hand.there(f".token[data-who='{meant.actor}'][data-drag] .body")
        goal = params.get("to")
        if token is None or goal is None:
            return False
        start = token.bounding_box()
        assert start is not None
        mouse = hand.page.mouse
        mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        mouse.down()
        mouse.move(start["x"] + start["width"] / 2 + 12, start["y"] + start["height"] / 2 + 12, steps=3)
        cell = hand.page.locator(f".board [data-cell='{goal}']")
        cell.wait_for(timeout=4_000)
        box = cell.bounding_box()
        assert box is not None
        hand.counted(f"{meant.actor} dragged to {goal}")
        mouse.move(box["x"] + box["width"] / 2, box["y"] + 0.8 * box["height"], steps=4)
        mouse.up()
        hand.seen()
        sure = hand.there(".doubtful .declare")
        if sure:
            hand.tap(sure)
        return True

    def aims(self, hand: Hand, meant: Declared, params: dict[str, Any], *, ends: bool) -> bool:
        """Tap the target, then the action, if the page has a sheet of actions."""
        target = params.get("target")
        if target is None or not hand.page.locator(".view.table .shown").count():
            return False
        token = hand.there(f".token[data-who='{target}'] .body") or hand.there(f".person[data-who='{target}'] .name")
        if token is None:
            tab = hand.page.locator(".tabs").get_by_role("button", name="People")
            hand.tap(tab)
            token = hand.page.locator(f".person[data-who='{target}'] .name")
        hand.tap(token, says=f"whom: {target}")
        hand.page.locator(".foe [data-do], .foe .dim:not(:has-text('One moment'))").first.wait_for()
        both = hand.there(f".foe [data-do-ends={meant.kind}]") if ends else None
        does = both or hand.page.locator(f".foe [data-do={meant.kind}]").first
        self.ending = both is not None
        hand.tap(does)
        self.fills(hand, params)
        return True

    def by_form(self, hand: Hand, meant: Declared, params: dict[str, Any]) -> None:
        """Choose an action on the bar, and in its form what is still to be chosen."""
        kind = hand.there(f".kinds [data-kind={meant.kind}]")
        if kind is None:
            hand.tap(hand.page.locator(".more-kinds"))
            kind = hand.page.locator(f".kinds [data-kind={meant.kind}]").first
        hand.tap(kind)
        self.fills(hand, params)

    def fills(self, hand: Hand, params: dict[str, Any]) -> None:
        """Choose what a form still asks for, as it is meant, and say its last word."""
        head = self.fight.head
        for field, value in params.items():
            if self.moved(hand, head):
                return
            picked = hand.page.locator(f".values [data-field='{field}']")
            wanted = picked.and_(hand.page.locator(f"[data-key$='-{msgspec.json.encode(value).decode()}']"))
            listed = hand.there(f"select[data-field='{field}']")
            cell = hand.there(f".board [data-cell='{value}']")
            if wanted.count():
                if wanted.first.get_attribute("aria-pressed") != "true":
                    hand.tap(wanted.first)
            elif cell:
                hand.tap(cell, says=f"on the map, {value}")
            elif listed:
                hand.counted(f"choose {field}")
                hand.counted(f"{value}")
                listed.select_option(label=str(value))
                hand.seen()
            else:
                asked = hand.page.locator("fieldset", has_text=field.capitalize()).first
                if asked.locator("input[name=given]").count():
                    hand.counted(f"{field}: {value}")
                    asked.locator("input[name=given]").fill(str(value))
                    hand.tap(asked.get_by_role("button", name="Set"))
        if not self.moved(hand, head):
            declare = hand.there(".declare:not([disabled])")
            if declare:
                hand.tap(declare)

    def moved(self, hand: Hand, head: int) -> bool:
        """Wait a moment whether something was declared already."""
        if hand.there(".declare") is not None and self.fight.head == head:
            return False
        with suppress(TooLate):
            hand.page.wait_for_function(
                "after => Number(document.body.dataset.position) > after", arg=head, timeout=PATIENCE_MS
            )
        return self.fight.head > head

    def answers_it(self, asked: Question) -> None:
        """Give a question its answer, as it is meant or else the first, unless it goes without saying."""
        topic = asked.about.partition(":")[0]
        choice = self.answers.get(topic, asked.options[0].choice)
        hand = next((one for one in self.hands[1:] if one.there(".card.question")), self.hands[0])
        if (topic, asked.of) in self.always and self.moved(hand, self.fight.head):
            return
        form = hand.page.locator(f".card.question form[data-choice={choice}]")
        if form.count():
            self.comes_near(hand, form)
        always = hand.there(f".card.question [data-always={choice}]")
        if always:
            self.always.add((topic, asked.of))
        hand.tap(always or hand.page.locator(f".card.question [data-key='answer-{choice}']").first)

    def comes_near(self, hand: Hand, form: Locator) -> None:
        """If distances are asked for, state at least that the mover came nearer to a foe."""
        people, stack = self.fight.state.combatants, self.fight.state.stack
        if not stack:
            return
        mover = people[stack[-1].actor]
        for box in form.locator("input[type=number]").all():
            who, least = str(box.get_attribute("data-about")), str(box.get_attribute("min"))
            if who in people and people[who].side != mover.side:
                if box.input_value() != least:
                    hand.counted(f"near {who}")
                    box.fill(least)
                return

    def passes(self, to: tuple[str, ...]) -> None:
        """Let all combatants pass, with one tap if possible."""
        hand = next((one for one in self.hands[1:] if one.there(".card.window [data-pass]")), self.hands[0])
        hand.tap(hand.there(".card.window button.main") or hand.page.locator(".card.window [data-pass]").first)


def told_short(params: Raw) -> dict[str, Any]:
    """Return parameters with things as their owner calls them."""
    short: dict[str, Any] = msgspec.json.decode(params)
    return short | {field: short[field].rpartition(".")[2] for field in USUAL & short.keys()}


def count_taps(browser: Any, plan: dict[str, Any], folder: Path | None) -> int:
    """Return how many taps a round took."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    log = Log(folder)
    windows = Windows(browser)
    with TemporaryDirectory() as place, Served(Path(place)) as server:
        server.begin("fight", Path(plan["encounter"]).read_text(encoding="utf-8"))
        server.start("fight")
        try:
            Round(server, sit(windows, server.links["fight"], log), plan["said"], plan.get("answers", {})).play()
        finally:
            log.write()
            windows.close()
    assert windows.wrong == [], windows.wrong
    return sum(count for nth, count in log.taps.items() if nth)


def main() -> int:
    """Count the taps of the plans that are named, or of all."""
    parser = ArgumentParser(prog="python -m tests.page.rounds", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("systems", nargs="*", help="some of those in rounds.toml; all if none is named")
    parser.add_argument("-o", "--output", type=Path, help="a folder for pictures and what was tapped")
    parser.add_argument("--browser", default=chromium(whole=True), help="another Chromium")
    arguments = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.browser, args=[*QUIETLY])
        for system in arguments.systems or PLANS:
            folder = arguments.output / system if arguments.output else None
            print(f"{system}: {count_taps(browser, PLANS[system], folder)} taps", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
