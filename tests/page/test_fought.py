"""Fights that are played by tapping alone, and what was once seen at such a table.

What was seen, and what holds that it is gone, here or in ``test_few_taps``:

- a black disc over the map, a chosen cell unmarked, labels in negative numbers: ``test_stage``,
  ``test_the_chosen_place_is_marked_and_nothing_covers_the_map``;
- a map that changes its scale when one moves: ``test_stage``, ``test_one_drags_oneself_along_a_way_…``;
- on phones the result out of sight: here, ``test_two_taps_lead_to_the_dice``; the last word scrolled off, or the fields
  behind it: ``test_what_one_does_most_stands_first_and_…``; "Conne/ction/lost": ``test_table_view``,
  ``test_while_the_server_…``;
- "push? Keep/Push" without attacker, dice, successes or stake: ``asks_to_push``, in the same test;
- 37 rulings in one list, typed ids: ``rulings_are_picked``, in every system;
- concealed tokens like all others: ``test_stage``, ``test_whom_nobody_knows_of_is_told_from_the_others``;
- "Slot", "Order ready", "Turn" as headlines: ``test_a_short_fight_is_played_by_tapping_alone``;
- actions in alphabetical order, "End the turn" beside "Attack": ``test_what_one_does_most_stands_first_and_…``;
- a window at every turn for everybody: ``nothing_stops_for_poor_options``;
- a story that stays where it was: ``test_a_short_fight_is_played_by_tapping_alone``;
- blank panels while loading: ``test_a_table_says_that_it_is_being_set``; a fight of 26 columns clipped:
  ``test_a_map_of_26_columns_is_all_in_sight``;
- "raider-a is 9 m away", "shock_applies true", "Stated does not take mab",
  "the wolfs", "the party win", "cautious true", "18 (discarded)+9", "a miss by 0": ``nothing_odd``, which every
  fight here asks of all that was said, and ``tests/tools/test_telling.py`` of every fight that is kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from affray.engine.core.vocabulary import TABLES, Vocabulary
from affray.events import Passed, WindowOpened
from affray.tools.present.story.words import names_of
from tests.page.duels import DUEL, moved_on
from tests.page.fought import lay_table, sit
from tests.page.hand import Log
from tests.page.making import MADE
from tests.page.served import Served
from tests.page.set_fights import FIGHTS, players_turn
from tests.page.table import Table
from tests.page.window import Windows, position


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a small fight of each system, and a duel."""
    with Served(tmp_path_factory.mktemp("fought")) as running:
        for name, encounter in FIGHTS.items():
            running.begin(name, encounter)
        running.begin("short", DUEL, first="ilse")
        running.start(*FIGHTS, "short")
        yield running


@pytest.mark.parametrize("system", list(FIGHTS))
def test_two_taps_lead_to_the_dice(server: Served, windows: Windows, system: str) -> None:
    """Target, then action; on a phone the dice are visible without scrolling, in the result or its question."""
    gm, phone = players_turn(server, windows, system)
    words = names_of(server.recorded(system)).words
    stand = phone.locator(".kinds .bar:not(.apart) .kind").evaluate_all(
        "all => all.map((one) => one.dataset.kind ?? one.dataset.not)"
    )
    assert stand == [one for one in words.actions if one in stand]  # as the rules name them, what one does most first
    assert system not in ("hexblade", "wwn") or stand != sorted(stand)
    foe = ".token[data-hue='2']" if phone.locator(".token").count() else ".person[data-hue='2'] .name"
    before = position(phone)
    phone.locator(foe).first.click()
    expect(phone.locator(".foe [data-do]").first).to_be_in_viewport(ratio=1)
    ways = phone.locator(".foe .choose .row")
    assert ways.count() == (2 if system == "verdigris" else 0)  # Hild has a sword, and her bare hands
    for nth in range(ways.count()):
        expect(ways.nth(nth).locator(".promises")).to_contain_text("%")
    phone.locator(".foe [data-do]").first.click()
    moved_on(gm, phone, after=before)
    dice = phone.locator(".result .die, .card.question .die").first
    expect(dice).to_be_in_viewport(ratio=1)
    expect(phone.locator(".result .total, .card.question .total, .result .says").first).to_be_in_viewport(ratio=1)
    assert phone.evaluate("scrollY") == 0
    bars = phone.locator(".person [role=meter]").count()
    assert (bars == 0) == (system == "wyrd")  # nobody knows there how many wounds somebody can bear
    if system == "verdigris":
        asks_to_push(phone)
    if system == "wwn":
        nothing_stops_for_poor_options(server, gm, phone)
    rulings_are_picked(gm, words)


def asks_to_push(page: Page) -> None:
    """The pusher and the roll, with its dice and result, and the stakes of both answers."""
    card = page.locator(".card.question")
    expect(card.locator("h2")).to_have_text("Hild means to attack Orc with broad sword: does Hild push?")
    expect(card.locator(".whose")).to_have_text("Hild, attack")
    expect(card.locator(".total")).to_contain_text("Sixes")
    expect(card.locator("[data-choice=push] + .dim")).to_contain_text("costs 1 stress")
    expect(card.locator("[data-choice=keep] + .dim")).to_have_text("the roll counts as it is")
    expect(page.locator(".standing")).to_have_text(
        "You are asked: Hild means to attack Orc with broad sword: does Hild push?"
    )
    assert page.locator(".standing").evaluate("one => one.scrollHeight - one.clientHeight") <= 1  # all of it


