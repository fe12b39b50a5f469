"""Large fights: five against 25, in which each combatant's state is near and the one that acts stands out."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import Page, expect

from affray.engine import Fight, open_fight
from affray.engine.analysis.policies import choose_sensibly
from tests.engine.fights import submit_accepted
from tests.page.duels import moved_on
from tests.page.served import Served
from tests.page.window import (
    Windows,
    choose_the_rest,
    look,
    position,
    stays_within,
    up_to_date,
    wait_for_answer,
)

HEROES = ("Bram", "Vell", "Wren", "Osk", "Ilka")
FOES = 25

HERO = """
[[combatant]]
name = "{}"
side = "party"
pc = true
class = "warrior"
level = 2
hp = 14
armor = "war_shirt"
weapons = ["sword_long"]
at = "{},7"
"""

RAIDERS = """
[[combatant]]
name = "Raider"
count = {}
side = "foes"
block = "raider"
at = {}
"""

CROWD = 'system = "wwn"\nname = "Thirty at the wall"\n[board]\nblocked = ["3,4", "4,4"]\n' + "".join(
    HERO.format(name, nth) for nth, name in enumerate(HEROES)
)

FRAME = """() => {
  const board = document.querySelector(".board");
  return `${board.clientHeight} ${board.querySelector("g").getAttribute("transform")}`;
}"""
"""How high the map's frame is, and how the map is shown in it."""

LINES = """() => {
  const list = document.querySelector(".story");
  return list.clientHeight / parseFloat(getComputedStyle(list.querySelector(".text")).lineHeight);
}"""
"""How many lines of the story are seen."""

AT_END = """() => {
  const { scrollHeight, scrollTop, clientHeight } = document.querySelector(".story");
  return scrollHeight - scrollTop - clientHeight < 40;
}"""
"""Whether the newest line of the story is seen."""

SIZES = ((1440, 900), (390, 844))

ROW_PX = 30

HIGH = "all => all.map((one) => one.getBoundingClientRect().height)"

SCREENS = "one => one.scrollHeight / one.clientHeight"
"""How many screens a list takes: two are one scroll."""


def crowd(foes: int = FOES) -> str:
    """Return an encounter of five heroes and many raiders, who share a turn."""
    return CROWD + RAIDERS.format(foes, [f"{nth % 13},{nth // 13}" for nth in range(foes)])


