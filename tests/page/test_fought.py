"""Fights that are played by tapping alone, and what was once seen at such a table.

What was seen, and what holds that it is gone:

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
- a window at every turn for everybody: ``only_who_is_aimed_at_is_asked``;
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
from playwright.sync_api import Page, Route, expect

from affray.engine.core.vocabulary import TABLES, Vocabulary
from affray.events import Answered, Moved, Passed, Stacked, TurnEnded, WindowOpened
from affray.tools.story.words import names_of
from tests.page.duels import DUEL, begin, first_turn, moved_on, sit_down
from tests.page.fought import laid, sit
from tests.page.hand import Log
from tests.page.making import MADE
from tests.page.served import Served
from tests.page.table import Table
from tests.page.test_dice import POOLS
from tests.page.test_maps import HEXES, SQUARES
from tests.page.window import Windows, declare, look, position, up_to_date

PHONE = (390, 844)

WWN = """\
system = "wwn"
name = "At the well"

[[combatant]]
name = "Osric"
side = "party"
pc = true
class = "warrior"
level = 2
hp = 15
skills = { stab = 1 }
weapons = ["mace"]

[[combatant]]
name = "Thug"
count = 2
side = "thieves"
ac = 12
hp = 11
attack = 1
morale = 12
weapons = ["dagger"]

[[distance]]
between = ["osric", "thug-a"]
feet = 5

[[distance]]
between = ["osric", "thug-b"]
feet = 5
"""

WYRD = """\
system = "wyrd"
name = "In the yard"

[[place]]
name = "yard"

[[combatant]]
name = "Grog"
side = "party"
pc = true
block = "grog"
at = "yard"

[[combatant]]
name = "Orc"
count = 3
side = "foes"
block = "orc"
at = "yard"

[[melee]]
members = ["grog", "orc-a"]
"""

FIGHTS = {
    "vestige": DUEL,
    "hexblade": HEXES.replace('at = "3,0"', 'at = "1,0"'),
    "verdigris": POOLS,
    "wwn": WWN,
    "wyrd": WYRD,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a small fight of each system, and duels."""
    with Served(tmp_path_factory.mktemp("fought")) as running:
        for name, encounter in FIGHTS.items():
            running.begin(name, encounter)
        for name in ("short", "few"):
            running.begin(name, DUEL, first="ilse")
        running.begin("form", SQUARES)
        running.begin("pushed", POOLS)
        running.begin("answered", WYRD)
        running.begin("far", SQUARES.replace('at = "4,1"', 'at = "25,3"'))
        running.start(*FIGHTS, "short", "few", "form", "pushed", "answered", "far")
        yield running


def player_of(server: Served, fight: str) -> str:
    """Return the link of the first player."""
    return next(link for who, link in server.links[fight].items() if who not in ("game master", "spectators"))


def players_turn(server: Served, windows: Windows, fight: str) -> tuple[Page, Page]:
    """Return the game master's window and a player's phone, at a fight in which it is the player's turn."""
    gm = windows.open(server.links[fight]["game master"], size=(1280, 800))
    phone = windows.open(player_of(server, fight), size=PHONE)
    expect(gm.locator(".kinds [data-kind=begin]")).to_be_visible()
    first_turn(gm, phone)
    others_end(gm, phone)
    return gm, phone


def others_end(gm: Page, phone: Page) -> None:
    """Let everybody end their turn until it is the player's."""
    for _ in range(12):
        if phone.locator(".headline.mine").count() and phone.locator("[data-kind=end_turn]").count():
            break
        before = position(gm)
        declare(gm, "end_turn")
        moved_on(gm, phone, after=before)
        gm.wait_for_function("() => document.querySelector('.kinds [data-kind=end_turn], [data-key=together]')")
        if gm.locator("[data-key=together]").count():
            gm.locator("[data-key=together]").click()
            gm.wait_for_function("() => document.querySelector('.kinds [data-kind=end_turn]')")
        up_to_date(gm, phone, at=position(gm))


