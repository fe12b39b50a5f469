"""A side that the engine plays, at the game master's table: whenever it is up, until it is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from msgspec import Raw
from playwright.sync_api import Page, expect

from affray.engine import Fight, open_fight
from affray.engine.analysis.policies import choose_sensibly
from affray.events import Declared, Passed, Recorded
from tests.engine.fights import submit_accepted
from tests.page.duels import DUEL, begin, sit_down
from tests.page.reach import within_reach
from tests.page.served import Served
from tests.page.window import Windows, declare, up_to_date

ROAD = """\
system = "wwn"
name = "A road"
board = {}

[[combatant]]
name = "Mab"
side = "caravan"
pc = true
class = "warrior"
level = 1
hp = 8
at = "1,1"

[[combatant]]
name = "Outlaw"
count = 2
side = "outlaws"
block = "raider"
at = ["2,2", "0,2"]
"""


def to_a_window(fight: Fight) -> None:
    """Go on until two may answer what Mab does."""
    while "mab" not in fight.state.acting:
        intent = choose_sensibly(fight, Random(0))
        assert intent is not None
        submit_accepted(fight, intent)
    submit_accepted(fight, Declared(actor="mab", kind="move", params=Raw(b'{"path":["1,0"]}')))
    assert fight.state.window is not None
    assert len(fight.state.window.to) == 2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a duel for each test, one of them with real dice."""
    with Served(tmp_path_factory.mktemp("playing")) as running:
        running.begin("one", DUEL)
        running.begin("both", DUEL.replace("health = 5", "health = 1"))
        running.begin("real", DUEL, dice="entered")
        running.begin("this", DUEL)
        running.begin("other", DUEL)
        running.begin("road", ROAD, first="mab")
        to_a_window(open_fight("road", running.store))
        running.start("one", "both", "real", "road", "this", "other")
        yield running


def lets_play(gm: Page, *sides: str) -> None:
    """Let the engine play these sides."""
    gm.locator(".playing summary").click()
    for side in sides:
        gm.get_by_role("checkbox", name=side).check()


def catch_up(page: Page, server: Served, fight: str) -> list[Recorded]:
    """Wait until a page shows all that is recorded, also of what the engine played meanwhile."""
    recorded: list[Recorded] = []
    while len(recorded) != len(found := [*server.recorded(fight)]):
        recorded = found
        up_to_date(page, at=len(recorded))
    return recorded


def test_the_foes_play_themselves(server: Served, windows: Windows) -> None:
    """They end their turn, and wait for Ilse; taken back, they wait too."""
    gm, ilse = sit_down(server, windows, "one")
    lets_play(gm, "Blue")
    begin(gm, ilse)
    expect(ilse.locator(".kinds")).to_be_visible()
    ilse.get_by_role("button", name="End turn").click()
    expect(ilse.locator(".story")).to_contain_text("Bram attacks Ilse")
    expect(ilse.locator(".kinds, .cards, .now .card").first).to_be_visible()
    recorded = catch_up(gm, server, "one")  # what is no more so is pale until then
    said = {one.who for one in recorded}
    assert said == {"gm", "Ilse", "the table"}  # which lets windows pass that are not worth a stop
    expect(gm.get_by_role("checkbox", name="Blue")).to_be_checked()
    within_reach(gm)


def test_both_sides_play_to_the_end(server: Served, windows: Windows) -> None:
    gm, ilse = sit_down(server, windows, "both")
    begin(gm, ilse)
    lets_play(gm, "Red", "Blue")
    expect(gm.locator(".now")).to_contain_text("The fight is over", timeout=120_000)
    assert open_fight("both", server.store).state.ended


def test_autoplay_belongs_to_one_fight_and_its_chip_stops_it(server: Served, windows: Windows) -> None:
    """Another fight in the same tab, with sides of the same names, is not played."""
    gm = windows.open(server.host)
    gm.goto(f"{server.address}/#fight=this")
    lets_play(gm, "Red", "Blue")
    expect(gm.locator(".headline .autoplay")).to_contain_text("Autoplay: Red and Blue")
    gm.evaluate("location.hash = '#fight=other'")
    expect(gm.locator(".kinds [data-kind=begin]")).to_be_visible()
    expect(gm.locator(".headline .autoplay")).to_have_count(0)
    gm.locator(".playing summary").click()
    for side in ("Red", "Blue"):
        expect(gm.get_by_role("checkbox", name=side)).not_to_be_checked()
    declare(gm, "begin")
    expect(gm.locator(".person.up")).to_have_count(1)
    gm.get_by_role("button", name="Play this turn").click()
    expect(gm.locator(".headline .autoplay")).to_contain_text("’s turn")
    gm.get_by_role("button", name="Stop autoplay").click()
    expect(gm.locator(".headline .autoplay")).to_have_count(0)
    expect(gm.get_by_role("button", name="Play this turn")).to_be_visible()


def test_real_dice_are_left_to_people(server: Served, windows: Windows) -> None:
    gm, _ = sit_down(server, windows, "real")
    lets_play(gm, "Red", "Blue")
    declare(gm, "begin")
    expect(gm.locator(".now")).to_contain_text("roll")
    expect(gm.locator(".refusal[role=alert]")).to_be_empty()


def test_everybody_passes_in_one_command(server: Served, windows: Windows) -> None:
    """One tap lets a window go by for two, and one undo brings it back."""
    gm = windows.open(server.links["road"]["game master"])
    card = gm.locator(".card.window")
    expect(card.get_by_role("heading")).to_have_text("Outlaw A and Outlaw B can react")
    expect(card.locator("[data-pass]")).to_have_count(3)
    gm.get_by_role("button", name="No reaction", exact=True).click()
    expect(gm.locator(".card.window")).to_have_count(0)
    passed = [one.event for one in server.recorded("road") if isinstance(one.event, Passed)]
    assert [one.who for one in passed] == ["*"]