def play_to_foes(fight: Fight, rounds: int = 2) -> None:
    """Play on until the foes have their turn, in a later round."""
    while fight.state.round < rounds or len(fight.state.acting) < 2 or fight.state.window:
        intent = choose_sensibly(fight, Random(3))
        assert intent is not None
        submit_accepted(fight, intent)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a large fight, in the turn of the foes."""
    with Served(tmp_path_factory.mktemp("large")) as running:
        running.begin("wall", crowd())
        play_to_foes(open_fight("wall", running.store))
        running.start("wall")
        yield running


def open_wall(server: Served, windows: Windows, size: tuple[int, int], who: str = "game master") -> Page:
    """Return a window at the large fight, in which all that is asked for has come."""
    page = windows.open(server.links["wall"][who], size=size)
    expect(page.locator(".people").first).to_be_attached()
    up_to_date(page, at=1)
    return page


def act_as(page: Page, who: str) -> None:
    """Tap another combatant of the same turn, and act as that one."""
    page.locator(f".token[data-who={who}]").click()
    page.locator(".foe [data-key=act-as]").click()


@pytest.mark.parametrize("size", SIZES, ids=["wide", "phone"])
def test_everybody_is_near_and_the_actor_stands_out(server: Served, windows: Windows, size: tuple[int, int]) -> None:
    """One line for each, one ring, one line to choose who acts, one line that says whose turn it is."""
    state = open_fight("wall", server.store).state
    due = len(state.acting)
    page = open_wall(server, windows, size)
    expect(page.locator(".kinds [data-kind]").first).to_be_visible()
    expect(page.locator(".standing")).to_have_text(f"The foes' turn: {due} to act")
    expect(page.locator(".token .beacon")).to_have_count(1)
    expect(page.locator(f".token.up[data-who={state.acting[0]}] .beacon")).to_be_in_viewport(ratio=1)
    actors = page.locator(".actors").bounding_box()
    assert actors is not None
    assert actors["height"] < 48
    act_as(page, state.acting[2])
    expect(page.locator(f".token.up[data-who={state.acting[2]}] .beacon")).to_have_count(1)
    page.locator(f"[data-key=actor-{state.acting[1]}]").click()
    expect(page.locator(f".token.up[data-who={state.acting[1]}] .beacon")).to_have_count(1)
    expect(page.locator(".token .beacon")).to_have_count(1)
    look(page, "People")
    group = page.locator(".group")
    out = sum("dead" in one.conditions for one in state.combatants.values() if one.side == "foes")
    expect(group.locator("summary")).to_contain_text(f"{FOES - out} of {FOES} left" if out else str(FOES))
    expect(group.locator(".person")).to_have_count(FOES)
    assert max(page.locator(".person, .group summary").evaluate_all(HIGH)) <= ROW_PX
    assert page.locator(".ranks").evaluate(SCREENS) <= 2
    expect(group.locator(".person.up")).to_be_in_viewport()
    stays_within(page)
    group.locator("summary").click()
    expect(group.locator(".person").first).not_to_be_visible()
    assert page.locator(".ranks").evaluate(SCREENS) <= 1


def test_a_turn_that_many_share_is_told_by_their_group(server: Served, windows: Windows) -> None:
    """A player sees a ring around nobody before one of them has acted, and reads of any of them by a tap."""
    due = len(open_fight("wall", server.store).state.acting)
    page = open_wall(server, windows, SIZES[1], "Bram")
    expect(page.locator(".story")).to_contain_text(f"Turn of the foes: {due} combatants")
    expect(page.locator(".token .beacon")).to_have_count(0)
    now, dock = (page.locator(one).bounding_box() for one in (".now", ".dock"))
    assert now is not None
    assert dock is not None
    assert now["width"] == dock["width"]
    look(page, "People")
    page.locator(".person[data-who=raider-c] .name").click()
    expect(page.locator(".foe .details")).to_contain_text("short sword")


@pytest.mark.parametrize("size", SIZES, ids=["wide", "phone"])
def test_the_map_keeps_its_frame_through_form_question_and_result(
    server: Served, windows: Windows, size: tuple[int, int]
) -> None:
    """Weapon, chance and confirmation are in sight; eight lines of story are, and it goes to the newest line."""
    page = open_wall(server, windows, size)
    wide = size[0] > 1000
    frames = set()
    for one in page.locator(".actors button").all():
        one.click()
        wait_for_answer(page)
        frames.add(page.evaluate(FRAME))
        if page.locator(".kinds [data-kind=attack]").count():
            break
    for _ in ("open", "closed"):
        page.locator(".more-kinds").click()
        frames.add(page.evaluate(FRAME))
    if wide:
        page.locator(".playing summary").click()
        assert page.evaluate(LINES) >= 8
        page.locator(".story").evaluate("one => one.scrollTo(0, 0)")
        expect(page.locator(".newest")).to_be_visible()
    page.locator(".kinds [data-kind=attack]").click()
    wait_for_answer(page)
    choose_the_rest(page)
    for part in (".details-of .declare", ".details-of .promises", ".details-of [data-field=weapon] >> nth=0"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    frames.add(page.evaluate(FRAME))
    before = position(page)
    page.locator(".declare").click()
    moved_on(page, after=before)
    frames.add(page.evaluate(FRAME))
    while page.locator(".now .card").count():
        frames.add(page.evaluate(FRAME))
        before = position(page)
        page.locator(".card .answer, .card [data-pass]").first.click()
        moved_on(page, after=before)
    expect(page.locator(".result .says")).to_be_visible()
    frames.add(page.evaluate(FRAME))
    assert len(frames) == 1
    if wide:
        assert page.evaluate(LINES) >= 8
        assert page.evaluate(AT_END)
        expect(page.locator(".newest")).to_have_count(0)
    stays_within(page)