@pytest.mark.parametrize("system", list(FIGHTS))
def test_two_taps_lead_to_the_dice(server: Served, windows: Windows, system: str) -> None:
    """Whom, then what; on a phone the dice are in sight without scrolling, in the result or the question about them."""
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
        only_who_is_aimed_at_is_asked(server, gm, phone)
    rulings_are_picked(gm, words)


def asks_to_push(page: Page) -> None:
    """Who pushes which of their rolls, with its dice and what they come to, and what is at stake with either answer."""
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


def only_who_is_aimed_at_is_asked(server: Served, gm: Page, phone: Page) -> None:
    """Nothing that the others could do in the window is worth it: it is passed for them, and nobody has to."""
    recorded = [one.event for one in server.recorded("wwn")]
    (asked,) = [one for one in recorded if isinstance(one, WindowOpened)]
    aimed = {one for event in recorded if isinstance(event, Stacked) for one in event.targets}
    passed = {one.who for one in recorded if isinstance(one, Passed) and one.why == "not worth"}
    assert len(asked.to) > 1
    assert passed == {*asked.to} - aimed
    shown = gm.locator(".card.window [data-pass]").evaluate_all("all => all.map((one) => one.dataset.pass)")
    assert {*shown} == aimed
    expect(phone.locator(".card.window")).to_have_count(0)
    expect(phone.locator(".headline.mine")).to_have_count(0)  # they wait for somebody else
    expect(phone.locator(".now")).to_contain_text("Nothing to do for you just now.")


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
    """What any ruling names is chosen from what there is, unless the system has no words for it; they are grouped."""
    free = [table for table in TABLES.values() if not getattr(words, table, ())]
    with gm.expect_response("**/rulings") as answer:
        gm.get_by_role("button", name="Rule …").click()
    kinds = answer.value.json()
    expect(gm.locator("#ruling-kind option")).to_have_count(len(kinds))
    assert gm.locator("#ruling-kind optgroup").count() > 3
    assert gm.evaluate(TYPED, [kinds, ["words", "text", "clause", "thing", *free]]) == []


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
    """Nothing of what was said, or stands in the story, is what nobody would say."""
    told = [*log.said, *page.locator("ol.story .entry").all_text_contents()]
    assert [one for one in told if ODD.search(one)] == []


AT_ITS_END = """() => {
  const story = document.querySelector("ol.story");
  return !story.checkVisibility() || story.scrollHeight - story.scrollTop - story.clientHeight < 3;
}"""

PHASES = {"slot", "order ready", "turn", "initiative", "window", "between turns"}


def test_few_taps_end_a_turn_and_play_one(server: Served, windows: Windows) -> None:
    """What one will likely do ends the turn if so wanted; the engine plays one turn alone, and stops behind it."""
    gm, ilse = sit_down(server, windows, "few")
    begin(gm, ilse)
    gm.wait_for_function("() => document.querySelector('.person.up')")
    if gm.locator(".person.up").get_attribute("data-who") == "bram":
        gm.locator("[data-key=one-turn]").click()
    expect(ilse.locator("[data-likely=attack]")).to_contain_text("Ilse attacks Bram")
    ilse.locator("[data-likely-ends]").click()
    expect(gm.locator(".person.up")).to_have_attribute("data-who", "bram")
    ended = [one.event.slot for one in server.recorded("few") if isinstance(one.event, TurnEnded)]
    assert ended[-1] == "ilse"
    gm.locator("[data-key=one-turn]").click()
    expect(gm.locator(".person.up")).to_have_attribute("data-who", "ilse")
    up_to_date(gm, ilse, at=position(gm))
    ended = [one.event.slot for one in server.recorded("few") if isinstance(one.event, TurnEnded)]
    assert ended[-2:] == ["ilse", "bram"]
    before = position(gm)
    gm.get_by_role("button", name="Undo").click()
    moved_on(gm, ilse, after=before)
    expect(gm.locator(".person.up")).to_have_attribute("data-who", "bram")