def nothing_stops_for_poor_options(server: Served, gm: Page, phone: Page) -> None:
    """The others have no useful option in the window, and the target only a poor one: the table passes for them."""
    recorded = [one.event for one in server.recorded("wwn")]
    (asked,) = [one for one in recorded if isinstance(one, WindowOpened)]
    passed = {one.who for one in recorded if isinstance(one, Passed) and one.why == "not worth"}
    assert len(asked.to) > 1
    assert passed == {*asked.to}
    for page in (gm, phone):
        expect(page.locator(".card.window")).to_have_count(0)


TYPED = """async ([kinds, free]) => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const typed = [];
  for (const { kind, names } of kinds) {
    const list = document.getElementById("ruling-kind");
    list.value = kind;
    list.dispatchEvent(new Event("change", { bubbles: true }));
    await drawn();
    for (const [field, what] of Object.entries(names)) {
      const shown = document.getElementById(`field-${field}`);
      if (!shown || free.includes(what) || shown.matches("select, [role=group], [list]")) continue;
      typed.push(`${kind}: ${field}, ${what}`);
    }
  }
  return typed;
}"""
"""What of the fields of rulings that name something of the fight is typed without a list to choose from."""


def rulings_are_picked(gm: Page, words: Vocabulary) -> None:
    """Names in a ruling are chosen from lists, unless the system has no words for them; lists are grouped."""
    free = [table for table in TABLES.values() if not getattr(words, table, ())]
    with gm.expect_response("**/rulings") as answer:
        gm.get_by_role("button", name="Rule …").click()
    kinds = answer.value.json()
    expect(gm.locator("#ruling-kind option")).to_have_count(len(kinds))
    assert gm.locator("#ruling-kind optgroup").count() > 3
    listed = [one for one in kinds if one["kind"] != "join"]  # it has a sheet of its own
    assert gm.evaluate(TYPED, [listed, ["words", "text", "clause", "thing", *free]]) == []


def test_a_short_fight_is_played_by_tapping_alone(server: Served, windows: Windows) -> None:
    """A game master, a player and a spectator; the story is at its end then, all headlines are sentences."""
    log = Log()
    table = Table(sit(windows, server.links["short"], log), log, deeds=2)
    table.play(most=60)
    assert table.over
    nothing_odd(table.hands[0].page, log)
    for hand in table.hands:
        expect(hand.page.locator(".standing")).to_contain_text("The fight is over")
        hand.page.wait_for_function(AT_ITS_END)
    assert log.headlines
    assert not {one for one in log.headlines if " " not in one or one.lower() in PHASES}
    assert max(log.taps[nth] for nth in log.taps if nth) <= 8  # two people, each with two deeds


ODD = re.compile(
    r"\b[a-z]+-[a-z0-9] (is|has|cannot)\b|shock_applies|does not take|"
    r"wolfs|part(y|ies) win\b|\b([Tt]rue|[Ff]alse)\b|\((discarded|set aside)\)\s*\+|\bby 0\b"
)


def nothing_odd(page: Page, log: Log) -> None:
    """No message and no story line has unnatural wording."""
    told = [*log.said, *page.locator("ol.story .entry").all_text_contents()]
    assert [one for one in told if ODD.search(one)] == []


AT_ITS_END = """() => {
  const story = document.querySelector("ol.story");
  return !story.checkVisibility() || story.scrollHeight - story.scrollTop - story.clientHeight < 3;
}"""

PHASES = {"slot", "order ready", "turn", "initiative", "window", "between turns"}


TEN = [
    *(f"made/{system}" for system in MADE),
    "encounters/vestige/ford.toml", "encounters/hexblade/common-room.toml", "encounters/verdigris/toll-road.toml",
    "encounters/wyrd/mill.toml", "encounters/wwn/cellar.toml",
]  # fmt: skip
"""Two in each system, the first of them made by clicking, from an empty server."""


@pytest.mark.skipif(os.environ.get("AFFRAY_PROFILE") != "thorough", reason="takes minutes each: make thorough")
@pytest.mark.parametrize("encounter", TEN)
def test_whole_fights_are_played_by_tapping_alone(windows: Windows, tmp_path: Path, encounter: str) -> None:
    """To their end, which all windows show; no wording is unnatural."""
    with Served(tmp_path) as own:
        log = Log()
        table = lay_table(own, windows, encounter, log)
        table.play(most=300)
        assert table.over
        for hand in table.hands:
            expect(hand.page.locator(".standing")).to_contain_text("The fight is over")
            expect(hand.page.locator(".over > header h2")).to_contain_text("The fight is over")
        nothing_odd(table.hands[0].page, log)