def test_what_one_does_most_stands_first_and_the_last_word_is_in_sight(server: Served, windows: Windows) -> None:
    """What ends the turn stands apart; a form shows its own button on every screen; rulings stand in groups."""
    gm = windows.open(server.links["form"]["game master"], size=(1280, 800))
    first_turn(gm)
    offered = gm.locator(".kinds .bar:not(.apart) [data-kind]").evaluate_all(
        "all => all.map((one) => one.dataset.kind)"
    )
    assert [one for one in offered if one in ("attack", "move", "shift")] == [
        one for one in ("attack", "move", "shift") if one in offered
    ]
    assert "end_turn" not in offered
    expect(gm.locator(".kinds .apart [data-kind=end_turn]")).to_have_count(1)
    for size in ((1280, 800), PHONE):
        gm.set_viewport_size({"width": size[0], "height": size[1]})
        gm.locator(".kinds [data-kind=swap]").click()  # where one goes to is chosen on the map, and has no last word
        the_form_is_in_sight(gm)
        gm.locator(".more-kinds").click()  # what is there besides takes the place of the form
        expect(gm.locator(".details-of")).to_have_count(0)
        expect(gm.locator(".further [data-kind]").first).to_be_in_viewport(ratio=1)
        gm.locator(".kinds [data-kind=swap]").click()  # and the other way round
        expect(gm.locator(".further")).to_have_count(0)
        the_form_is_in_sight(gm)
        gm.get_by_role("button", name="Never mind").click()
        gm.locator(".more-kinds").click()
    gm.set_viewport_size({"width": 1280, "height": 800})
    gm.get_by_role("button", name="Rule …").click()
    expect(gm.locator("#ruling-kind optgroup").nth(3)).to_be_attached()
    gm.locator("#ruling-kind").select_option("condition")
    for name in ("who", "condition"):
        expect(gm.locator(f"form.ruling #field-{name}")).to_have_count(1)
    assert gm.locator("form.ruling select").count() >= 2


def the_form_is_in_sight(page: Page) -> None:
    """The last word of what is being chosen, and the first thing to choose, under nothing else."""
    expect(page.locator(".details-of .declare")).to_be_in_viewport(ratio=1)
    if page.locator(".details-of fieldset").count():
        expect(page.locator(".details-of fieldset legend").first).to_be_in_viewport(ratio=1)
        assert page.locator(".details-of .values :is(button, select)").first.evaluate(UNCOVERED)


UNCOVERED = """one => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
"""Whether nothing lies over the middle of something."""


def test_what_somebody_always_answers_is_answered_until_they_are_asked_again(server: Served, windows: Windows) -> None:
    """One tap answers, and says that it always is; what is so answered is shown, and can be dropped."""
    gm, phone = players_turn(server, windows, "pushed")
    for answers in ("by a tap", "by itself", "not yet"):
        before = position(phone)
        phone.locator("[data-likely=attack]").click()
        if answers == "by a tap":
            phone.locator(".card.question [data-always=keep]").click()
        if answers == "not yet":
            expect(phone.locator(".card.question [data-choice=keep]")).to_be_visible()
            break
        expect(phone.locator(".kinds [data-kind=end_turn]")).to_be_visible()
        expect(phone.locator(".card.question")).to_have_count(0)
        moved_on(gm, phone, after=before)
        expect(phone.locator(".result .whose").first).to_have_text("Hild, attack")  # it was thrown before the question
        if answers == "by itself":
            look(phone, "More")
            phone.locator(".habits").get_by_role("button", name="Hild, push: Keep").click()
            look(phone, "Map")
        declare(phone, "end_turn")
        moved_on(gm, phone, after=position(gm) - 1)
        others_end(gm, phone)
    said = [one.event.choice for one in server.recorded("pushed") if isinstance(one.event, Answered)]
    assert said == ["keep", "keep"]


def test_a_map_of_26_columns_is_all_in_sight(server: Served, windows: Windows) -> None:
    """On a laptop and on a phone, as soon as one sits down; who is far away is offered to go nearer, with one tap."""
    watching = windows.open(server.links["far"]["spectators"], size=PHONE)
    gm = windows.open(server.links["far"]["game master"], size=(1280, 800))
    for page in (watching, gm):
        expect(page.locator(".token .body")).to_have_count(2)
        assert page.evaluate(OUTSIDE) == []
    first_turn(gm, watching)
    before = position(gm)
    gm.locator("[data-likely=move]").click()
    moved_on(gm, watching, after=before)
    (moved,) = [one.event for one in server.recorded("far") if isinstance(one.event, Moved)]
    x, _ = (int(one) for one in moved.after.split(","))
    assert 0 < x < 25
    expect(gm.locator(".kinds [data-kind=end_turn]")).to_be_visible()


OUTSIDE = """() => {
  const frame = document.querySelector(".map").getBoundingClientRect();
  return [...document.querySelectorAll(".token")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const corners = [[left + 2, top + 2], [right - 2, top + 2], [left + 2, bottom - 2], [right - 2, bottom - 2]];
    return left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom
      || corners.some(([x, y]) => !document.elementFromPoint(x, y).closest(".board"));
  }).map((one) => one.dataset.who);
}"""
"""Who stands where the map is cut off, or under something that lies over it."""


def test_a_table_says_that_it_is_being_set(server: Served, windows: Windows) -> None:
    page = windows.open(server.links["form"]["spectators"])
    held: list[Route] = []
    is_held = [True]  # until then; what is asked for once more goes through
    page.route("**/api/fights/*/feed*", lambda route: held.append(route) if any(is_held) else route.continue_())
    page.reload()
    expect(page.locator(".loading")).to_contain_text("Setting the table")
    is_held.clear()
    for one in held:
        one.continue_()
    expect(page.locator(".standing")).to_be_visible()


TEN = [
    *(f"made/{system}" for system in MADE),
    "encounters/vestige/ford.toml", "encounters/hexblade/common-room.toml", "encounters/verdigris/toll-road.toml",
    "encounters/wyrd/mill.toml", "encounters/wwn/cellar.toml",
]  # fmt: skip
"""Two in each system, the first of them made by clicking, from an empty server."""


@pytest.mark.skipif(os.environ.get("AFFRAY_PROFILE") != "thorough", reason="takes minutes each: make thorough")
@pytest.mark.parametrize("encounter", TEN)
def test_whole_fights_are_played_by_tapping_alone(windows: Windows, tmp_path: Path, encounter: str) -> None:
    """To their end, which everybody sees; nothing odd is said."""
    with Served(tmp_path) as own:
        log = Log()
        table = laid(own, windows, encounter, log)
        table.play(most=300)
        assert table.over
        for hand in table.hands:
            expect(hand.page.locator(".standing")).to_contain_text("The fight is over")
            expect(hand.page.locator(".over > header h2")).to_contain_text("The fight is over")
        nothing_odd(table.hands[0].page, log)


def test_what_goes_with_any_answer_is_asked_once(server: Served, windows: Windows) -> None:
    """How Grog answers a blow: ability and push stand above all three ways, the weapon with the one that has it."""
    gm, phone = players_turn(server, windows, "answered")
    before = position(gm)
    declare(phone, "end_turn")
    moved_on(gm, phone, after=before)
    expect(phone.locator(".kinds [data-kind=spell], .kinds [data-not=spell]")).to_have_count(0)
    gm.locator("[data-likely=attack]").click()
    card = phone.locator(".card.question")
    expect(card.locator("[data-key^=answer-]")).to_have_count(3)
    for field, count in (("ability", 1), ("push", 1), ("weapon", 1)):
        expect(card.locator(f"[data-field={field}]")).to_have_count(count)
    expect(card.locator("form[data-choice=riposte]")).to_contain_text("a success hits the attacker")
    card.locator(".shared [data-field=ability]").select_option("grace")
    before = position(gm)
    card.locator("[data-key=answer-guard]").click()
    moved_on(gm, phone, after=before)
    (said,) = [one.event for one in server.recorded("answered") if isinstance(one.event, Answered)]
    assert (said.choice, said.fields) == ("guard", {"ability": "grace"})
    expect(gm.locator(".story")).to_contain_text("Grog concentrates on defence with all armour (Grace)")
